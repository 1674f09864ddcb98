import { named, ticked } from '../../../base/json/write.ts';
import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import type { Severity } from '../../../findings/severity.ts';
import { field } from '../../../log/record.ts';
import type { Row } from '../../../log/row.ts';

type Schema = Parameters<typeof schemaIssues>[0];
type Path = ReturnType<typeof schemaIssues>[number]['path'];

/**
 * Reports where the record of a session does not fit its schema. Vendors may change their formats, so most
 * faults are only info. `missing`: the severity of a missing member.
 */
export function reportEnvelope(
  report: EventReporter,
  logged: LoggedEvent,
  schema: Schema,
  missing: (path: Path) => Severity,
  wrongType: Severity = 'info',
  timeMember = 'timestamp',
): void {
  const { event } = logged;
  for (const { path, missing: isMissing, expected, actual, message } of schemaIssues(schema, event)) {
    const isTime = path.join('.') === timeMember && !isMissing;
    report.at(logged, {
      code: isTime ? 'event/timestamp' : isMissing ? 'event/missing-field' : 'event/wrong-type',
      severity: isTime ? 'error' : isMissing ? missing(path) : wrongType,
      message:
        isTime && timeMember === 'timestamp'
          ? `${JSON.stringify(event['timestamp'])} is not an ISO 8601 time`
          : message,
      path,
      expected,
      ...(!isMissing && !isTime && { actual }),
    });
  }
}

/** Reports an unknown type of record. */
export function reportUnknownType(report: EventReporter, logged: LoggedEvent, type: string): void {
  report.at(logged, {
    code: 'event/unknown-type',
    message: `${ticked(type)} is not a known type: a newer version may have written it`,
    path: ['type'],
  });
}

const TYPE = field('type');

/** A check of the first record of a type. */
export function firstOf(type: string, check: (logged: LoggedEvent) => void): EventCheck {
  let isSeen = false;
  return {
    row(row) {
      if (isSeen || row.record.string(TYPE) !== type) return;
      isSeen = true;
      check(row);
    },
  };
}

/** Checks times in logs whose program writes them in order. */
export class TimeOrder {
  #before: { readonly instant: number; readonly line: number } | undefined;

  /** `instant`: the time of the record, or NaN. */
  add(report: EventReporter, row: Row, instant: number, severity?: Severity): void {
    if (Number.isNaN(instant)) return;
    const before = this.#before;
    this.#before = { instant, line: row.line };
    if (before === undefined || instant >= before.instant) return;
    report.at(row, {
      code: 'event/time-order',
      ...(severity && { severity }),
      message: `the record is stamped earlier than the one on line ${before.line}`,
      path: ['timestamp'],
    });
  }
}

/** Compares the id in the name of a log with the one in its records. `what`: what the id identifies. */
export function reportFileName(
  report: EventReporter,
  what: string,
  { inName, inLog }: { readonly inName: string | undefined; readonly inLog: string | undefined },
): void {
  if (inName === undefined || inLog === undefined) return;
  // Some names have only the beginning of an id.
  if (inLog.toLowerCase().startsWith(inName.toLowerCase())) return;
  report.report({
    code: 'session/file-name',
    message: `the records belong to the ${what} ${named(inLog)}`,
    file: report.file,
    expected: inLog,
    actual: inName,
  });
}

/** Checks that all records of a log belong to one session, and to the session in the name of the log. */
export class OneSession {
  readonly #report: EventReporter;
  readonly #inName: string | undefined;
  #first: string | undefined;
  #isMixed = false;

  constructor(report: EventReporter, inName: string | undefined) {
    this.#report = report;
    this.#inName = inName;
  }

  /** `member`: the name of the member with the id, if every record has it. */
  add(logged: LoggedEvent, id: unknown, member: string | undefined): void {
    if (typeof id !== 'string') return;
    this.#first ??= id;
    if (id === this.#first || this.#isMixed || member === undefined) return;
    this.#isMixed = true;
    const message = `this record belongs to the session ${named(id)}, but the records before it to ${named(this.#first)}`;
    this.#report.at(logged, { code: 'session/mixed', message, path: member.split('.') });
  }

  end(): void {
    reportFileName(this.#report, 'session', { inName: this.#inName, inLog: this.#first });
  }
}
