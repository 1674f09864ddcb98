import type { EventCheck, LogEnd, LoggedEvent } from '../../findings/check.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Row } from '../../log/row.ts';
import { layoutOf } from '../../log/row-layout.ts';
import { ANY, at, either, NEVER, type Shape } from '../../schema/shape.ts';
import { shapeOf } from '../../schema/zod-shape.ts';
import { SCHEMA_VERSION } from './event-types.ts';
import { eventIdOf } from './identity.ts';
import { eventSchema } from './schema/event.ts';
import { knownForms, PAYLOADS, strictPayload } from './schema/payloads.ts';

/** The members of an envelope that a check or the projection reads. */
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
  idempotencyKey: 'idempotencyKey',
  data: 'data',
  others: ['', 'others'],
} as const;

/** A type whose payload no schema checks may hold any. */
function payloadShape(type: string): Shape {
  const schema = strictPayload(type);
  return schema === undefined ? ANY : either([schema, ...knownForms(type)].map(shapeOf));
}

/** How verification reads the records of a log. A type that is not built in is something to say. */
export const LAYOUT = layoutOf(
  'type',
  COLUMNS,
  Object.keys(PAYLOADS).map(
    (type) => [type, [shapeOf(eventSchema), at(['data'], payloadShape(type))]] as const,
  ),
  [NEVER],
);

const COLUMN = LAYOUT.at;

/** The members that are texts. */
const TEXTS = (
  [
    'streamId',
    'timestamp',
    'type',
    'correlationId',
    'causationId',
    'agentId',
    'agentRole',
    'tenantId',
    'organizationId',
    'source',
    'schemaVersion',
    'idempotencyKey',
  ] as const
).map((name) => [name, COLUMN[name]] as const);

/** An event whose payload is parsed once, when it is asked for. */
function withData(row: Row): JsonObject {
  let data: JsonValue | undefined;
  return {
    get data() {
      data ??= row.value(COLUMN.data) ?? null;
      return data;
    },
  };
}

/**
 * A record as the checks and the projection read it. Of an accepted one in the known version only the envelope is made,
 * and its payload is parsed when it is asked for, which must be before the next record.
 */
export function eventOf(row: Row): JsonObject {
  const isPlain =
    row.isAccepted &&
    !row.record.mayRound &&
    !row.hasOthers(COLUMN.others) &&
    row.text(COLUMN.schemaVersion) === SCHEMA_VERSION;
  if (!isPlain) return row.record.comparable;
  const event: JsonObject = row.kind(COLUMN.data) === undefined ? {} : withData(row);
  for (const [name, column] of TEXTS) {
    const text = row.text(column);
    if (text !== undefined) event[name] = text;
  }
  event['sequence'] = row.number(COLUMN.sequence);
  return event;
}

/** Hands records to checks as {@link eventOf} reads them, known by the ids that this dialect gives. */
export class EventChecks implements EventCheck {
  readonly #checks: readonly EventCheck[];

  constructor(checks: readonly EventCheck[]) {
    this.#checks = checks;
  }

  row(row: Row): void {
    const event = eventOf(row);
    const logged: LoggedEvent = { record: row.record, event, line: row.line, id: eventIdOf(event) };
    for (const check of this.#checks) {
      if (!row.isAccepted) check.refused?.(logged);
      check.event?.(logged);
    }
  }

  end(log: LogEnd): void {
    for (const check of this.#checks) check.end?.(log);
  }
}
