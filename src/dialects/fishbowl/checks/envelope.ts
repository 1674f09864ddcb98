import type { EventCheck, EventRemark, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { type SchemaIssue, schemaIssues } from '../../../findings/schema-issues.ts';
import type { JsonValue } from '../../../json/value.ts';
import { coerceInteger, coerceTime } from '../schema/coerce.ts';
import { eventSchema, laxEventSchema, unknownKeys } from '../schema/event.ts';
import { SCHEMA_VERSION } from '../vocabulary.ts';

/** What the engine makes up where it is missing, and so hides that it was. */
const FILLED_IN: Readonly<Record<string, string>> = {
  id: 'the engine makes up a new one at each reading',
  created_at: 'the engine takes the time of the reading',
  schema_version: 'the engine takes it for 1',
};

const CODES: Readonly<Record<string, EventRemark['code']>> = {
  kind: 'event/type-format',
  created_at: 'event/timestamp',
};

/** The envelope: what the engine refuses is an error, what it reads into shape a warning (fishbowl.md §1, §11). */
export class EnvelopeCheck implements EventCheck {
  readonly #report: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { event } = logged;
    const version = coerceInteger(event['schema_version']);
    if (version !== undefined && version !== SCHEMA_VERSION) {
      const message = `schema_version is ${version}, and ${SCHEMA_VERSION} is the only one there is: read as that`;
      this.#report.at(logged, {
        code: 'event/schema-version',
        message,
        path: ['schema_version'],
        actual: `${version}`,
      });
    }
  }

  refused(logged: LoggedEvent): void {
    const { event } = logged;
    if (eventSchema.safeParse(event).success) return;
    for (const key of unknownKeys(event)) {
      const message = `\`${key}\` is no member of an event: the engine refuses it`;
      this.#report.at(logged, { code: 'event/unknown-key', message, path: [key] });
    }
    const refused = new Set<unknown>();
    for (const issue of schemaIssues(laxEventSchema, event)) {
      if (issue.path.length === 0) continue;
      refused.add(issue.path[0]);
      this.#refuse(logged, issue);
    }
    for (const { path, missing } of schemaIssues(eventSchema, event)) {
      const [key] = path;
      if (typeof key === 'string' && !refused.has(key)) this.#remark(logged, key, missing);
    }
  }

  #refuse(logged: LoggedEvent, { path, missing, message, expected, actual }: SchemaIssue): void {
    const [key] = path;
    const value = logged.event[String(key)];
    const text = typeof value === 'string' ? value : undefined;
    const code = text === undefined ? undefined : CODES[String(key)];
    this.#report.at(logged, {
      code: missing ? 'event/missing-field' : (code ?? 'event/wrong-type'),
      message:
        code === undefined
          ? message
          : `\`${text}\` is no ${key === 'kind' ? `kind: ${expected}` : 'ISO 8601 time'}`,
      path,
      expected,
      ...(!missing && { actual: text ?? actual }),
    });
  }

  /** Something the engine takes, so that it can be read, and the document does not describe. */
  #remark(logged: LoggedEvent, key: string, missing: boolean): void {
    const value = logged.event[key] as JsonValue;
    const path = [key];
    if (missing) {
      const message = `${key} is missing: ${FILLED_IN[key]}`;
      this.#report.at(logged, { code: 'event/missing-field', severity: 'warn', message, path });
    } else if (key === 'kind') {
      const message =
        'the kind ends in a newline: the engine overlooks it, and no filter by kind finds the event';
      this.#report.at(logged, { code: 'event/type-format', message, path, actual: JSON.stringify(value) });
    } else if (key === 'created_at') {
      const read = coerceTime(value) as string;
      const message = /[+-]\d\d:\d\d$/.test(read)
        ? `created_at is not in UTC (${read}): a database drops the offset`
        : `created_at is not written as a time in UTC; it is read as ${read.endsWith('Z') ? read : `${read}, in UTC`}`;
      this.#report.at(logged, {
        code: 'event/timestamp',
        severity: 'info',
        message,
        path,
        actual: String(value),
      });
    } else {
      const read = coerceInteger(value);
      const message = `${key} is ${JSON.stringify(value)}: the engine reads it as ${read}, and other readers do not`;
      this.#report.at(logged, {
        code: 'event/wrong-type',
        severity: 'warn',
        message,
        path,
        expected: 'an integer',
      });
    }
  }
}
