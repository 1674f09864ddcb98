import type { JsonObject } from '../../../base/json/value.ts';
import { listed } from '../../../base/text/listed.ts';
import { type EventReporter, type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import { IdIndex } from '../../../log/id-index.ts';
import { CauseCycles } from '../../kit/cause-cycles.ts';
import { causeOf, namesOf, parsePosition } from '../identity.ts';
import type { StreamEvent } from '../rows.ts';
import type { IdempotencyCheck } from './idempotency.ts';
import type { SequenceCheck } from './sequence.ts';

/** At most this many members of a cycle are named. */
const MAX_SHOWN = 10;

/** A cause whose event has not come yet. */
interface OpenCause {
  readonly stream: string;
  readonly cause: string;
  readonly line: number;
  readonly eventId: string | undefined;
}

/**
 * Checks `causationId`. The store never sets it, and records have no id (exarchos.md §3), so an agent may write
 * anything, and the cause may be in another stream. Missing causes are therefore one info.
 */
export class CauseCheck extends ReportingCheck {
  readonly #sequences: SequenceCheck;
  readonly #keys: IdempotencyCheck;
  /** Ids of events. Only later versions write them. */
  readonly #ids = new IdIndex();
  /** The line of the cause, by the line of the event. */
  readonly #causeLines = new GrowingNumbers(Int32Array);
  readonly #open: OpenCause[] = [];
  #firstOpen: FindingDraft | undefined;

  /** Pass each event to this check first, then to the two others. */
  constructor(report: EventReporter, sequences: SequenceCheck, keys: IdempotencyCheck) {
    super(report);
    this.#sequences = sequences;
    this.#keys = keys;
  }

  row(logged: StreamEvent): void {
    const { event, line, stream } = logged;
    const { eventId } = event;
    const near = this.#lineOfPosition(event, stream);
    const cause = near === undefined ? causeOf(event) : undefined;
    const known = near ?? (cause === undefined ? undefined : this.#lineOf(stream, cause));
    if (known !== undefined) this.#causeLines.set(line, known);
    if (cause !== undefined && known === undefined) {
      const remark = { message: '', path: ['causationId'], actual: cause } as const;
      if (namesOf(event).includes(cause)) {
        const message = 'causationId names the event itself';
        this.report.at(logged, { ...remark, code: 'lineage/cycle', severity: 'warn', message });
      } else {
        this.#open.push({ stream, cause, line, eventId: logged.id });
        this.#firstOpen ??= this.report.draft(logged, {
          ...remark,
          code: 'lineage/dangling-cause',
          severity: 'info',
        });
      }
    }
    if (typeof eventId !== 'string') return;
    const before = this.#ids.add(eventId, line);
    if (before < 0) return;
    const message = `the id is already on line ${this.#ids.lineOf(before)}`;
    this.report.at(logged, { code: 'event/duplicate-id', message, path: ['eventId'], actual: eventId });
  }

  end({ whole }: LogEnd): void {
    let dangling = 0;
    const forward = this.#open.map((open) => ({ ...open, later: this.#lineOf(open.stream, open.cause) }));
    for (const { line, later } of forward) if (later !== undefined) this.#causeLines.set(line, later);
    const cycles = new CauseCycles({ parentOf: (line) => this.#causeLines.get(line) || -1 });
    for (const { cause, line, eventId, later } of forward) {
      if (later === undefined) {
        dangling += 1;
        continue;
      }
      const cycle = cycles.cycleThrough(line);
      if (cycle !== undefined) {
        if (cycle !== 'reported') this.#reportCycle(cycle, line, eventId);
        continue;
      }
      // Sidecars are merged late, so an event may come before its cause.
      const message = `causationId names an event that comes later, on line ${later}`;
      this.report.onLine(line, eventId, {
        code: 'lineage/forward-cause',
        severity: 'info',
        message,
        actual: cause,
      });
    }
    if (!whole || dangling === 0 || this.#firstOpen === undefined) return;
    const which = dangling === 1 ? 'a causationId names' : `the causationIds of ${dangling} events name`;
    this.report.report({ ...this.#firstOpen, message: `${which} no event of this log` });
  }

  #reportCycle(lines: readonly number[], line: number, eventId: string | undefined): void {
    this.report.onLine(line, eventId, {
      code: 'lineage/cycle',
      severity: 'warn',
      message: `the events on lines ${listed(lines, MAX_SHOWN)} form a cycle of causes`,
    });
  }

  /** The line of a cause that is a position in the stream. If events have ids, a number may be an id. */
  #lineOfPosition({ causationId, streamId }: JsonObject, stream: string): number | undefined {
    if (typeof causationId !== 'string' || this.#ids.size > 0) return undefined;
    const position = parsePosition(causationId);
    if (position === undefined) return undefined;
    const own = typeof streamId === 'string' && streamId !== '' ? streamId : stream;
    return this.#sequences.numbersOf(position.stream ?? own)?.lineOf(position.sequence);
  }

  #lineOf(stream: string, cause: string): number | undefined {
    const id = this.#ids.find(cause);
    if (id >= 0) return this.#ids.lineOf(id);
    const position = parsePosition(cause);
    const at = position && this.#sequences.numbersOf(position.stream ?? stream)?.lineOf(position.sequence);
    return at ?? this.#keys.lineOf(stream, cause);
  }
}
