import type { JsonObject } from '../../../base/json/value.ts';
import { plainShellWord } from '../../../base/text/shell-word.ts';
import type { Dialect } from '../../dialect.ts';
import { hasTexts, textIn } from '../../kit/members.ts';
import { foldersOf } from '../../kit/program-folder.ts';
import { defineSession } from '../kit/define.ts';
import { READING, sessionIn, typeOf } from './records.ts';

/** The header of a log. The stream for other programs has it too. */
const isHeader = (event: JsonObject): boolean =>
  event['type'] === 'session' && hasTexts(event, 'id', 'timestamp', 'cwd');

/** Entries name the one before, except in version 1, which has no ids. Records of the stream do not look like this. */
const isEntry = (event: JsonObject) => hasTexts(event, 'type', 'timestamp', 'id') && 'parentId' in event;
const isOldEntry = (event: JsonObject): boolean =>
  hasTexts(event, 'type', 'timestamp') && !('id' in event) && hasTexts(event['message'], 'role');

/** Whether an entry shows by itself that it is of this format. */
function isPlain(event: JsonObject): boolean {
  switch (event['type']) {
    case 'message':
      return hasTexts(event['message'], 'role');
    case 'model_change':
      return hasTexts(event, 'provider', 'modelId');
    case 'thinking_level_change':
      return hasTexts(event, 'thinkingLevel');
    default:
      return false;
  }
}

/** Whether records belong to a session: a header and an entry, or a message if the head is lost (pi.md §2). */
function isSession(records: readonly JsonObject[]): boolean {
  const entries = records.filter(isEntry);
  // The stream of the program has such a header too, and other records after it.
  if (records.slice(0, 2).some(isHeader))
    return records.length === 1 || entries.length > 0 || records.some(isOldEntry);
  return entries.some(isPlain);
}

/** Other programs write this format too, and continue their sessions themselves. */
const isForeign = (log: string): boolean => /[/\\]\.(?:omp|openclaw)[/\\]/.test(log);

/** The sessions of pi, oh-my-pi and older OpenClaw: a tree of entries in a file (pi.md). */
export const pi: Dialect = defineSession({
  title: 'pi session',
  isSession,
  sessionIn,
  homes: foldersOf(
    { env: 'PI_CODING_AGENT_SESSION_DIR' },
    { env: 'PI_CODING_AGENT_DIR', usual: '.pi/agent', below: 'sessions' },
    { usual: '.omp/agent', below: 'sessions' },
    { env: 'OPENCLAW_STATE_DIR', usual: '.openclaw', below: 'agents' },
  ),
  typeOf,
  ...READING,
  rules: async () => (await import('./rules.ts')).RULES,
  resume: {
    command: (id) => `pi --session ${id}`,
    commandForLog: (log) => (isForeign(log) ? undefined : `pi --session ${plainShellWord(log)}`),
    needsFolder: true,
    // The program reads the header of each file in the folder of a project. Other programs write this format elsewhere.
    idOf: (log, head) =>
      isForeign(log) || !/[/\\]--[^/\\]*--[/\\][^/\\]+$/.test(log) || !isHeader(head)
        ? undefined
        : textIn(head, 'id'),
  },
  loading: async () => (await import('./loading.ts')).piLoading,
  repair: async () => (await import('./repair.ts')).piRepair,
});
