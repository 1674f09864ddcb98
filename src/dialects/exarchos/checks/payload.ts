import { isObject } from '../../../base/json/value.ts';
import { type EventReporter, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { inKnownVersion, type Registered } from '../registered.ts';
import { isKnownDeviation, strictPayload } from '../schema/payloads.ts';

/**
 * Checks payloads against the schema of their type (exarchos.md §7.2). Most ways of appending do not check them, so
 * faults are common and only warnings. Forms that some version of the program writes are accepted (§7.3, §7.4).
 */
export class PayloadCheck extends ReportingCheck {
  readonly #registered: Registered;

  constructor(report: EventReporter, registered: Registered) {
    super(report);
    this.#registered = registered;
  }

  refused(logged: LoggedEvent): void {
    // An unknown version was reported, and its payload may have any form.
    const { type, data } = inKnownVersion(logged.event, this.#registered) ?? {};
    if (typeof type !== 'string' || !isObject(data)) return;
    const schema = strictPayload(type);
    if (schema === undefined || schema.safeParse(data).success || isKnownDeviation(type, data)) return;
    for (const { path, message, expected, actual, missing } of schemaIssues(schema, data, ['data'])) {
      this.report.at(logged, {
        code: 'event/payload',
        severity: 'warn',
        message: `${message}, which the schema of ${type} requires`,
        path,
        expected,
        ...(!missing && { actual: actual.slice(0, 200) }),
      });
    }
  }
}
