import { open } from 'node:fs/promises';
import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { parseJson } from '../../../json/parse.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../../json/value.ts';
import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import type { LogRecord } from '../../../log/record.ts';
import type { Row } from '../../../log/row.ts';
import { eventBehind } from '../../../log/row-event.ts';
import type { UpcastStep } from '../../upcast-schema.ts';
import { type CheckedEvent, readEvent, upcastEvent } from '../read.ts';
import { COLUMN } from '../rows.ts';
import { SCHEMA_VERSION } from '../vocabulary.ts';

/** A rule about the events of runs: handed those that a store would keep, in the order of the file. */
export interface RunCheck {
  event?(logged: LoggedEvent, event: CheckedEvent): void;
  /** The same for those that their tables do not accept; see {@link EventCheck}. */
  refused?(logged: LoggedEvent, event: CheckedEvent): void;
  end?(log: LogEnd): void;
}

/** Where an event stands in the file. */
interface Span {
  readonly start: number;
  readonly length: number;
}

/** Before this year a time is read by its text: the engine has rules of its own for years of fewer digits. */
const EARLIEST = Date.UTC(1000, 0);

/** An accepted record as a check sees it, its id read where somebody asks for it. One for all records, good until the next. */
class RowLoggedEvent implements LoggedEvent {
  readonly event: JsonObject;
  readonly #row: Row;

  constructor(row: Row) {
    this.#row = row;
    this.event = eventBehind(row);
  }

  get record(): LogRecord {
    return this.#row.record;
  }

  get line(): number {
    return this.#row.line;
  }

  get id(): string | undefined {
    return this.#row.id;
  }
}

/**
 * What `readEvent` gives, of a record that is accepted, and so has all that its table needs: read from its row. One for
 * all records, good until the next.
 */
class RowLedgerEvent implements CheckedEvent {
  readonly #row: Row;
  readonly #event: JsonObject;

  constructor(row: Row, event: JsonObject) {
    this.#row = row;
    this.#event = event;
  }

  get runId(): string {
    return this.#row.text(COLUMN.run_id) as string;
  }

  get kind(): string {
    return this.#row.text(COLUMN.kind) as string;
  }

  get actor(): string {
    return this.#row.text(COLUMN.actor) as string;
  }

  get payload(): JsonObject {
    return this.#event['payload'] as JsonObject;
  }

  get isSalvaged(): boolean {
    return this.#row.kind(COLUMN.salvaged) === 'boolean' && this.#row.value(COLUMN.salvaged) === true;
  }

  get turn(): number {
    return this.#row.number(COLUMN.turn);
  }

  get createdAt(): JsonValue | undefined {
    return this.#row.text(COLUMN.created_at);
  }

  get instant(): number | undefined {
    const instant = this.#row.time(COLUMN.created_at);
    return instant >= EARLIEST ? instant : undefined;
  }

  get sessionId(): string | null {
    return this.#row.text(COLUMN.session_id) ?? null;
  }
}

/** An event whose id has come before. */
interface Repeat {
  readonly draft: FindingDraft;
  readonly firstLine: number;
  readonly first: Span;
  readonly again: Span;
}

/** Which events of a ledger are checked, and by which rules. */
export interface LedgerRules {
  readonly report: EventReporter;
  /** Handed every event, after upcasting. */
  readonly all: readonly EventCheck[];
  /** Handed the events of runs that a store would keep. */
  readonly runs: readonly RunCheck[];
  readonly upcasts: readonly UpcastStep[];
  /** This run alone. */
  readonly runId: string | undefined;
}

/**
 * Leads the events of a ledger past the rules. An id counts once over the whole store, the first time it comes
 * (fishbowl.md §5): a repeat is said and goes no further.
 */
export class LedgerCheck implements EventCheck {
  /** Events of the run in question, or all. */
  events = 0;
  readonly #rules: LedgerRules;
  /** By the ordinal of an id: the line on which it stands first. */
  readonly #lines = new GrowingNumbers(Int32Array);
  /** The same: where its event stands, to be read again when another one claims the id. */
  readonly #starts = new GrowingNumbers(Float64Array);
  readonly #lengths = new GrowingNumbers(Int32Array);
  readonly #repeats: Repeat[] = [];
  #logged: RowLoggedEvent | undefined;
  #ledgerEvent: RowLedgerEvent | undefined;

  constructor(rules: LedgerRules) {
    this.#rules = rules;
  }

  row(row: Row): void {
    const isPlain = row.isAccepted && row.number(COLUMN.schema_version) === SCHEMA_VERSION;
    if (isPlain) this.#takePlain(row);
    else this.#take(row);
  }

  /** An event in the known version that its table accepts: of it no more is read than a rule asks for. */
  #takePlain(row: Row): void {
    const { all, runs, runId } = this.#rules;
    this.#logged ??= new RowLoggedEvent(row);
    this.#ledgerEvent ??= new RowLedgerEvent(row, this.#logged.event);
    const [logged, ledgerEvent] = [this.#logged, this.#ledgerEvent];
    const mine = runId === undefined || row.text(COLUMN.run_id) === runId;
    const isNew = this.#identify(logged, row.ordinal(COLUMN.id), mine);
    if (!mine) return;
    this.events += 1;
    for (const check of all) check.event?.(logged);
    if (isNew) for (const check of runs) check.event?.(logged, ledgerEvent);
  }

  #take(logged: Row): void {
    const { all, runs, runId, upcasts } = this.#rules;
    const stored = logged.event;
    const event = upcastEvent(stored, upcasts) ?? stored;
    const { record, line, id } = logged;
    const current = event === stored ? logged : { record, line, id, event };
    const mine = runId === undefined || event['run_id'] === runId;
    const isNew = this.#identify(current, logged.ordinal(COLUMN.id), mine);
    if (!mine) return;
    this.events += 1;
    // What a table accepted is as it is stored: an event that was made anew is judged as it is now.
    const spared = logged.isAccepted && event === stored;
    for (const check of all) {
      if (!spared) check.refused?.(current);
      check.event?.(current);
    }
    const loose = isNew ? readEvent(event) : undefined;
    if (loose === undefined) return;
    for (const check of runs) {
      if (!spared) check.refused?.(current, loose);
      check.event?.(current, loose);
    }
  }

  end(log: LogEnd): void {
    for (const check of this.#rules.all) check.end?.(log);
    for (const check of this.#rules.runs) check.end?.(log);
  }

  /** Says of each repeated id whether the same event came again, or another: both are read once more from the file. */
  async settle(path: string): Promise<void> {
    if (this.#repeats.length === 0) return;
    const handle = await open(path, 'r');
    const read = async ({ start, length }: Span): Promise<unknown> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
      return parseJson(buffer.toString('utf8', 0, bytesRead));
    };
    try {
      for (const { draft, firstLine, first, again } of this.#repeats) {
        const same = jsonEqual(await read(first), await read(again));
        const message = same
          ? `the event repeats the one on line ${firstLine}; a store keeps it once`
          : `another event with this id stands on line ${firstLine}; a store keeps that one and drops this one without a word`;
        this.#rules.report.report({ ...draft, severity: same ? 'info' : 'error', message });
      }
    } finally {
      await handle.close();
    }
  }

  #identify(logged: LoggedEvent, ordinal: number, mine: boolean): boolean {
    if (ordinal < 0) return true;
    const { line, record } = logged;
    const firstLine = this.#lines.get(ordinal);
    const start = record.byteStart;
    const length = record.byteEnd - start;
    if (firstLine === 0) {
      this.#lines.set(ordinal, line);
      this.#starts.set(ordinal, start);
      this.#lengths.set(ordinal, length);
      return true;
    }
    if (!mine) return false;
    const { id = '' } = logged;
    const draft = this.#rules.report.draft(logged, {
      code: 'event/duplicate-id',
      message: '',
      path: ['id'],
      actual: id,
    });
    this.#repeats.push({
      draft,
      firstLine,
      first: { start: this.#starts.get(ordinal), length: this.#lengths.get(ordinal) },
      again: { start, length },
    });
    return false;
  }
}
