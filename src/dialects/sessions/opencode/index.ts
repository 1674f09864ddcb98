import { statSync } from 'node:fs';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import type { Dialect } from '../../dialect.ts';
import { recordsOfList } from '../../kit/document.ts';
import { hasTexts, textIn } from '../../kit/excerpt.ts';
import { foldersOf } from '../../kit/program-folder.ts';
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

/** The sessions of opencode (opencode.md). */
export const opencode: Dialect = defineSession({
  name: 'opencode',
  title: 'opencode session',
  isSession: (records) => records.some((one, at) => (at === 0 && isSession(one)) || isMessage(one)),
  sessionIn: (fileName) => /#(ses_[\dA-Za-z]+)(?:\.jsonl)?$/.exec(fileName)?.[1],
  recordsIn: recordsOfList('messages', isSession),
  homes: foldersOf({ env: 'XDG_DATA_HOME', usual: '.local/share', below: 'opencode' }),
  isStore: (marks) => {
    const [found, wanted] =
      'tables' in marks
        ? [marks.tables, ['session', 'message', 'part']]
        : [marks.names, ['session', 'message']];
    return wanted.every((name) => found.includes(name));
  },
  openStore: async (path) =>
    statSync(path).isDirectory()
      ? (await import('./tree.ts')).openTree(path)
      : (await import('./database.ts')).openDatabase(path),
  typeOf,
  ...READING,
  rules: async () => (await import('./rules.ts')).RULES,
});
