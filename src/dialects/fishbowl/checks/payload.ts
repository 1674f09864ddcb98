import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { valueAt } from '../../../json/path.ts';
import type { CheckedEvent } from '../read.ts';
import { payloadSchemaOf } from '../schema/payloads.ts';
import type { RunCheck } from './ledger-check.ts';

/** The payloads the documents describe (fishbowl.md §6). Any other kind may hold any object. */
export class PayloadCheck implements RunCheck {
  readonly #report: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  refused(logged: LoggedEvent, { kind, payload }: CheckedEvent): void {
    const schema = payloadSchemaOf(kind);
    if (schema === undefined) return;
    for (const { path, missing, message, expected, actual } of schemaIssues(schema, payload, ['payload'])) {
      const value = valueAt(logged.event, path);
      const isScore = kind === 'judge.verdict' && path[1] === 'scores' && typeof value === 'number';
      this.#report.at(logged, {
        code: isScore ? 'event/range' : missing ? 'event/payload' : 'event/field-type',
        severity: 'warn',
        message: isScore
          ? `the score of ${String(path[2])} is ${value}; scores go from 0 to 10`
          : missing
            ? `${message}: the engine cannot put this ${kind} on stage`
            : message,
        path,
        expected,
        ...(!missing && { actual: isScore ? String(value) : actual }),
      });
    }
  }
}
