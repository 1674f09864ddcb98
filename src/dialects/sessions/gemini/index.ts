import { basename, dirname } from 'node:path';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import type { Dialect } from '../../dialect.ts';
import { hasTexts, textIn } from '../../kit/members.ts';
import { foldersOf } from '../../kit/program-folder.ts';
import { recordsOfList } from '../../kit/records-of-list.ts';
import { defineSession } from '../kit/define.ts';
import { isOfFolder, namedFolder } from './named-folder.ts';
import { placeOfSession, projectOf } from './place.ts';
import { ANSWERS, KEYS, READING, typeOf } from './records.ts';

const isHeader = (event: JsonObject): boolean =>
  hasTexts(event, 'sessionId', 'projectHash', 'startTime') && !('uuid' in event) && !('type' in event);

/** Whether a record shows the format if the head is lost: a change or an answer (gemini.md §2). */
function isRecord(event: JsonObject): boolean {
  const { $set: set, $rewindTo: to, type } = event;
  if (Object.keys(event).length === 1)
    return typeof to === 'string' || (isObject(set) && ['messages', ...KEYS].some((key) => key in set));
  return 'content' in event && hasTexts(event, 'id', 'timestamp', 'model') && ANSWERS.has(type);
}

/** The first digits of the id of a session, in the name of its file. */
const sessionIn = (fileName: string): string | undefined =>
  /^session-[\d-]{10}T[\d-]{5}-([\da-f]{8})\.jsonl?$/i.exec(fileName)?.[1];

const isInChats = (log: string): boolean => basename(dirname(log)) === 'chats';

const sessionInName = (log: string): string | undefined => sessionIn(basename(log));

/** The sessions of Gemini CLI (gemini.md). */
export const gemini: Dialect = defineSession({
  title: 'Gemini CLI session',
  isSession: (records) => records.some((one, at) => (at === 0 && isHeader(one)) || isRecord(one)),
  sessionIn,
  // The folder of a subagent's log has the id of the session, and the session's log the first digits of it.
  partOf: (log) => /[/\\]chats[/\\]([\da-f]{8})-[^/\\]+[/\\][^/\\]+\.jsonl$/i.exec(log)?.[1],
  supersededBy: (name) => (/^session-.*\.json$/.test(name) ? `${name}l` : undefined),
  // Versions before 0.39, and old Qwen Code, write one document.
  recordsIn: recordsOfList('messages', isHeader),
  homes: foldersOf({ usual: '.gemini', below: 'tmp' }, { usual: '.qwen', below: 'tmp' }),
  typeOf,
  ...READING,
  rules: async () => (await import('./rules.ts')).RULES,
  resume: {
    command: (id) => `gemini --resume ${id}`,
    needsFolder: true,
    folderOf: projectOf,
    provenFolder: namedFolder,
    provesFolder: isOfFolder,
    byName: { form: 'session-<time>-<first 8 digits of the id>.jsonl', idIn: sessionInName },
    places: {
      has: (log) => sessionInName(log) !== undefined && isInChats(log),
      of: placeOfSession,
    },
    // The name of the file has only the first digits of the id. Qwen Code wrote this format too, but resumes it no longer.
    idOf: (log, head) =>
      sessionInName(log) === undefined || !isInChats(log) || /[/\\]\.qwen[/\\]/.test(log)
        ? undefined
        : textIn(head, 'sessionId'),
  },
  loading: async () => (await import('./loading.ts')).geminiLoading,
  repair: async () => (await import('./repair.ts')).geminiRepair,
});
