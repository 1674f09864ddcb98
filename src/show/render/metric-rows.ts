import { parsePath } from '../../base/json/path.ts';
import { isObject } from '../../base/json/value.ts';
import { grouped } from '../../base/text/grouped.ts';
import { formatDuration } from '../../base/time/duration.ts';
import type { FieldDifference } from '../../read/compare/run-difference.ts';

/** A number that differs between two runs, in words. */
export interface MetricRow {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/** The members that are durations, and their names for people. */
const DURATIONS: Readonly<Record<string, string>> = { p50: 'median', p95: '95th percentile', max: 'longest' };

/** A number of the statistics. `of`: the group that it is in, such as `phases`; `name`: its member there. */
interface Metric {
  readonly of: string;
  readonly name: string;
  readonly member: string;
  readonly a: unknown;
  readonly b: unknown;
}

const memberOf = (value: unknown, member: string): unknown => (isObject(value) ? value[member] : undefined);

/** The numbers of a difference, which has several if only one run has the event. */
function metricsOf({ path, a, b }: FieldDifference): Metric[] {
  const [of = '', ...rest] = (parsePath(path) ?? [path]).map(String);
  if (of === 'run') return [{ of, name: '', member: rest[0] ?? '', a, b }];
  const [name = '', member] = rest;
  if (member !== undefined) return [{ of, name, member, a, b }];
  if (!isObject(a) && !isObject(b)) return [{ of, name, member: 'count', a, b }];
  return ['count', ...Object.keys(DURATIONS)]
    .map((one) => ({ of, name, member: one, a: memberOf(a, one), b: memberOf(b, one) }))
    .filter((one) => one.a !== one.b);
}

const NAMES: Readonly<Record<string, (name: string) => string>> = {
  events: () => 'events',
  phases: (name) => `events of the phase ${name}`,
  names: (name) => `events with the name ${name}`,
  vetoes: (name) => `stopped by ${name}`,
  failures: (name) => `failed with ${name}`,
};

const numberText = (value: unknown): string => (value === undefined ? 'none' : String(value));

/** How many events of each kind two runs have. */
export const countRows = (metrics: readonly FieldDifference[]): MetricRow[] =>
  metrics
    .flatMap(metricsOf)
    .filter(({ of, member }) => of !== 'run' && (member === 'count' || member === 'untimed'))
    .map(({ of, name, member, a, b }) => ({
      name: `${NAMES[of]?.(name) ?? name}${member === 'untimed' ? ' without a duration' : ''}`,
      a: numberText(a),
      b: numberText(b),
    }));

const durationText = (value: unknown): string => (typeof value === 'number' ? formatDuration(value) : 'none');

/** How long the runs took, and their events by phase and name. One duration is not repeated as median and longest. */
export function durationRows(metrics: readonly FieldDifference[]): MetricRow[] {
  const timed = metrics.flatMap(metricsOf).filter(({ member }) => member in DURATIONS);
  const rows = [...grouped(timed, ({ of, name }) => `${of}\0${name}`)].flatMap(([, all]) => {
    const one = all.every(({ a, b }) => a === all[0]?.a && b === all[0]?.b);
    return (one ? all.slice(0, 1) : all).map(({ of, name, member, a, b }) => ({
      of,
      name: `${of === 'run' ? 'the run' : name}${one ? '' : `, ${DURATIONS[member]}`}`,
      a: durationText(a),
      b: durationText(b),
    }));
  });
  // Many phases have only one event name, which is timed alike.
  const named = new Set(
    rows.filter(({ of }) => of === 'names').map(({ name, a, b }) => `${name}\0${a}\0${b}`),
  );
  return rows
    .filter(({ of, name, a, b }) => of !== 'phases' || !named.has(`${name}\0${a}\0${b}`))
    .map(({ of, name, a, b }) => ({ name: of === 'phases' ? `phase ${name}` : name, a, b }));
}
