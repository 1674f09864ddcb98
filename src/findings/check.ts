import type { JsonPath } from '../base/json/path.ts';
import type { JsonObject } from '../base/json/value.ts';
import type { LogRecord } from '../log/record.ts';
import type { Row } from '../log/row.ts';
import type { FindingCode } from './codes.ts';
import type { FindingDraft, Findings } from './findings.ts';
import { type Places, placesInRecord } from './place.ts';
import type { Severity } from './severity.ts';

/** A parsed record during the checks. */
export interface LoggedEvent {
  readonly record: LogRecord;
  readonly event: JsonObject;
  /** Physical line from 1. */
  readonly line: number;
  /** The event's id, if it is a string. */
  readonly id: string | undefined;
}

/** What a check learns about the log after its last record. */
export interface LogEnd {
  /** No line was corrupt, so checks that need the whole log may report. */
  readonly whole: boolean;
  readonly records: number;
  /** The path, to read the log again. */
  readonly path: string;
}

/**
 * A check, or several that share data. Receives every record in file order, then the end. `Read` is a row, or
 * what the dialect adds to a row for its checks.
 */
export interface Check<Read> {
  /**
   * Receives every record, or those of {@link types}. A record is parsed only if the check asks for its
   * event.
   */
  row?(read: Read): void;
  /** The numbers of the types whose records `row` receives; all types if absent. */
  readonly types?: ReadonlySet<number> | undefined;
  /**
   * Receives the records that the tables do not accept. Only use it to apply the schemas that the tables were
   * made from: accepted records skip it, so no other rule may depend on it.
   */
  refused?(read: Read): void;
  end?(log: LogEnd): void;
}

/** A check of plain rows. */
export type EventCheck = Check<Row>;

/** Combines checks. Binds their methods once, because a log may have millions of records. */
export function allOf<Read>(checks: readonly Check<Read>[]) {
  const rows = checks.flatMap((check) => (check.row ? [check.row.bind(check)] : []));
  const refusals = checks.flatMap((check) => (check.refused ? [check.refused.bind(check)] : []));
  return {
    row(read: Read): void {
      for (const see of rows) see(read);
    },
    refused(read: Read): void {
      for (const see of refusals) see(read);
    },
    end(log: LogEnd): void {
      for (const check of checks) check.end?.(log);
    },
  };
}

/** A remark about a record. */
export interface EventRemark {
  readonly code: FindingCode;
  readonly message: string;
  /** The member it is about; absent: the whole record. */
  readonly path?: JsonPath;
  readonly severity?: Severity;
  readonly hint?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** Reports remarks about the records of a log, with their places. */
export class EventReporter {
  readonly #findings: Findings;
  readonly file: string;
  #ifWhole: EventReporter | undefined;
  #places: { readonly start: number; readonly byteStart: number; readonly of: Places } | undefined;

  constructor(findings: Findings, file: string) {
    this.#findings = findings;
    this.file = file;
  }

  /** Reports a remark about the current record. */
  at(logged: LoggedEvent, remark: EventRemark): void {
    const head = { code: remark.code, severity: remark.severity, file: this.file, line: logged.line };
    this.#findings.reportAt(head, () => this.draft(logged, remark));
  }

  /**
   * Reports a remark once for all records that it applies to: at the first of them, after the end of the log.
   * `words` makes the message from the number of records. Remarks with the same key are combined.
   */
  once(
    key: string,
    logged: LoggedEvent,
    remark: Omit<EventRemark, 'message'>,
    words: (count: number) => string | undefined,
  ): void {
    this.#findings.once(key, () => this.draft(logged, { ...remark, message: '' }), words);
  }

  /** Reports a remark once for all records that it applies to, with their number. */
  note(logged: LoggedEvent, remark: EventRemark): void {
    const { message } = remark;
    this.once(message, logged, remark, (count) => (count === 1 ? message : `${message} (${count} records)`));
  }

  /** Makes a finding about the current record, to be reported later. */
  draft({ record, id }: LoggedEvent, remark: EventRemark): FindingDraft {
    const { path = [], ...rest } = remark;
    // Not a spread followed by members: V8 would make a new shape for each of a million findings.
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

  /** Reports about an earlier line. The details are only computed if the finding may be kept. */
  where(line: number, code: FindingCode, rest: () => FindingDraft): void {
    this.#findings.reportAt({ code, file: this.file, line }, rest);
  }

  /** Reports a remark about an earlier record if only its line is known. */
  onLine(line: number, eventId: string | undefined, remark: Omit<EventRemark, 'path'>): void {
    this.report({ ...remark, file: this.file, line, ...(eventId !== undefined && { eventId }) });
  }

  /**
   * A reporter for findings that a corrupt line could explain. They only count if the log turns out to be
   * intact.
   */
  get ifWhole(): EventReporter {
    this.#ifWhole ??= new EventReporter(this.#findings.ifWhole, this.file);
    return this.#ifWhole;
  }

  /**
   * A reporter for findings that become certain later, for another reason than {@link ifWhole}. Pass it to
   * {@link confirm} then, or drop it.
   */
  later(): EventReporter {
    return new EventReporter(this.#findings.later(), this.file);
  }

  /** Reports everything that was held back. */
  confirm(held: EventReporter): void {
    this.#findings.takeIn(held.#findings);
  }

  /** The number of findings kept per code and severity. There is no need to remember more places. */
  get limit(): number {
    return this.#findings.limit;
  }

  /** Cached, because a record may have thousands of remarks. */
  #placesIn(record: LogRecord): Places {
    const { start, byteStart } = record;
    if (this.#places?.start !== start || this.#places.byteStart !== byteStart)
      this.#places = { start, byteStart, of: placesInRecord(record) };
    return this.#places.of;
  }
}

/** A check that reports about the records of one log. */
export abstract class ReportingCheck {
  protected readonly report: EventReporter;

  constructor(report: EventReporter) {
    this.report = report;
  }
}
