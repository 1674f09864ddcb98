import type { JsonPath } from '../json/path.ts';
import type { JsonObject } from '../json/value.ts';
import type { LogRecord } from '../log/record.ts';
import type { Row } from '../log/row.ts';
import type { FindingCode } from './codes.ts';
import type { FindingDraft, Findings } from './findings.ts';
import { type Places, placesInRecord } from './place.ts';
import type { Severity } from './severity.ts';

/** One whole record on its way through the checks, parsed. */
export interface LoggedEvent {
  readonly record: LogRecord;
  readonly event: JsonObject;
  /** Physical line from 1. */
  readonly line: number;
  /** The event's id, where it has one that is a string. */
  readonly id: string | undefined;
}

/** What a check knows of the log when no more records come. */
export interface LogEnd {
  /** No line was corrupt: what needs the whole log may be said. */
  readonly whole: boolean;
  readonly records: number;
  /** Where the log can be read again. */
  readonly path: string;
}

/**
 * A check, or a few that share what they remember. Handed every record in the order of the file, then the end. `Read`:
 * what the dialect makes of a row for its checks, if that is more than a row.
 */
export interface Check<Read> {
  /** Sees every record, or those of {@link types}; it is parsed if the check asks for its event. */
  row?(read: Read): void;
  /** The numbers of the types whose records `row` sees: those of all types where this is left out. */
  readonly types?: ReadonlySet<number> | undefined;
  /**
   * Sees the records that their tables do not accept. For what the schemas of these very tables say, and nothing else:
   * that an accepted record is spared must never rest on a second statement of a rule.
   */
  refused?(read: Read): void;
  end?(log: LogEnd): void;
}

/** A check that sees rows as they are. */
export type EventCheck = Check<Row>;

/** Something to say about a record. */
export interface EventRemark {
  readonly code: FindingCode;
  readonly message: string;
  /** The member it is about; the whole record when absent. */
  readonly path?: JsonPath;
  readonly severity?: Severity;
  readonly hint?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** Reports remarks about records of one log, with their places. */
export class EventReporter {
  readonly #findings: Findings;
  readonly file: string;
  #ifWhole: EventReporter | undefined;
  #places: { readonly start: number; readonly byteStart: number; readonly of: Places } | undefined;

  constructor(findings: Findings, file: string) {
    this.#findings = findings;
    this.file = file;
  }

  /** Reports a remark about the record in hand. */
  at(logged: LoggedEvent, remark: EventRemark): void {
    const head = { code: remark.code, severity: remark.severity, file: this.file, line: logged.line };
    this.#findings.reportAt(head, () => this.draft(logged, remark));
  }

  /**
   * Reports a remark once for all records that it holds for: at the first, when the log has ended. `words` makes its
   * message of the number of records. Remarks of one key are one.
   */
  once(
    key: string,
    logged: LoggedEvent,
    remark: Omit<EventRemark, 'message'>,
    words: (count: number) => string | undefined,
  ): void {
    this.#findings.once(key, () => this.draft(logged, { ...remark, message: '' }), words);
  }

  /** Reports a remark once for all records that it holds for, with their number. */
  note(logged: LoggedEvent, remark: EventRemark): void {
    const { message } = remark;
    this.once(message, logged, remark, (count) => (count === 1 ? message : `${message} (${count} records)`));
  }

  /** A remark about the record in hand with its place, to be reported when it is certain. */
  draft({ record, id }: LoggedEvent, remark: EventRemark): FindingDraft {
    const { path = [], ...rest } = remark;
    // A million of these may be made, and for a spread with members after it V8 makes a shape of its own each time.
    return Object.assign(
      rest,
      { file: this.file },
      this.#placesIn(record).at(path),
      id !== undefined && { eventId: id },
    );
  }

  report(draft: FindingDraft): void {
    this.#findings.report(draft);
  }

  /** Reports what is worked out only where it may be kept, on a line that has passed. */
  where(line: number, code: FindingCode, rest: () => FindingDraft): void {
    this.#findings.reportAt({ code, file: this.file, line }, rest);
  }

  /** Reports a remark about a record that has passed, of which the line and no more is known. */
  onLine(line: number, eventId: string | undefined, remark: Omit<EventRemark, 'path'>): void {
    this.report({ ...remark, file: this.file, line, ...(eventId !== undefined && { eventId }) });
  }

  /** A reporter for what a corrupt line could explain: it counts if the log turns out to be whole. */
  get ifWhole(): EventReporter {
    this.#ifWhole ??= new EventReporter(this.#findings.ifWhole, this.file);
    return this.#ifWhole;
  }

  /** A reporter for what is not certain before the log has ended, for another reason than {@link ifWhole}: {@link confirm} it then, or let it go. */
  later(): EventReporter {
    return new EventReporter(this.#findings.later(), this.file);
  }

  /** Reports all that was held back. */
  confirm(held: EventReporter): void {
    this.#findings.takeIn(held.#findings);
  }

  /** How many findings of one code and severity are kept: beyond them a place is not worth remembering. */
  get limit(): number {
    return this.#findings.limit;
  }

  /** One record may have thousands of remarks. */
  #placesIn(record: LogRecord): Places {
    const { start, byteStart } = record;
    if (this.#places?.start !== start || this.#places.byteStart !== byteStart)
      this.#places = { start, byteStart, of: placesInRecord(record) };
    return this.#places.of;
  }
}
