import { formatPath, type JsonPath, valueAt } from '../../../base/json/path.ts';
import { isObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { writeJson } from '../../../base/json/write.ts';
import type { Document } from '../../../findings/document.ts';
import type { EpisodeView } from './view.ts';

const INSIGHT_KEYS = ['plan_adherence', 'tool_coverage', 'veto_count', 'success', 'act_count'] as const;

/** Success is `true` in some places and 1 in others. */
const asNumber = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

/** Compares a number in the summary with a counted one. */
function compare(summary: Document, path: JsonPath, counted: JsonValue, source: string): void {
  const stored = valueAt(summary.value, path) as JsonValue | undefined;
  const same = jsonEqual(asNumber(stored), asNumber(counted));
  if (stored === undefined || stored === null || same) return;
  summary.at({
    code: 'consistency/metrics',
    message: `${formatPath(path)} is ${writeJson(stored)}, but ${source} ${writeJson(counted)}`,
    path,
    expected: writeJson(counted),
    actual: writeJson(stored),
  });
}

/** In milliseconds: the duration and the times come from different clocks. */
const CLOCK_SLACK_MS = 50;

function checkDuration(summary: Document, course: EpisodeView['course']): void {
  const seconds = valueAt(summary.value, ['duration_sec']);
  const lasted = course.duration();
  if (typeof seconds !== 'number' || lasted === undefined) return;
  if (Math.abs(seconds * 1000 - lasted) <= Math.max(CLOCK_SLACK_MS, lasted / 100)) return;
  compare(summary, ['duration_sec'], lasted / 1000, 'from the start event to terminate it is');
}

/** Compares the counts in the summary with those of the log and its insight event. */
export function checkMetrics({ course, said: log, summary }: EpisodeView): void {
  if (summary === undefined) return;
  const { acts, directions, counts, insight } = log;
  const logged = [
    [['metrics', 'act_count'], acts, 'acts'],
    [['metrics', 'plan_count'], counts.plan, 'plan events'],
    [['metrics', 'interpret_count'], counts.interpret, 'interpret events'],
    [['metrics', 'reflect_count'], counts.reflect, 'reflect events'],
    [['metrics', 'intuition_events'], counts.intuition, 'intuition events'],
    [['metrics', 'direction_events'], directions.events, 'direction events'],
    [['metrics', 'direction_applied'], directions.applied, 'applied directives'],
    [['metrics', 'direction_vetoed'], directions.vetoed, 'blocked directives'],
    [['flags', 'direction', 'applied'], directions.applied, 'applied directives'],
    [['flags', 'direction', 'vetoed'], directions.vetoed, 'blocked directives'],
  ] as const;
  for (const [path, count, what] of logged)
    compare(summary, path, count, `the number of ${what} in the log is`);
  checkDuration(summary, course);
  const said = insight?.payload['metrics'];
  if (!isObject(said)) return;
  for (const key of INSIGHT_KEYS) {
    const value = said[key];
    const isReported = key === 'act_count' && valueAt(summary.value, ['metrics', key]) !== acts;
    if (value === undefined || isReported) continue;
    compare(summary, ['metrics', key], value, `the insight event on line ${insight?.line} says`);
  }
}
