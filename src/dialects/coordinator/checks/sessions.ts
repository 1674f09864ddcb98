import { type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { isOfOlderRevision } from '../upcasters.ts';
import { RECOVERY_TYPES } from '../vocabulary.ts';
import type { ReadCheck, ReadLoggedEvent } from './log-check.ts';

interface Session {
  opened: boolean;
  /** The line on which the workflow was complete. */
  complete: number | undefined;
}

/** Consecutive events without a session. */
interface Nameless {
  readonly first: FindingDraft;
  count: number;
  lastLine: number;
}

const NO_SESSION = '';

/**
 * Checks sessions: every event names one, each is opened, a resumed one names an earlier one, and no event follows the
 * end of the workflow (coordinator.md §2, §7, §8). Older revisions have no sessions, nor have events that rebuild a lost
 * log.
 */
export class SessionCheck extends ReportingCheck implements ReadCheck {
  readonly #sessions = new Map<string, Session>();
  readonly #nameless: Nameless[] = [];
  #inNameless = false;
  /** Whether no event has named a session so far. */
  #inHead = true;
  /** Whether the log has events of an older revision. */
  #older = false;
  row(read: ReadLoggedEvent): void {
    const { logged, event, older } = read;
    const { type, sessionId } = event;
    if (older || (this.#inHead && isOfOlderRevision(logged.event))) this.#older = true;
    this.#inHead &&= sessionId === undefined;
    this.#names(read);
    const id = sessionId ?? NO_SESSION;
    if (id === NO_SESSION) {
      // Without session ids, a session lasts until the next one is opened.
      const session = this.#sessions.get(NO_SESSION);
      if (session && (type === 'session_resumed' || type === 'session_start')) session.complete = undefined;
    }
    this.#lifecycle(read, id);
  }

  #lifecycle({ logged, event, isRebuilt }: ReadLoggedEvent, id: string): void {
    const { type, detail } = event;
    const opens = type === 'session_start' || type === 'session_resumed';
    const known = this.#sessions.get(id);
    const session: Session = known ?? { opened: opens, complete: undefined };
    if (type === 'session_resumed' && !isRebuilt) this.#previous(logged, id, detail('previous_session_id'));
    if (known === undefined) {
      this.#sessions.set(id, session);
      if (id !== NO_SESSION && !opens && !isRebuilt) {
        const remark = { code: 'order/session-unopened', path: ['session_id'], actual: id } as const;
        this.report.ifWhole.once(id, logged, remark, () =>
          session.opened ? undefined : 'this session was neither started nor resumed',
        );
      }
    }
    session.opened ||= opens;
    const { complete } = session;
    if (complete !== undefined) {
      const remark = { code: 'order/after-terminate', severity: 'warn' } as const;
      this.report.once(`after ${complete}`, logged, remark, (count) => {
        const events =
          count === 1 ? 'one event of the session follows' : `${count} events of the session follow`;
        return `the workflow was complete on line ${complete}, but ${events}`;
      });
    }
    if (type === 'workflow_complete') session.complete ??= logged.line;
  }

  #previous(logged: LoggedEvent, id: string, previous: unknown): void {
    if (typeof previous !== 'string' || previous === 'recovered') return;
    if (previous !== id && this.#sessions.has(previous)) return;
    const message =
      previous === id
        ? 'the session names itself as the previous session'
        : 'the previous session is not in this log';
    const path = ['details', 'previous_session_id'];
    this.report.ifWhole.at(logged, { code: 'lineage/session', message, path, actual: previous });
  }

  #names({ logged, event }: ReadLoggedEvent): void {
    // Empty and malformed ids are reported by the check of the envelope.
    if (event.sessionId !== undefined || (logged.event['session_id'] ?? undefined) !== undefined) {
      this.#inNameless = false;
      return;
    }
    if (RECOVERY_TYPES.has(event.type)) return;
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
    const [firstSession] = this.#sessions.keys();
    this.#nameless.forEach(({ first, count, lastLine }, index) => {
      const events =
        count === 1
          ? 'session_id is missing'
          : `session_id is missing in ${count} events, down to line ${lastLine}`;
      // Later revisions always have session ids, so only the beginning of a log can be older.
      const older = this.#older && index === 0 && firstSession === NO_SESSION;
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
