import { type LoggedEvent, ReportingCheck } from '../../../../findings/check.ts';
import type { Severity } from '../../../../findings/severity.ts';
import type { Row } from '../../../../log/row.ts';
import { reportEnvelope, reportUnknownType } from '../../kit/envelope.ts';
import { COLUMN, SAID } from '../rows.ts';
import { schemaOf } from '../schema.ts';
import { IS_CHAIN, KNOWN_TYPES } from '../vocabulary.ts';

/** Members that are needed to understand a record. The program skips records without them (claude-code.md §9). */
const MISSING: Readonly<Record<string, Severity>> = { type: 'error', message: 'error', uuid: 'warn' };

/**
 * Checks the envelope of records that the tables reject. Vendors may change their formats, so most faults are only info.
 */
export class EnvelopeCheck extends ReportingCheck {
  refused(logged: LoggedEvent): void {
    const { type } = logged.event;
    reportEnvelope(this.report, logged, schemaOf(type, IS_CHAIN.has(type)), (path) =>
      path.length === 1 ? (MISSING[String(path[0])] ?? 'info') : 'info',
    );
    if (typeof type === 'string' && !KNOWN_TYPES.has(type)) reportUnknownType(this.report, logged, type);
  }
}

/** Whether a message has no content, or one text without characters. */
const isEmpty = (row: Row): boolean =>
  row.isText(COLUMN.content, '') ||
  (row.text(COLUMN.kind) === 'text' && row.kind(COLUMN.second) === undefined && row.isText(COLUMN.text, ''));

/** Notes a session whose texts were removed. */
export class ContentCheck extends ReportingCheck {
  readonly types = SAID;
  #count = 0;
  readonly #empty: number[] = [];

  row(row: Row): void {
    this.#count += 1;
    if (isEmpty(row)) this.#empty.push(row.line);
  }

  end(): void {
    const [first, ...more] = this.#empty;
    if (first === undefined || 2 * this.#empty.length <= this.#count || more.length === 0) return;
    const message = `${this.#empty.length} of ${this.#count} messages are empty: their texts were removed`;
    this.report.onLine(first, undefined, { code: 'session/no-contents', message });
  }
}
