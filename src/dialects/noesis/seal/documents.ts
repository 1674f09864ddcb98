import { valueAt } from '../../../base/json/path.ts';
import { isNumber, StoredNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { finalOf } from '../agreement/outcomes.ts';
import { canonicalStatus } from '../event/vocabulary.ts';
import { pythonTime } from '../writing/stamp.ts';
import type { EndedRun } from './ended-run.ts';

/** A number as a Python float: `1.0` keeps its point. */
const float = (value: number): number | StoredNumber =>
  Number.isInteger(value) ? new StoredNumber(`${value}.0`) : value;

/** The outcome in final.json by the status of a run; for other statuses the summary gives it. */
const OUTCOMES: ReadonlyMap<string | undefined, string> = new Map([
  // The log does not say how the run ended.
  [undefined, 'interrupted'],
  ['vetoed', 'vetoed'],
  ['aborted', 'cancelled'],
]);

const textAt = (value: unknown, path: readonly string[]): string | undefined => {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
};

/** The runtime's word for the end of the run; undefined if the log has no end. */
function statusOf({ course }: EndedRun): string | undefined {
  const value = course.end?.status;
  return typeof value === 'string' ? canonicalStatus(value) : undefined;
}

/** The share of the steps that were done. */
function adherence({ state }: EndedRun): number {
  const steps = valueAt(state, ['plan', 'steps']);
  if (!Array.isArray(steps) || steps.length === 0) return 0;
  return steps.filter((step) => valueAt(step, ['status']) === 'done').length / steps.length;
}

/** The metrics of the insight event. Missing ones are counted. */
function insightMetrics(run: EndedRun): JsonObject {
  const said = run.said.insight?.payload['metrics'];
  return {
    plan_adherence: float(adherence(run)),
    tool_coverage: float(run.said.acts > 0 ? 1 : 0),
    veto_count: run.vetoes,
    success: statusOf(run) === 'ok',
    ...(isObject(said) ? said : {}),
    act_count: run.said.acts,
  };
}

function duration({ course, said }: EndedRun): JsonValue {
  const passed = course.duration(course.end?.time ?? said.lastAt);
  return passed === undefined ? null : float(Math.max(0, passed) / 1000);
}

const ADAPTER_RESULT: ReadonlyMap<string | undefined, string> = new Map([
  ['ok', 'success'],
  ['error', 'error'],
]);

/** Makes a missing summary.json from the log and the state. */
export function summaryOf(run: EndedRun, episode: string): JsonObject {
  const { course, said, state } = run;
  const status = statusOf(run);
  const adapterResult = ADAPTER_RESULT.get(status) ?? 'skipped';
  const stored = (path: readonly string[]) => valueAt(state, path) as JsonValue | undefined;
  const [task, using, process] = [
    said.start?.payload['task'] ?? stored(['goal', 'task']) ?? '',
    said.start?.payload['using'] ?? stored(['episode', 'using']),
    stored(['process']),
  ];
  const seed = said.start?.payload['seed'] ?? stored(['episode', 'seed']);
  const tags = said.observe?.payload['tags'] ?? stored(['episode', 'tags']) ?? {};
  const { directions, counts } = said;
  return {
    schema_version: '1.3.0',
    episode_id: episode,
    task,
    ...(isNumber(seed) && { seed }),
    started_at: textAt(state, ['episode', 'started_at']) ?? course.start?.time ?? '',
    duration_sec: duration(run),
    flags: {
      ...(using !== undefined && { using }),
      direction: { applied: directions.applied, vetoed: directions.vetoed, last_diff: [] },
    },
    metrics: {
      ...insightMetrics(run),
      plan_count: counts.plan,
      interpret_count: counts.interpret,
      reflect_count: counts.reflect,
      intuition_events: counts.intuition,
      direction_events: directions.events,
      direction_applied: directions.applied,
      direction_vetoed: directions.vetoed,
    },
    tags,
    manifest: { path: 'manifest.json' },
    adapter_result: adapterResult,
    outcome: adapterResult === 'success' ? 'success_unverified' : 'error',
    verification: {
      provided: false,
      passed: null,
      assertions: [],
      workspace_diff: null,
      snapshots: null,
      policy: { ignore: [], symlinks: 'skip' },
    },
    ...(isObject(process) && { process }),
  };
}

/** The later of now and the last event, because a seal must not be older than its content. */
function sealTime({ said }: EndedRun, now: number): string {
  const { lastAt = '' } = said;
  const last = parseInstant(lastAt);
  return last !== undefined && last > now ? lastAt : pythonTime(now);
}

/** Makes final.json from the end of the log and the summary (docs/formats/noesis.md §8.4). */
export function finalDocument(run: EndedRun, summary: JsonObject, episode: string, now: number): JsonObject {
  const byStatus = OUTCOMES.get(statusOf(run));
  const [outcome, verification] =
    byStatus === undefined
      ? (finalOf(summary['outcome']) ?? ['error', 'not_applicable'])
      : [byStatus, 'not_applicable'];
  const process = [run.state?.['process'], summary['process']].find(isObject);
  const { id, run_index: index } = process ?? {};
  return {
    schema_version: 'final/2.0.0',
    episode_id: episode,
    process_id: typeof id === 'string' && id !== '' ? id : 'unknown',
    run_index: isNumber(index) ? index : 1,
    finalized_at: sealTime(run, now),
    outcome,
    verification_status: verification,
  };
}
