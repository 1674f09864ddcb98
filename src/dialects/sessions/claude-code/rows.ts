import { field, type LogRecord } from '../../../log/record.ts';
import { layoutOf } from '../../../log/row-layout.ts';
import { NEVER } from '../../../log/schema/shape.ts';
import { shapeOf } from '../../../log/schema/zod-shape.ts';
import { schemaOf } from './schema.ts';
import { CHAIN_TYPES, IS_CHAIN, KNOWN_TYPES } from './vocabulary.ts';

/** The columns for checks. They are members of the first block, because nearly every message has one block. */
const COLUMNS = {
  type: ['type', 'word'],
  timestamp: ['timestamp', 'time'],
  uuid: ['uuid', 'id'],
  parent: ['parentUuid', 'id'],
  session: ['sessionId', 'word'],
  aside: 'isSidechain',
  answer: ['message.id', 'id'],
  request: ['requestId', 'id'],
  usage: 'message.usage',
  model: ['message.model', 'word'],
  content: 'message.content',
  kind: ['message.content.0.type', 'word'],
  text: 'message.content.0.text',
  call: ['message.content.0.id', 'id'],
  tool: ['message.content.0.name', 'word'],
  answered: ['message.content.0.tool_use_id', 'id'],
  failed: 'message.content.0.is_error',
  given: 'message.content.0.content',
  second: 'message.content.1',
  outcome: 'toolUseResult',
  agent: ['toolUseResult.agentId', 'word'],
  output: 'toolUseResult.stdout',
  agentTokens: 'toolUseResult.totalTokens',
  summarized: 'toolUseResult.tokenSaverOutput',
} as const;

const UUID = field('uuid');

/** The build replaces this with the table of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_CLAUDE: string | undefined;

const TYPES = [...KNOWN_TYPES] as readonly string[];

/** How verification reads records. It rejects unknown types, so that they are reported. */
export const LAYOUT = {
  ...layoutOf(
    'type',
    COLUMNS,
    TYPES.map((type) => [type, () => [shapeOf(schemaOf(type, IS_CHAIN.has(type)))]] as const),
    () => [NEVER],
    /* v8 ignore next -- only the build puts it in place */
    typeof NOESIS_TABLE_CLAUDE === 'string' ? NOESIS_TABLE_CLAUDE : undefined,
  ),
  idOf: (record: LogRecord) => record.string(UUID),
};

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;

/** The numbers of types that have a parent. */
export const CHAIN: ReadonlySet<number> = new Set(CHAIN_TYPES.map((type) => TYPES.indexOf(type)));

/** The numbers of the types of messages. */
export const SAID: ReadonlySet<number> = new Set(['user', 'assistant'].map((type) => TYPES.indexOf(type)));
