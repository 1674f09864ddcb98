import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { allOf, type Check, type EventCheck, type LogEnd, type LoggedEvent } from '../../findings/check.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import { eventBehind } from '../../log/row-event.ts';
import { layoutOf } from '../../log/row-layout.ts';
import { ANY, at, either, NEVER, type Shape } from '../../log/schema/shape.ts';
import { shapeOf } from '../../log/schema/zod-shape.ts';
import { SCHEMA_VERSION } from './event-types.ts';
import { eventIdOf, type StreamNamer } from './identity.ts';
import { eventSchema } from './schema/event.ts';
import { knownForms, observedPayload, PAYLOADS, strictPayload } from './schema/payloads.ts';

/** The members that checks or the projection read. */
const COLUMNS = {
  type: ['type', 'word'],
  streamId: ['streamId', 'word'],
  sequence: ['sequence', 'number'],
  timestamp: 'timestamp',
  schemaVersion: ['schemaVersion', 'word'],
  correlationId: 'correlationId',
  causationId: 'causationId',
  agentId: ['agentId', 'word'],
  agentRole: ['agentRole', 'word'],
  tenantId: ['tenantId', 'word'],
  organizationId: ['organizationId', 'word'],
  source: ['source', 'word'],
  idempotencyKey: ['idempotencyKey', 'id'],
  data: 'data',
  taskId: ['data.taskId', 'id'],
  claimant: ['data.agentId', 'word'],
  others: ['', 'others'],
} as const;

/** The shape of a type's payload. */
function payloadShape(type: string): Shape {
  const schema = strictPayload(type) ?? observedPayload(type);
  return schema === undefined ? ANY : either([schema, ...knownForms(type)].map(shapeOf));
}

/** The build replaces this with the table of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_EXARCHOS: string | undefined;

/** How verification reads records. It rejects types that are not built in, so that they are checked. */
export const LAYOUT = layoutOf(
  'type',
  COLUMNS,
  Object.keys(PAYLOADS).map(
    (type) => [type, () => [shapeOf(eventSchema), at(['data'], payloadShape(type))]] as const,
  ),
  () => [NEVER],
  /* v8 ignore next -- only the build puts it in place */
  typeof NOESIS_TABLE_EXARCHOS === 'string' ? NOESIS_TABLE_EXARCHOS : undefined,
);

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;

/** Whether the columns contain the whole record except its payload. */
const isPlain = (row: Row): boolean =>
  row.isAccepted &&
  !row.record.mayRound &&
  !row.hasOthers(COLUMN.others) &&
  row.text(COLUMN.schemaVersion) === SCHEMA_VERSION;

/** An event of a stream, for the checks. */
export interface StreamEvent extends LoggedEvent {
  readonly row: Row;
  /** The stream that it belongs to. */
  readonly stream: string;
  /** Returns the payload, also after the record has passed. */
  readonly payload: () => JsonValue | undefined;
}

/** Makes its id from stream and number on demand. */
class RowEvent implements StreamEvent {
  readonly event: JsonObject;
  readonly line: number;
  readonly row: Row;
  readonly stream: string;
  readonly #isPlain: boolean;

  constructor(row: Row, event: JsonObject | undefined, streamOf: StreamNamer) {
    this.row = row;
    this.#isPlain = event !== undefined;
    this.event = event ?? row.record.comparable;
    this.stream = streamOf(this.event);
    this.line = row.line;
  }

  get record(): LogRecord {
    return this.row.record;
  }

  get id(): string | undefined {
    return eventIdOf(this.event);
  }

  get payload(): () => JsonValue | undefined {
    if (this.#isPlain && this.row.kind(COLUMN.data) !== undefined) {
      const text = this.row.stored(COLUMN.data);
      return () => JSON.parse(text) as JsonValue;
    }
    const { data } = this.event;
    return () => data;
  }
}

/** Passes records to checks as events of streams. Values come from columns where possible. */
export class EventChecks implements EventCheck {
  readonly #checks: ReturnType<typeof allOf<StreamEvent>>;
  readonly #streamOf: StreamNamer;
  #plain: JsonObject | undefined;

  constructor(streamOf: StreamNamer, checks: readonly Check<StreamEvent>[]) {
    this.#streamOf = streamOf;
    this.#checks = allOf(checks);
  }

  row(row: Row): void {
    this.#plain ??= eventBehind(row);
    const logged = new RowEvent(row, isPlain(row) ? this.#plain : undefined, this.#streamOf);
    if (!row.isAccepted) this.#checks.refused(logged);
    this.#checks.row(logged);
  }

  end(log: LogEnd): void {
    this.#checks.end(log);
  }
}
