import type { JsonObject } from '../../../base/json/value.ts';
import type { Row } from '../../../log/row.ts';
import { columnsBehind } from '../../../log/row-event.ts';
import { layoutOf } from '../../../log/row-layout.ts';
import { NEVER } from '../../../log/schema/shape.ts';
import { shapeOf } from '../../../log/schema/zod-shape.ts';
import { lineSchema } from './schema.ts';
import { idOf } from './view.ts';
import { LINE_TYPES } from './vocabulary.ts';

/** The columns for checks. */
const COLUMNS = {
  type: ['type', 'word'],
  timestamp: ['timestamp', 'time'],
  ordinal: ['ordinal', 'number'],
  payload: 'payload',
  kind: ['payload.type', 'word'],
  id: 'payload.id',
  history: ['payload.history_mode', 'word'],
  role: ['payload.role', 'word'],
  call: 'payload.call_id',
  name: ['payload.name', 'word'],
  given: 'payload.arguments',
  input: 'payload.input',
  result: 'payload.output',
  item: ['payload.item.type', 'word'],
  itemId: 'payload.item.id',
  script: 'payload.item.command.2',
  afterScript: 'payload.item.command.3',
  exitCode: ['payload.item.exit_code', 'number'],
  output: 'payload.item.aggregated_output',
  folder: 'payload.item.cwd',
  status: ['payload.item.status', 'word'],
  turn: ['payload.turn_id', 'word'],
  passed: 'payload.internal_chat_message_metadata_passthrough',
  passedTurn: ['payload.internal_chat_message_metadata_passthrough.turn_id', 'word'],
  info: 'payload.info',
  usage: 'payload.info.total_token_usage',
  tokens: ['payload.info.total_token_usage.total_tokens', 'number'],
} as const;

/** The build replaces this with the table of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_CODEX: string | undefined;

/** How verification reads records. It rejects unknown types, so that they are reported. */
export const LAYOUT = {
  ...layoutOf(
    'type',
    COLUMNS,
    LINE_TYPES.map((type) => [type, () => [shapeOf(lineSchema)]] as const),
    () => [NEVER],
    /* v8 ignore next -- only the build puts it in place */
    typeof NOESIS_TABLE_CODEX === 'string' ? NOESIS_TABLE_CODEX : undefined,
  ),
  idOf,
};

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;

/** What the checks need of a record: its columns; all of it in the old form without an envelope. */
export const eventIn = (row: Row): JsonObject =>
  row.kind(COLUMN.payload) === 'object' ? columnsBehind(row) : row.event;
