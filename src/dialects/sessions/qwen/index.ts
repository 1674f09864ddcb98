import { basename, dirname, join } from 'node:path';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import type { Dialect } from '../../dialect.ts';
import { hasTexts, objectIn } from '../../kit/members.ts';
import { foldersOf } from '../../kit/program-folder.ts';
import { defineSession } from '../kit/define.ts';
import { projectSlug } from '../kit/project-slug.ts';
import { READING, typeOf } from './records.ts';

const TYPES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool_result', 'system']);

/** Claude Code has the same envelope, but its messages have `content` and the role `assistant` (qwen.md §2). */
function isRecord(event: JsonObject): boolean {
  const { role, parts, content } = objectIn(event, 'message');
  const isMessage = Array.isArray(parts) && content === undefined && role !== 'assistant';
  return (
    hasTexts(event, 'uuid', 'sessionId', 'version') &&
    'parentUuid' in event &&
    TYPES.has(event['type']) &&
    (isMessage || (event['type'] === 'system' && isObject(event['systemPayload'])))
  );
}

/** The id of a session, which is the name of its file. */
const sessionIn = (fileName: string): string | undefined =>
  /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl$/i.exec(fileName)?.[1];

const sessionInName = (log: string): string | undefined => sessionIn(basename(log));

/** The id by which the program finds a session: the name of a file directly below a folder of chats. */
const keptSession = (log: string): string | undefined =>
  basename(dirname(log)) === 'chats' ? sessionInName(log) : undefined;

/** The sessions of Qwen Code: a chain of records in a file (qwen.md). */
export const qwen: Dialect = defineSession({
  title: 'Qwen Code session',
  isSession: (records) => records.some(isRecord),
  sessionIn,
  homes: foldersOf({ usual: '.qwen', below: 'projects' }),
  typeOf,
  ...READING,
  rules: async () => (await import('./rules.ts')).RULES,
  resume: {
    command: (id) => `qwen --resume ${id}`,
    needsFolder: true,
    byName: { form: '<session id>.jsonl', idIn: sessionInName },
    places: {
      has: (log, cwd) =>
        keptSession(log) !== undefined &&
        (cwd === undefined || basename(dirname(dirname(log))) === projectSlug(cwd)),
      of: ([home], { id, cwd }) =>
        home && cwd ? join(home, projectSlug(cwd), 'chats', `${id}.jsonl`) : undefined,
    },
    idOf: keptSession,
  },
  loading: async () => (await import('./loading.ts')).qwenLoading,
  repair: async () => (await import('./repair.ts')).qwenRepair,
});
