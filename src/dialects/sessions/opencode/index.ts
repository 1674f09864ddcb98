import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import type { Dialect, Machine } from '../../dialect.ts';
import { hasTexts, textIn } from '../../kit/members.ts';
import { foldersOf } from '../../kit/program-folder.ts';
import { recordsOfList } from '../../kit/records-of-list.ts';
import { defineSession } from '../kit/define.ts';
import { isHead, READING, typeOf } from './records.ts';

/** Whether a document without its messages, or a first record, is that of a session. */
const isSession = (event: JsonObject): boolean => isHead(event) && hasTexts(event['info'], 'id', 'version');

/** A message, if the head is lost. */
const isMessage = ({ info, parts }: JsonObject): boolean =>
  Array.isArray(parts) &&
  isObject(info) &&
  hasTexts(info, 'id', 'sessionID', 'role') &&
  textIn(info, 'id')?.startsWith('msg_') === true;

/** The database, or that of another channel: `opencode-dev.db`. */
const isDatabaseName = (name: string): boolean => /^opencode(?:-[\w.-]+)?\.db$/.test(name);

/** The id of a session of a store, from its name. */
const sessionIn = (name: string): string | undefined => /#(ses_[\dA-Za-z]+)(?:\.jsonl)?$/.exec(name)?.[1];

const dataFolders = foldersOf({ env: 'XDG_DATA_HOME', usual: '.local/share', below: 'opencode' });

/** The databases, and the folder that versions before 1.2 wrote. Next to them are copies of working trees. */
function homes(machine: Machine): string[] {
  const moved = machine.env['OPENCODE_DB'];
  const found = dataFolders(machine).flatMap((folder) => {
    const names = existsSync(folder) ? readdirSync(folder).filter(isDatabaseName).sort() : [];
    // The usual name shows users where the program keeps its database, also if there is none.
    return [...(names.length > 0 ? names : ['opencode.db']), 'storage'].map((name) => join(folder, name));
  });
  return moved ? [moved, ...found] : found;
}

/** The sessions of opencode (opencode.md). */
export const opencode: Dialect = defineSession({
  title: 'opencode session',
  isSession: (records) => records.some((one, at) => (at === 0 && isSession(one)) || isMessage(one)),
  sessionIn,
  recordsIn: recordsOfList('messages', isSession),
  homes,
  isStore: (marks) =>
    'tables' in marks
      ? ['session', 'message', 'part'].every((name) => marks.tables.has(name)) &&
        marks.tables.get('message')?.includes('session_id') === true
      : ['message', 'part'].every((name) => marks.names.includes(name)),
  isStoreName: isDatabaseName,
  openStore: async (path) =>
    statSync(path).isDirectory()
      ? (await import('./tree.ts')).openTree(path)
      : (await import('./database.ts')).openDatabase(path),
  resume: {
    command: (id) => `opencode --session ${id}`,
    // The session of a subagent has a parent, and the program does not list it.
    idOf: (log, head) => (textIn(head['info'], 'parentID') === undefined ? sessionIn(log) : undefined),
  },
  typeOf,
  ...READING,
  rules: async () => (await import('./rules.ts')).RULES,
});
