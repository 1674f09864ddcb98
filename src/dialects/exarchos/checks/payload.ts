import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { type EventReporter, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { type Doubt, reportDoubts } from '../../kit/rules.ts';
import { inKnownVersion, type Registered } from '../registered.ts';
import { isKnownDeviation, observedPayload, strictPayload } from '../schema/payloads.ts';

/**
 * What is wrong with the payload of an event (exarchos.md §7.2). Most ways of appending do not check payloads, so faults are
 * common and only warnings; of a type without a schema in the store they are infos. Forms that some version of the
 * program writes are accepted (§7.3, §7.4).
 */
export function payloadDoubts(event: JsonObject, registered: Registered): readonly Doubt[] {
  // An unknown version is reported, and its payload may have any form.
  const { type, data } = inKnownVersion(event, registered) ?? {};
  if (typeof type !== 'string' || !isObject(data)) return [];
  const strict = strictPayload(type);
  const schema = strict ?? observedPayload(type);
  if (schema === undefined || schema.safeParse(data).success || isKnownDeviation(type, data)) return [];
  return schemaIssues(schema, data, ['data']).map(({ path, message, expected, actual, missing }) => ({
    code: 'event/payload',
    severity: strict === undefined ? 'info' : 'warn',
    message: `${message}, which ${strict === undefined ? `events of ${type} have` : `the schema of ${type} requires`}`,
    path,
    expected,
    ...(!missing && { actual: actual.slice(0, 200) }),
  }));
}

/** Checks payloads. */
export class PayloadCheck extends ReportingCheck {
  readonly #registered: Registered;

  constructor(report: EventReporter, registered: Registered) {
    super(report);
    this.#registered = registered;
  }

  refused(logged: LoggedEvent): void {
    reportDoubts(this.report, logged, payloadDoubts(logged.event, this.#registered));
  }
}
