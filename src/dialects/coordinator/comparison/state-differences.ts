import { formatPath, type JsonPath } from '../../../base/json/path.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import type { Difference } from '../../../findings/projection/difference.ts';
import { leftOut, type Reason } from '../../../findings/projection/left-out.ts';
import { type Comparison, NOT_COMPARED, type NotCompared } from '../../../findings/projection/projector.ts';
import { hasOffset } from '../read.ts';

/** The last event that changed a part. */
export interface Change {
  readonly line: number;
  /** Its time, as stored. */
  readonly at: string | undefined;
}

/** Why a member is not compared. */
export const SAVED_BEFORE = 'the state was saved before this event';
export const ONLY_IN_PLAN = 'only the plan says which tasks are available, and which task waits for which';
export const OTHER_CLOCK = 'the program reads the clock again when it writes the file';
const PLAN_MAY_CHANGE = 'after a resume the plan may have other tasks';

/** Why members are not compared, by the name of the member, or of one below it. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['available_tasks', ONLY_IN_PLAN],
  ['blocked_tasks', ONLY_IN_PLAN],
  ['total_tasks', PLAN_MAY_CHANGE],
  ...[
    'saved_at',
    'session_started_at',
    'last_usage_check',
    'dispatched_at',
    'expanded_at',
    'created_at',
    'completed_at',
    'timestamp',
  ].map((name) => [name, OTHER_CLOCK] as const),
]);

/** In milliseconds: a state is saved at most this long before its event is logged (coordinator.md §8). */
const LOGGED_WITHIN = 60_000;

/** Whether a time is more than `by` milliseconds after another. False for times that cannot be compared. */
function isAfter(at: string | undefined, saved: JsonValue | undefined, by = 0): boolean {
  if (at === undefined || typeof saved !== 'string' || hasOffset(at) !== hasOffset(saved)) return false;
  const [changed, then] = [parseInstant(at), parseInstant(saved)];
  return changed !== undefined && then !== undefined && changed - then > by;
}

/** Collects the compared parts of a state file, and where they differ from the log. */
export class StateDifferences {
  readonly #state: JsonObject;
  /** Whether the state claims to be saved before its session began. Then its time excuses no difference. */
  readonly #isTooEarly: boolean;
  readonly #compared: JsonPath[] = [];
  readonly #skipped: JsonPath[] = [];
  readonly #differences: Difference[] = [];
  readonly #notCompared: NotCompared[] = [];

  /** `start`: when the session of the state began. */
  constructor(state: JsonObject, start: string | undefined) {
    this.#state = state;
    const { saved_at: saved } = state;
    this.#isTooEarly = isAfter(start, saved, LOGGED_WITHIN);
    if (this.#isTooEarly) this.differ(['saved_at'], start, saved, undefined);
  }

  compared(path: JsonPath): void {
    this.#compared.push(path);
  }

  /** Compares one value. `given`: the one in the log. */
  value(path: JsonPath, given: JsonValue, stored: JsonValue | undefined, change: Change | undefined): void {
    this.compared(path);
    if (!jsonEqual(given, stored)) this.differ(path, given, stored, change);
  }

  differ(
    path: JsonPath,
    projected: JsonValue | undefined,
    stored: JsonValue | undefined,
    change: Change | undefined,
  ): void {
    this.compared(path);
    const text = formatPath(path);
    if (change !== undefined && !this.#isTooEarly && isAfter(change.at, this.#state['saved_at'])) {
      this.#notCompared.push({ path: text, reason: SAVED_BEFORE, line: change.line });
      return;
    }
    this.#differences.push({
      path: text,
      ...(projected !== undefined && { projected }),
      ...(stored !== undefined && { stored }),
      ...(change !== undefined && { evidence: { line: change.line } }),
    });
  }

  skip(path: JsonPath, reason: string): void {
    this.#skipped.push(path);
    this.#notCompared.push({ path: formatPath(path), reason });
  }

  result(): Comparison {
    const rest = leftOut(this.#state, [...this.#compared, ...this.#skipped], (path): Reason => {
      const [name = ''] = /[^.\]]+$/.exec(path) ?? [];
      return { reason: REASONS.get(name) ?? NOT_COMPARED.byNoesis };
    });
    return {
      compared: [...new Set(this.#compared.map(formatPath))],
      differences: this.#differences,
      not_compared: [...this.#notCompared, ...rest],
      underivable: [],
    };
  }
}
