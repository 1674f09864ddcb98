import { type LoggedEvent, ReportingCheck } from '../../../../findings/check.ts';
import type { Severity } from '../../../../findings/severity.ts';
import { reportEnvelope, reportUnknownType } from '../../kit/envelope.ts';
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
