/** Where a task is, as far as the counts of a resumed session depend on it. `held`: blocked, or waiting for an answer. */
export type Stage = 'none' | 'working' | 'held' | 'awaiting_audit' | 'in_audit' | 'complete';

/** A count at its least and at its most. */
export interface CountRange {
  readonly least: number;
  readonly most: number;
}

const METRICS = ['in_progress_tasks_count', 'pending_audit_count', 'completed_tasks_count'] as const;

/** The counts that a resumed session names. */
export type Metric = (typeof METRICS)[number];

/**
 * Counts the tasks by stage. A state file is saved now and then, so a count in it is one of the values since the last event
 * after which it was surely saved. The documents disagree on whether tasks under audit count as in progress, and whether
 * a task stays pending while it is audited, so a count is a range even at one moment.
 */
export class CountRanges {
  readonly #counts: Record<Stage, number> = {
    none: 0,
    working: 0,
    held: 0,
    awaiting_audit: 0,
    in_audit: 0,
    complete: 0,
  };
  #least = [0, 0, 0];
  #most = [0, 0, 0];

  get completed(): number {
    return this.#counts.complete;
  }

  copy(): CountRanges {
    const copy = new CountRanges();
    Object.assign(copy.#counts, this.#counts);
    copy.#least = [...this.#least];
    copy.#most = [...this.#most];
    return copy;
  }

  /** Moves a task from one stage to another. */
  move(from: Stage, to: Stage): void {
    if (from === to) return;
    this.#counts[from] -= 1;
    this.#counts[to] += 1;
    const { working, held, awaiting_audit: awaiting, in_audit: audited, complete } = this.#counts;
    this.#note(0, working, working + held + awaiting + audited);
    this.#note(1, awaiting, awaiting + audited);
    this.#note(2, complete, complete);
  }

  /** Call this after an event with which the state is saved. */
  save(): void {
    const { working, held, awaiting_audit: awaiting, in_audit: audited, complete } = this.#counts;
    this.#least = [working, awaiting, complete];
    this.#most = [working + held + awaiting + audited, awaiting + audited, complete];
  }

  of(metric: Metric): CountRange {
    const index = METRICS.indexOf(metric);
    return { least: this.#least[index] ?? 0, most: this.#most[index] ?? 0 };
  }

  #note(index: number, least: number, most: number): void {
    if (least < (this.#least[index] ?? 0)) this.#least[index] = least;
    if (most > (this.#most[index] ?? 0)) this.#most[index] = most;
  }
}
