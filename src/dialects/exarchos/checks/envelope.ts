import { ticked } from '../../../base/json/write.ts';
import { type EventReporter, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { type SchemaIssue, schemaIssues } from '../../../findings/schema-issues.ts';
import { EVENT_TYPES, FORMER_TYPES, SCHEMA_VERSION, TYPE_NAME } from '../event-types.ts';
import { STREAM_ID } from '../names.ts';
import { inKnownVersion, knowsType, type Registered } from '../registered.ts';
import { eventSchema, readableEventSchema } from '../schema/event.ts';

const JSON_TYPE = 'event/wrong-type';

/** Checks the envelope of each event: its fields, type and version (exarchos.md §3, §7, §8, §19). */
export class EnvelopeCheck extends ReportingCheck {
  readonly #registered: Registered;
  /** The last valid stream id, which the next event usually has too. */
  #lastStreamId: string | undefined;

  constructor(report: EventReporter, registered: Registered) {
    super(report);
    this.#registered = registered;
  }

  refused(logged: LoggedEvent): void {
    if (!eventSchema.safeParse(logged.event).success) this.#explain(logged);
  }

  row(logged: LoggedEvent): void {
    this.#checkType(logged);
    this.#checkVersion(logged);
    this.#checkStreamId(logged);
  }

  /** Reports what the store would refuse. It is an error if readers cannot use the event either. */
  #explain(logged: LoggedEvent): void {
    const unreadable = new Set(
      schemaIssues(readableEventSchema, logged.event).map(({ path }) => String(path[0])),
    );
    for (const issue of schemaIssues(eventSchema, logged.event)) {
      const key = String(issue.path[0]);
      const readable = !unreadable.has(key);
      if (key === 'timestamp' && !issue.missing && typeof logged.event[key] === 'string') {
        this.#checkTime(logged, logged.event[key], readable);
        continue;
      }
      const missing = issue.missing ? 'event/missing-field' : JSON_TYPE;
      this.report.at(logged, {
        code: missing,
        message: explain(issue, logged.event[key]),
        path: issue.path,
        expected: issue.expected,
        ...(!issue.missing && { actual: issue.actual }),
        ...(readable && { severity: 'warn' }),
      });
    }
  }

  #checkTime(logged: LoggedEvent, text: string, readable: boolean): void {
    this.report.at(logged, {
      code: 'event/timestamp',
      message: readable
        ? `${ticked(text)} is not in the form that the store writes: UTC, with a T and a final Z`
        : `${ticked(text)} is not an ISO 8601 time`,
      path: ['timestamp'],
      expected: '2026-03-01T10:42:00.034Z',
      actual: text,
      ...(readable && { severity: 'warn' }),
    });
  }

  #checkType(logged: LoggedEvent): void {
    const { type } = logged.event;
    if (typeof type !== 'string' || type === '' || knowsType(this.#registered, type)) return;
    const at = { path: ['type'], actual: type };
    if (!TYPE_NAME.test(type)) {
      const message = `${ticked(type)} is not a type name: it needs two or more lower-case words joined by dots`;
      this.report.at(logged, { ...at, code: 'event/type-format', message, expected: 'category.name' });
      return;
    }
    const message = FORMER_TYPES.has(type)
      ? `${ticked(type)} is a type of older versions that no longer exists`
      : `${ticked(type)} is not one of the ${EVENT_TYPES.size} built-in types: it is a custom type, or belongs to another version`;
    this.report.at(logged, { ...at, code: 'event/unknown-type', message });
  }

  #checkVersion(logged: LoggedEvent): void {
    const { schemaVersion: version } = logged.event;
    if (typeof version !== 'string' || inKnownVersion(logged.event, this.#registered) !== undefined) return;
    const message = `schemaVersion ${ticked(version)} is unknown; its data is read as ${SCHEMA_VERSION}`;
    const path = ['schemaVersion'];
    this.report.at(logged, {
      code: 'event/schema-version',
      message,
      path,
      expected: SCHEMA_VERSION,
      actual: version,
    });
  }

  #checkStreamId(logged: LoggedEvent): void {
    const { streamId } = logged.event;
    if (typeof streamId !== 'string' || streamId === '' || streamId === this.#lastStreamId) return;
    if (STREAM_ID.test(streamId)) {
      this.#lastStreamId = streamId;
      return;
    }
    const message =
      'streamId has characters that the store refuses; it accepts letters, digits, dots, hyphens and underscores';
    this.report.at(logged, {
      code: JSON_TYPE,
      severity: 'warn',
      message,
      path: ['streamId'],
      actual: streamId,
    });
  }
}

/** The message for an invalid field. It states the length of a long text instead of the text. */
function explain({ path, missing, expected, message }: SchemaIssue, value: unknown): string {
  const name = String(path[0]);
  if (missing && name === 'schemaVersion')
    return 'schemaVersion is missing: the store always writes it, and readers assume 1.0';
  if (value === '') return `${name} is empty`;
  if (typeof value !== 'string' || !/^at (most|least) /.test(expected)) return message;
  return `${name} has ${value.length} characters; the store accepts ${expected}`;
}
