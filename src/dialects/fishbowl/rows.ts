import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Row } from '../../log/row.ts';
import { layoutOf } from '../../log/row-layout.ts';
import { at } from '../../log/schema/shape.ts';
import { shapeOf } from '../../log/schema/zod-shape.ts';
import type { LedgerEvent } from './read.ts';
import { eventSchema } from './schema/event.ts';
import { payloadSchemas } from './schema/payloads.ts';

/** All members of an event, and the one that a check reads in every payload. */
const COLUMNS = {
  id: ['id', 'id'],
  run_id: ['run_id', 'word'],
  turn: ['turn', 'number'],
  kind: ['kind', 'word'],
  actor: ['actor', 'word'],
  payload: 'payload',
  salvaged: 'payload._raw_fallback',
  created_at: ['created_at', 'time'],
  schema_version: ['schema_version', 'number'],
  session_id: ['session_id', 'word'],
  model_profile: ['model_profile', 'word'],
  model_id: ['model_id', 'word'],
} as const;

/** The build replaces this with the table of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_FISHBOWL: string | undefined;

/** How verification reads records. An undocumented kind may have any payload. */
export const LAYOUT = layoutOf(
  'kind',
  COLUMNS,
  Object.entries(payloadSchemas).map(
    ([kind, schema]) => [kind, () => [shapeOf(eventSchema), at(['payload'], shapeOf(schema))]] as const,
  ),
  () => [shapeOf(eventSchema)],
  /* v8 ignore next -- only the build puts it in place */
  typeof NOESIS_TABLE_FISHBOWL === 'string' ? NOESIS_TABLE_FISHBOWL : undefined,
);

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;

/** Earlier times are parsed as text, because the engine has other rules for short years. */
const EARLIEST = Date.UTC(1000, 0);

/** An accepted record in the known version. One object serves all records, so it is only valid until the next. */
export class RowEvent implements LedgerEvent {
  runId = '';
  kind = '';
  actor = '';
  turn = 0;
  instant: number | undefined;
  sessionId: string | null = null;
  readonly #row: Row;

  constructor(row: Row) {
    this.#row = row;
  }

  /** Moves to the next record. Reads the members that every rule needs. */
  next(): this {
    const row = this.#row;
    this.runId = row.text(COLUMN.run_id) as string;
    this.kind = row.text(COLUMN.kind) as string;
    this.actor = row.text(COLUMN.actor) as string;
    this.turn = row.number(COLUMN.turn);
    this.sessionId = row.text(COLUMN.session_id) ?? null;
    const instant = row.time(COLUMN.created_at);
    this.instant = instant >= EARLIEST ? instant : undefined;
    return this;
  }

  get payload(): JsonObject {
    return this.#row.value(COLUMN.payload) as JsonObject;
  }

  get createdAt(): JsonValue | undefined {
    return this.#row.text(COLUMN.created_at);
  }
}
