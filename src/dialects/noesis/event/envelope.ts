import { textOf, ticked } from '../../../base/json/write.ts';
import { type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import { type SchemaIssue, schemaIssues } from '../../../findings/schema-issues.ts';
import { eventSchema, expectedSchema, runtimeEventSchema } from './schema.ts';
import { isOneOf, PHASES } from './vocabulary.ts';

/** Phases in which older runtimes wrote no ids. */
const WITHOUT_ID = new Set<unknown>(['insight', 'memory']);

/** An empty id, and an empty or null event type, count as missing. */
function codeOf({ path, rule, missing, actual }: SchemaIssue): FindingCode {
  const isEmpty = rule === 'range' || (path[0] === 'event_type' && actual === 'null');
  if (missing || isEmpty) return 'event/missing-field';
  return rule === 'words' ? 'event/vocabulary' : 'event/wrong-type';
}

/** Checks the envelope of each event (noesis.md §2.1). */
export class EnvelopeCheck extends ReportingCheck {
  refused(logged: LoggedEvent): void {
    const { event } = logged;
    const { phase } = event;
    for (const issue of schemaIssues(phase === 'runtime' ? runtimeEventSchema : eventSchema, event))
      this.#reportIssue(logged, issue);
    for (const { path } of schemaIssues(expectedSchema, event)) {
      const key = String(path[0]);
      const message = `${key} is missing: it is optional, but every runtime writes it`;
      this.report.note(logged, { code: 'event/missing-field', severity: 'info', message, path: [key] });
    }
    if (typeof phase === 'string' && phase !== '' && !isOneOf(PHASES, phase)) {
      const message = `${ticked(phase)} is not one of the ${PHASES.length} known phases: it counts as an extension`;
      this.report.at(logged, { code: 'event/unknown-phase', message, path: ['phase'] });
    }
  }

  #reportIssue(logged: LoggedEvent, issue: SchemaIssue): void {
    const { path, missing, message, expected, actual } = issue;
    const { phase } = logged.event;
    const older = missing && path[0] === 'id' && WITHOUT_ID.has(phase);
    this.report.at(logged, {
      code: codeOf(issue),
      message: older ? `${message}, as older runtimes wrote ${textOf(phase)} events` : message,
      path,
      expected,
      ...(!missing && { actual }),
      ...(older && { severity: 'warn' }),
    });
  }
}
