import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import type { Severity } from '../../../findings/severity.ts';
import { schemaOf } from '../schema.ts';
import { IS_CHAIN, KNOWN_TYPES } from '../vocabulary.ts';

/** What a record cannot be understood without; the program's own readers pass over the rest (claude-code.md §9). */
const MISSING: Readonly<Record<string, Severity>> = { type: 'error', message: 'error', uuid: 'warn' };

/** The envelope of each record. What the vendor may change is never more than info. */
export class EnvelopeCheck implements EventCheck {
  readonly #report: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { event } = logged;
    const { type } = event;
    for (const issue of schemaIssues(schemaOf(type, IS_CHAIN.has(type)), event)) {
      const { path, missing, expected, actual, message } = issue;
      const [key] = path;
      const isTime = key === 'timestamp' && !missing;
      this.#report.at(logged, {
        code: isTime ? 'event/timestamp' : missing ? 'event/missing-field' : 'event/wrong-type',
        severity: isTime ? 'error' : missing && path.length === 1 ? (MISSING[String(key)] ?? 'info') : 'info',
        message: isTime ? `${JSON.stringify(event['timestamp'])} is no ISO 8601 time` : message,
        path,
        expected,
        ...(!missing && !isTime && { actual }),
      });
    }
    if (typeof type === 'string' && !KNOWN_TYPES.has(type))
      this.#report.at(logged, {
        code: 'event/unknown-type',
        message: `\`${type}\` is no type that is known here: a newer version may have written it`,
        path: ['type'],
      });
  }
}
