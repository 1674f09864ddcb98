import { isObject, type JsonObject } from '../../json/value.ts';
import type { Dialect } from '../dialect.ts';
import { textIn } from '../excerpt.ts';
import { recordsOfList } from '../kit/document.ts';
import { defineSession } from '../kit/session.ts';
import { foldersOf } from '../program-folder.ts';
import { READING, TYPES, typeOf } from './records.ts';

const hasTexts = (event: JsonObject, names: readonly string[]): boolean =>
  names.every((name) => textIn(event, name) !== undefined);

const isHeader = (event: JsonObject): boolean =>
  hasTexts(event, ['sessionId', 'projectHash', 'startTime']) && !('uuid' in event) && !('type' in event);

/** If the head is lost, a change or a message shows the format (gemini.md §2). */
const isRecord = (event: JsonObject): boolean =>
  isObject(event['$set']) ||
  typeof event['$rewindTo'] === 'string' ||
  ('content' in event && hasTexts(event, ['id', 'timestamp']) && TYPES.includes(event['type']));

/** The sessions of Gemini CLI (gemini.md). */
export const gemini: Dialect = defineSession({
  name: 'gemini',
  title: 'Gemini CLI session',
  isSession: ([first, ...more]) =>
    first !== undefined && (isHeader(first) || [first, ...more].some(isRecord)),
  sessionIn: (fileName) => /^session-[\d-]{10}T[\d-]{5}-([\da-f]{8})\.jsonl?$/i.exec(fileName)?.[1],
  // Versions before 0.39 and old Qwen Code write one document.
  recordsIn: recordsOfList('messages', isHeader),
  homes: foldersOf({ usual: '.gemini', below: 'tmp' }, { usual: '.qwen', below: 'tmp' }),
  typeOf,
  ...READING,
  rules: async () => (await import('./rules.ts')).RULES,
});
