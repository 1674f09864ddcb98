import type { JsonValue } from '../../../base/json/value.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import { TASK_DISPATCHES } from '../vocabulary.ts';
import type { ReadCheck, ReadLoggedEvent } from './log-check.ts';

/** Types that block the infrastructure. Two events often report the same block (coordinator.md §8). */
const BLOCKS: ReadonlySet<string> = new Set([
  'developer_blocked',
  'auditor_blocked',
  'infrastructure_blocked',
]);

/** The types that end the run of an expert. */
const EXPERT_ENDS: ReadonlySet<string> = new Set(['expert_complete', 'expert_failed', 'expert_out_of_scope']);

/**
 * Checks that what ends has begun: compactions, blocks, runs of experts. The documents only imply it, and writers omit
 * events, so a missing start is an info. A missing end is not reported, because a session may die.
 */
export class PairsCheck extends ReportingCheck implements ReadCheck {
  readonly #compactions = new Set<JsonValue>();
  /** The runs of experts that were delegated. */
  readonly #delegated = new Set<JsonValue>();
  #blocked = false;
  /** The line of the block that halts all assignments. */
  #halted: number | undefined;
  row(read: ReadLoggedEvent): void {
    const { type, detail } = read.event;
    if (BLOCKS.has(type)) {
      this.#blocked = true;
      this.#halted ??= read.logged.line;
    } else if (type === 'expert_delegated') {
      const run = detail('run_id');
      if (run !== undefined) this.#delegated.add(run);
    } else if (EXPERT_ENDS.has(type)) {
      const run = detail('run_id');
      if (run !== undefined && !this.#delegated.has(run))
        this.#reportMissingStart(
          read,
          `the run ${JSON.stringify(run)} of an expert ended, but was never delegated`,
        );
    } else if (type === 'health_audit_pass') this.#halted = undefined;
    else if (TASK_DISPATCHES.has(type)) this.#dispatch(read);
    else if (type === 'infrastructure_restored') {
      // A health_audit_pass does not end the block here, because a recovery logs both (coordinator.md §8).
      if (!this.#blocked)
        this.#reportMissingStart(read, 'the infrastructure is restored, but no event blocked it');
      this.#blocked = false;
      this.#halted = undefined;
    } else if (type === 'compaction_start' || type === 'compaction_complete') {
      const number = detail('compaction_number');
      if (number === undefined) return;
      if (type === 'compaction_start') this.#compactions.add(number);
      else if (!this.#compactions.delete(number))
        this.#reportMissingStart(read, `compaction ${JSON.stringify(number)} is complete, but never started`);
    }
  }

  #dispatch({ logged, event: { type, typeKey } }: ReadLoggedEvent): void {
    if (this.#halted === undefined) return;
    const message = `the infrastructure has been blocked since line ${this.#halted}`;
    this.report.at(logged, { code: 'order/while-blocked', message, path: [typeKey], actual: type });
  }

  #reportMissingStart({ logged, event: { type, typeKey } }: ReadLoggedEvent, message: string): void {
    this.report.at(logged, { code: 'order/end-without-start', message, path: [typeKey], actual: type });
  }
}
