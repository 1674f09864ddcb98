import { field, type LogRecord } from '../../../log/record.ts';
import { layoutOf } from '../../../log/row-layout.ts';
import { NEVER } from '../../../log/schema/shape.ts';
import { shapeOf } from '../../../log/schema/zod-shape.ts';
import { eventSchema } from './schema.ts';
import { STORED_TYPES } from './vocabulary.ts';

/** The columns for checks. */
const COLUMNS = {
  type: ['type', 'word'],
  id: ['id', 'id'],
  timestamp: ['timestamp', 'time'],
  parentId: ['parentId', 'id'],
  agent: ['agentId', 'word'],
  data: 'data',
  info: ['data.infoType', 'word'],
  request: 'data.requestId',
  hook: 'data.hookInvocationId',
  call: 'data.toolCallId',
  tool: ['data.toolName', 'word'],
  requests: 'data.toolRequests',
  count: ['data.eventCount', 'number'],
  size: ['data.eventsFileSizeBytes', 'number'],
} as const;

const ID = field('id');

/** The build replaces this with the table of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_COPILOT: string | undefined;

/** How verification reads records. It rejects types that are not known to be stored, so that they are reported. */
export const LAYOUT = {
  ...layoutOf(
    'type',
    COLUMNS,
    STORED_TYPES.map((type) => [type, () => [shapeOf(eventSchema)]] as const),
    () => [NEVER],
    /* v8 ignore next -- only the build puts it in place */
    typeof NOESIS_TABLE_COPILOT === 'string' ? NOESIS_TABLE_COPILOT : undefined,
  ),
  idOf: (record: LogRecord) => record.string(ID),
};

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;
