import type { Role } from '../../kit/role.ts';

/** The kinds of records in the session of any coding agent, with the role of those that are part of the conversation. */
const KINDS = {
  prompt: 'user',
  answer: 'assistant',
  thinking: 'assistant',
  call: 'assistant',
  result: 'tool',
  turn: undefined,
  usage: undefined,
  hook: undefined,
  double: undefined,
  meta: undefined,
} as const satisfies Readonly<Record<string, Role | undefined>>;

/** What a record of a session is, as tables print it and `--phase` selects it. src/dialects/output-words.ts explains each word. */
export type RecordKind = keyof typeof KINDS;

/** The width of a column of kinds. */
export const KIND_WIDTH = Math.max(...Object.keys(KINDS).map(({ length }) => length));

/** The role of a record by its kind; undefined for a record that is not part of the conversation. */
export const roleOfKind = (kind: RecordKind): Role | undefined => KINDS[kind];
