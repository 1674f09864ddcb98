import { field, type LogRecord } from '../../log/record.ts';
import { layoutOf } from '../../log/row-layout.ts';
import { NEVER } from '../../schema/shape.ts';
import { shapeOf } from '../../schema/zod-shape.ts';
import { schemaOf } from './schema.ts';
import { CHAIN_TYPES, IS_CHAIN, KNOWN_TYPES } from './vocabulary.ts';

/** What the checks read of a record. Nearly every message has one block, of which these are the columns. */
const COLUMNS = {
  type: ['type', 'word'],
  uuid: ['uuid', 'id'],
  parent: ['parentUuid', 'id'],
  session: ['sessionId', 'word'],
  isError: 'isApiErrorMessage',
  message: 'message',
  answer: 'message.id',
  model: ['message.model', 'word'],
  content: 'message.content',
  block: 'message.content.0',
  kind: ['message.content.0.type', 'word'],
  call: 'message.content.0.id',
  tool: ['message.content.0.name', 'word'],
  answered: 'message.content.0.tool_use_id',
  second: 'message.content.1',
} as const;

const UUID = field('uuid');

/** Put in place by the build, which makes it of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_CLAUDE: string | undefined;

const TYPES = [...KNOWN_TYPES] as readonly string[];

/** How verification reads the records of a transcript. A type that nobody here has seen is something to say. */
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

/** The numbers of the types whose records hang on one another. */
export const CHAIN: ReadonlySet<number> = new Set(CHAIN_TYPES.map((type) => TYPES.indexOf(type)));
