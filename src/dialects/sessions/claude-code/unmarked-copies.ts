import { basename, dirname, join } from 'node:path';
import { isFileError } from '../../../base/errors.ts';
import { folderEntries } from '../../../base/files/folder-entries.ts';
import { orNone } from '../../../base/files/or-none.ts';
import { statusOf } from '../../../base/files/paths.ts';
import { jsonIn } from '../../../base/json/parse.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { grouped } from '../../../base/text/grouped.ts';
import { byText } from '../../../base/text/order.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { linesForwards } from '../../../log/forwards.ts';
import type { Remember } from '../../dialect.ts';
import { textIn } from '../../kit/members.ts';
import { isNamedAsCopy } from '../kit/copy-name.ts';
import { sessionInName } from './files.ts';
import { markedOrigin, type OriginOf } from './records.ts';
import { IS_CHAIN } from './vocabulary.ts';

// Copies of records that do not say so (claude-code.md §6). Old versions kept the session id of each copied record. Newer ones
// replace it, so that only the log from which it was copied shows that a record is a copy.

/** The records of a log that were copied, by their ids, and the session from which the last of them came. */
interface Copies {
  readonly from: string;
  readonly ids: ReadonlySet<string>;
}

/** A record of the chain. */
interface ChainRecord {
  readonly id: string;
  readonly event: JsonObject;
  /** Whether only records of the chain are between it and the first one. */
  readonly isAmongFirst: boolean;
}

function parsed(line: Buffer): JsonObject | undefined {
  const value = jsonIn(line.toString('utf8'));
  return isObject(value) ? value : undefined;
}

/** The records of the chain in the first lines of a log. */
function* chainIn(log: string, lines = Infinity): Generator<ChainRecord, void, void> {
  let [line, hasBegun, isAmongFirst] = [0, false, true];
  for (const bytes of linesForwards(log)) {
    line += 1;
    if (line > lines) return;
    const event = parsed(bytes);
    const id = event !== undefined && IS_CHAIN.has(event['type']) ? textIn(event, 'uuid') : undefined;
    if (event === undefined) continue;
    if (id === undefined) isAmongFirst &&= !hasBegun;
    else {
      hasBegun = true;
      yield { id, event, isAmongFirst };
    }
  }
}

/** The first records of a log are looked for in this many lines. */
const FIRST_LINES = 100;
/** A copy may leave out the first records of its origin, such as those of a subagent. */
const FIRST_IDS = 8;

/** The beginning of the chain in a log. */
interface Beginning {
  /**
   * The session that the first record names: `own`, or `inside` if the record also has a parent, as in a copy of a session that
   * was compacted; `other` for another session.
   */
  readonly whose: string | undefined;
  readonly ids: readonly string[];
}

const SEPARATOR = ' ';

/** What the first record of a session says of itself. */
function whoseIs(first: JsonObject, session: string): string {
  if (textIn(first, 'sessionId') !== session) return 'other';
  return ['parentUuid', 'logicalParentUuid'].some((name) => textIn(first, name) !== undefined)
    ? 'inside'
    : 'own';
}

/** The {@link Beginning} as text. */
function beginningIn(log: string): string | undefined {
  const session = sessionInName(log);
  const words: string[] = [];
  if (session === undefined) return undefined;
  for (const { id, event } of chainIn(log, FIRST_LINES)) {
    if (words.length === 0) words.push(whoseIs(event, session));
    if (words.push(id) > FIRST_IDS) break;
  }
  return words.length === 0 ? undefined : words.join(SEPARATOR);
}

function beginningOf(log: string, remember: Remember): Beginning {
  const found = remember(log, 'first records', () => orNone(() => beginningIn(log), undefined, isFileError));
  const [whose, ...ids] = found?.split(SEPARATOR) ?? [];
  return { whose, ids };
}

const withoutMemory: Remember = (_log, _name, find) => find();

/** The sessions of a folder, by the ids of their first records. */
interface FolderIndex {
  readonly folder: string;
  /** When a log was last added or removed. */
  readonly changed: number | undefined;
  readonly logs: readonly string[];
  readonly byId: ReadonlyMap<string, readonly { readonly log: string }[]>;
}

/** The last one, because a list asks for every log of a folder. */
let lastIndex: FolderIndex | undefined;

function indexOf(folder: string, remember: Remember): FolderIndex {
  const changed = statusOf(folder)?.mtimeMs;
  if (lastIndex?.folder === folder && lastIndex.changed === changed) return lastIndex;
  const names = orNone(() => folderEntries(folder), [], isFileError);
  const logs = names
    .filter(
      (entry) => entry.isFile() && sessionInName(entry.name) !== undefined && !isNamedAsCopy(entry.name),
    )
    .map(({ name }) => join(folder, name));
  const beginnings = logs.flatMap((log) => beginningOf(log, remember).ids.map((id) => ({ id, log })));
  const byId = grouped(beginnings, ({ id }) => id);
  lastIndex = { folder, changed, logs, byId };
  return lastIndex;
}

/** Whether a log has a record with this id. */
function has(log: string, id: string): boolean {
  const mark = Buffer.from(`"${id}"`);
  for (const line of linesForwards(log))
    if (line.includes(mark) && parsed(line)?.['uuid'] === id) return true;
  return false;
}

/**
 * The other sessions in the folder of a log that have its first record: those from which it was copied, and those that copied
 * from it. `remember`: keeps what was found in a log.
 */
export function relatedLogs(log: string, remember: Remember = withoutMemory): readonly string[] {
  const { whose, ids } = beginningOf(log, remember);
  const [first] = ids;
  // A log that begins with the record of another session needs no other log to say so.
  if (first === undefined || whose === 'other') return [];
  const { logs, byId } = indexOf(dirname(log), remember);
  const isOther = (other: string) => basename(other) !== basename(log);
  if (whose === 'own') return (byId.get(first) ?? []).map((one) => one.log).filter(isOther);
  const isIn = (other: string) =>
    orNone(() => (has(other, first) ? 'yes' : undefined), undefined, isFileError);
  return logs.filter(
    (other) => isOther(other) && remember(other, `has ${first}`, () => isIn(other)) !== undefined,
  );
}

/** What a log has for a comparison with others. */
interface LogIds {
  readonly session: string;
  /** The ids of the records that do not say that they were copied. */
  readonly own: ReadonlySet<string>;
  /** The time of its first record. */
  readonly began: number;
  /** How many records are at the beginning without another line between them. */
  readonly together: number;
}

function idsOf(log: string): LogIds {
  const session = sessionInName(log) ?? '';
  const [ids, own] = [new Set<string>(), new Set<string>()];
  let began: number | undefined;
  let together = 0;
  for (const { id, event, isAmongFirst } of chainIn(log)) {
    began ??= parseInstant(textIn(event, 'timestamp')) ?? Infinity;
    if (isAmongFirst && !ids.has(id)) together += 1;
    ids.add(id);
    if (textIn(event, 'sessionId') === session && markedOrigin(event) === undefined) own.add(id);
  }
  return { session, own, began: began ?? Infinity, together };
}

/**
 * The order of logs with the same records: each record counts in the first log that has it. A copy of the end of a session
 * begins later than the session. Copies are written at once, so that no other line is between them, while a program that works
 * writes other lines between records.
 */
function byOrigin(a: LogIds, b: LogIds): number {
  if (a.began !== b.began) return a.began < b.began ? -1 : 1;
  return a.together - b.together || byText(a.session, b.session);
}

/** The copies among the records of a log that other logs have too. */
function sharedWith(log: string, others: readonly string[]): Copies | undefined {
  if (others.length === 0) return undefined;
  const mine = idsOf(log);
  const earlier = others
    .flatMap((other) => orNone(() => idsOf(other), undefined, isFileError) ?? [])
    .filter((other) => byOrigin(other, mine) < 0)
    .sort(byOrigin);
  const ids = new Set<string>();
  let from: string | undefined;
  for (const id of mine.own) {
    const origin = earlier.find(({ own }) => own.has(id));
    if (origin === undefined) continue;
    ids.add(id);
    from = origin.session;
  }
  return from === undefined ? undefined : { from, ids };
}

/** The records before the first one of the session itself. A renamed log has no such record, and no copies. */
function keptIds(log: string, session: string): Copies | undefined {
  const ids = new Set<string>();
  let from: string | undefined;
  for (const { id, event } of chainIn(log)) {
    if (textIn(event, 'sessionId') === session) return from === undefined ? undefined : { from, ids };
    ids.add(id);
    from = textIn(event, 'sessionId') ?? from;
  }
  return undefined;
}

function copiesOf(log: string): Copies | undefined {
  const session = sessionInName(log);
  if (session === undefined || isNamedAsCopy(log)) return undefined;
  return beginningOf(log, withoutMemory).whose === 'other'
    ? keptIds(log, session)
    : sharedWith(log, relatedLogs(log));
}

/** Says from which session a record of a log was copied: in its own words, else in those of the other logs of its folder. */
export function originIn(log: string): OriginOf {
  let found: { readonly copies: Copies | undefined } | undefined;
  return (event) => {
    found ??= { copies: copiesOf(log) };
    const origin = markedOrigin(event);
    if (origin !== undefined || found.copies === undefined) return origin;
    return found.copies.ids.has(textIn(event, 'uuid') ?? '') ? found.copies.from : undefined;
  };
}
