import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { isObject } from '../../../json/value.ts';
import type { LedgerEvent } from '../loose.ts';
import { payloadSchemaOf, SCORE_RANGE } from '../schema/payloads.ts';
import type { RunCheck } from './ledger-check.ts';

/** The payloads the documents describe (fishbowl.md §6). Any other kind may hold any object. */
export class PayloadCheck implements RunCheck {
  readonly #report: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent, { kind, payload }: LedgerEvent): void {
    const schema = payloadSchemaOf(kind);
    if (schema === undefined) return;
    for (const { path, missing, message, expected, actual } of schemaIssues(schema, payload, ['payload'])) {
      this.#report.at(logged, {
        code: missing ? 'event/payload' : 'event/field-type',
        severity: 'warn',
        message: missing ? `${message}: the engine cannot put this ${kind} on stage` : message,
        path,
        expected,
        ...(!missing && { actual }),
      });
    }
    if (kind === 'judge.verdict' && isObject(payload['scores'])) this.#scores(logged, payload['scores']);
  }

  #scores(logged: LoggedEvent, scores: Readonly<Record<string, unknown>>): void {
    const { min, max } = SCORE_RANGE;
    for (const [name, score] of Object.entries(scores)) {
      if (typeof score !== 'number' || (score >= min && score <= max)) continue;
      this.#report.at(logged, {
        code: 'event/range',
        message: `the score of ${name} is ${score}; scores go from ${min} to ${max}`,
        path: ['payload', 'scores', name],
        expected: `${min} to ${max}`,
        actual: String(score),
      });
    }
  }
}
