import { type Command, InvalidArgumentError } from 'commander';
import { ownFilters } from '../src/dialects/registry.ts';
import type { Query } from '../src/select/select.ts';
import { parseInstant } from '../src/time/instant.ts';

/** The options that choose events, of `events`, `insight` and `tail`. */
export interface FilterOptions {
  readonly phase?: string[];
  readonly type?: string[];
  readonly agent?: string[];
  readonly since?: string;
  readonly until?: string;
  /** A filter that only some dialects have; it also picks the log of a folder with several. */
  readonly stream?: string[];
}

/** A whole number of at least `least`, or a usage error. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };
}

/** The words of a repeatable option that takes comma lists, or a usage error. */
export function listed(text: string, before: string[] | undefined): string[] {
  const words = text.split(',').filter((word) => word !== '');
  if (words.length === 0) throw new InvalidArgumentError('It must not be empty.');
  return [...(before ?? []), ...words];
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** An instant from ISO 8601, or from an age such as `15m` before `now`. */
function instantOf(text: string, now: number): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return now - Number(amount) * (UNITS[unit] ?? 0);
  return parseInstant(text);
}

function checkTime(text: string): string {
  if (instantOf(text, 0) !== undefined) return text;
  throw new InvalidArgumentError('It must be an ISO 8601 time, or an age such as 15m, 2h or 3d.');
}

/** Adds the filters. */
export function withFilterOptions(command: Command): Command {
  command
    .option('-p, --phase <name>', 'only events of this phase (repeatable, or a comma list)', listed)
    .option('-t, --type <glob>', 'only events of this type; * stands for any characters', listed)
    .option('--agent <glob>', 'only events of this agent', listed)
    .option('--since <time>', 'not before this: ISO 8601, or an age such as 15m', checkTime)
    .option('--until <time>', 'not after this: ISO 8601, or an age such as 15m', checkTime);
  for (const { name, help } of ownFilters()) command.option(`--${name} <id>`, help, listed);
  return command;
}

/** The filters as the core takes them; `run` is one that the target picked. */
export function filtersOf(options: FilterOptions, now: number, run?: string): Query['filters'] {
  const { phase = [], type = [], agent = [], since, until } = options;
  const from = since === undefined ? undefined : instantOf(since, now);
  const to = until === undefined ? undefined : instantOf(until, now);
  const given = new Map<string, unknown>(Object.entries(options));
  const own = ownFilters().flatMap(({ name }) => {
    const words = given.get(name);
    const values: string[] = Array.isArray(words) ? words.map(String) : [];
    if (name === 'run' && run !== undefined) values.push(run);
    return values.length > 0 ? [{ name, values }] : [];
  });
  return {
    own,
    phases: phase,
    types: type,
    agents: agent,
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}
