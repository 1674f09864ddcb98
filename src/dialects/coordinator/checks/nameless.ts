import { type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { PlanEvent } from '../plan-event.ts';
import { isOfOlderRevision } from '../upcasters.ts';
import { RECOVERY_TYPES } from '../vocabulary.ts';

/** Consecutive events without a session. */
interface Nameless {
  readonly first: FindingDraft;
  count: number;
  lastLine: number;
}

/**
 * Checks that every event names its session (coordinator.md §2). Older revisions have no sessions, nor have events that
 * rebuild a lost log. Consecutive events without a session are one finding.
 */
export class NamelessCheck extends ReportingCheck {
  readonly #nameless: Nameless[] = [];
  #inNameless = false;
  /** Whether the first event names a session; undefined before it. */
  #beginsNamed: boolean | undefined;
  /** Whether no event has named a session so far. */
  #inHead = true;
  /** Whether the log has events of an older revision. */
  #older = false;

  /** Adds an event that names its session. */
  named(): void {
    this.#beginsNamed ??= true;
    this.#inHead = false;
    this.#inNameless = false;
  }

  /** Adds an event that may not. */
  add(logged: LoggedEvent, { type, sessionId, older }: PlanEvent): void {
    this.#beginsNamed ??= sessionId !== undefined;
    if (older || (this.#inHead && isOfOlderRevision(logged.event))) this.#older = true;
    this.#inHead &&= sessionId === undefined;
    // Empty and malformed ids are reported by the check of the envelope.
    if (sessionId !== undefined || (logged.event['session_id'] ?? undefined) !== undefined) {
      this.#inNameless = false;
      return;
    }
    if (RECOVERY_TYPES.has(type)) return;
    const last = this.#nameless.at(-1);
    if (last && this.#inNameless) {
      last.count += 1;
      last.lastLine = logged.line;
    } else {
      const remark = { code: 'event/missing-field', message: '', path: ['session_id'] } as const;
      this.#nameless.push({ first: this.report.draft(logged, remark), count: 1, lastLine: logged.line });
    }
    this.#inNameless = true;
  }

  end(): void {
    this.#nameless.forEach(({ first, count, lastLine }, index) => {
      const events =
        count === 1
          ? 'session_id is missing'
          : `session_id is missing in ${count} events, down to line ${lastLine}`;
      // Later revisions always have session ids, so only the beginning of a log can be older.
      const older = this.#older && index === 0 && this.#beginsNamed === false;
      this.report.report({
        ...first,
        message: older
          ? `${events}: they are from an older revision, which had none`
          : `${events}: every event must name its session`,
        ...(older && { severity: 'info' }),
      });
    });
  }
}
