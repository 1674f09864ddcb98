import type { EventReporter, LogEnd } from '../../../findings/check.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { ReadCheck, ReadLoggedEvent } from './log-check.ts';

/** Events of which each blocks the infrastructure by itself; one block is often told by two of them (coordinator.md §8). */
const BLOCKS: ReadonlySet<string> = new Set([
  'developer_blocked',
  'auditor_blocked',
  'infrastructure_blocked',
]);

/** Events that make a lost log anew: what began before them is not in it. */
const REBUILT: ReadonlySet<string> = new Set(['event_log_reconstructed', 'event_log_created_from_state']);

/**
 * Ends that need a beginning: a compaction by its number, a restored infrastructure. The documents only imply it, and
 * writers leave events out, so that a missing beginning is worth knowing and no fault. The other way round nothing is
 * missed: a session may die in between.
 */
export class PairsCheck implements ReadCheck {
  readonly #report: EventReporter;
  /** Said when no line is lost: a lost one may have held what is missed. */
  readonly #open: EventReporter;
  readonly #compactions = new Set<JsonValue>();
  #blocked = false;
  #rebuilt = false;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#open = report.later();
  }

  event(read: ReadLoggedEvent): void {
    const { type, detail } = read.event;
    if (BLOCKS.has(type)) this.#blocked = true;
    else if (REBUILT.has(type)) this.#rebuilt = true;
    else if (type === 'infrastructure_restored') {
      // Not by a health_audit_pass: a recovery logs both (coordinator.md §8).
      if (!this.#blocked) this.#miss(read, 'the infrastructure is restored, and nothing had blocked it');
      this.#blocked = false;
    } else if (type === 'compaction_start' || type === 'compaction_complete') {
      const number = detail('compaction_number');
      if (number === undefined) return;
      if (type === 'compaction_start') this.#compactions.add(number);
      else if (!this.#compactions.delete(number))
        this.#miss(read, `compaction ${JSON.stringify(number)} is complete, and it never started`);
    }
  }

  end({ whole }: LogEnd): void {
    if (whole && !this.#rebuilt) this.#report.confirm(this.#open);
  }

  #miss({ logged, event: { type, typeKey } }: ReadLoggedEvent, message: string): void {
    this.#open.at(logged, { code: 'order/end-without-start', message, path: [typeKey], actual: type });
  }
}
