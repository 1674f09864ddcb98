import { jsonIn } from '../../../base/json/parse.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isObject } from '../../../base/json/value.ts';
import { writeJson } from '../../../base/json/write.ts';
import { type Database, readDatabase, type SqlRow, type SqlValue } from '../../../base/sqlite/database.ts';
import { shellWord } from '../../../base/text/shell-word.ts';
import { textIn } from '../../kit/members.ts';
import type { RunStore, StoredLines, StoredRun } from '../../kit/run-store.ts';
import { linesOf, type Piece } from './session-lines.ts';

/** The tables of version 2, which noesis names and counts. */
const NEWER = ['session_v2', 'session_message'];

/** How the program itself exports a session. */
const hintFor = (path: string): string =>
  `opencode export <session> > session.json writes one session; opencode db path prints whether ${shellWord(path)} is its database`;

const text = (value: SqlValue | undefined): string =>
  typeof value === 'string' ? value : value instanceof Buffer ? value.toString('utf8') : '';

const number = (value: SqlValue | undefined): number =>
  typeof value === 'number' ? value : Number(value ?? 0);

/** A member of the head, unless the column is null or missing. */
function member(name: string, value: SqlValue | undefined): JsonObject {
  if (value === null || value === undefined || value instanceof Buffer) return {};
  return { [name]: typeof value === 'bigint' ? String(value) : (value as string | number) };
}

/** A member of the head that is stored as JSON. */
function jsonMember(name: string, value: SqlValue | undefined): JsonObject {
  if (typeof value !== 'string' || value === '') return {};
  return { [name]: jsonIn(value) ?? value };
}

/** The members of an object in the head; left out if all columns are null. */
function group(name: string, ...members: readonly JsonObject[]): JsonObject {
  const all: JsonObject = Object.assign({}, ...members);
  return Object.keys(all).length === 0 ? {} : { [name]: all };
}

/** A session as its document has it. */
function infoOf(row: SqlRow): JsonObject {
  return {
    ...member('id', row['id']),
    ...member('slug', row['slug']),
    ...member('projectID', row['project_id']),
    ...member('workspaceID', row['workspace_id']),
    ...member('directory', row['directory']),
    ...member('path', row['path']),
    ...member('parentID', row['parent_id']),
    ...member('title', row['title']),
    ...member('agent', row['agent']),
    ...jsonMember('model', row['model']),
    ...member('version', row['version']),
    ...group(
      'summary',
      member('additions', row['summary_additions']),
      member('deletions', row['summary_deletions']),
      member('files', row['summary_files']),
      jsonMember('diffs', row['summary_diffs']),
    ),
    ...member('cost', row['cost']),
    ...(row['tokens_input'] === undefined
      ? {}
      : {
          tokens: {
            ...member('input', row['tokens_input']),
            ...member('output', row['tokens_output']),
            ...member('reasoning', row['tokens_reasoning']),
            cache: {
              ...member('read', row['tokens_cache_read']),
              ...member('write', row['tokens_cache_write']),
            },
          },
        }),
    ...jsonMember('metadata', row['metadata']),
    ...group('share', member('url', row['share_url'])),
    ...jsonMember('permission', row['permission']),
    ...jsonMember('revert', row['revert']),
    ...group(
      'time',
      member('created', row['time_created']),
      member('updated', row['time_updated']),
      member('compacting', row['time_compacting']),
      member('archived', row['time_archived']),
    ),
  };
}

const pieceOf = (row: SqlRow, members: JsonObject): Piece => ({
  id: text(row['id']),
  members,
  text: text(row['data']),
});

/** The error of the last answer of a subagent. */
function errorOf(database: Database, session: string): JsonValue | undefined {
  const rows = [...database.rowsWith('message', 'session_id', session)];
  const last = rows.sort((a, b) => number(a['time_created']) - number(b['time_created'])).at(-1);
  const data = jsonIn(text(last?.['data']));
  return isObject(data) && isObject(data['error']) ? (textIn(data['error'], 'name') ?? 'error') : undefined;
}

/** The subagents of a session that failed. */
function failedChildren(database: Database, session: string): JsonObject {
  const failed = [...database.rowsWith('session', 'parent_id', session)].flatMap((row) => {
    const error = errorOf(database, text(row['id']));
    return error === undefined ? [] : [{ id: text(row['id']), error }];
  });
  return failed.length === 0 ? {} : { failed_children: failed };
}

function linesIn(database: Database, session: string): StoredLines {
  const [row] = database.rowsWith('session', 'id', session);
  const messages = [...database.rowsWith('message', 'session_id', session)];
  const parts = [...database.rowsWith('part', 'session_id', session)];
  const lines = linesOf({
    head:
      row === undefined
        ? { lost: { id: session } }
        : { info: infoOf(row), ...failedChildren(database, session) },
    messages: messages.map((message) => pieceOf(message, { id: text(message['id']), sessionID: session })),
    parts: parts.map((part) => {
      const message = text(part['message_id']);
      const piece = pieceOf(part, { id: text(part['id']), sessionID: session, messageID: message });
      const updated = part['time_updated'];
      return { ...piece, message, ...(typeof updated === 'number' && { updated }) };
    }),
  });
  const events = eventsIn(database, session);
  return events.length === 0 ? { lines } : { lines, beside: { '.events': events } };
}

/** The events about a session, after the number of the last one that the program knows. */
function eventsIn(database: Database, session: string): string[] {
  const events = [...database.rowsWith('event', 'aggregate_id', session)]
    .sort((a, b) => number(a['seq']) - number(b['seq']))
    .map((row) =>
      writeJson({
        seq: number(row['seq']),
        type: text(row['type']),
        data: jsonIn(text(row['data'])) ?? text(row['data']),
      }),
    );
  if (events.length === 0) return [];
  const [sequence] = database.rowsWith('event_sequence', 'aggregate_id', session);
  return [writeJson({ last: sequence === undefined ? null : number(sequence['seq']) }), ...events];
}

/** The sessions of a database, and those that only messages name. */
function runsIn(database: Database): StoredRun[] {
  const runs = new Map<string, StoredRun>();
  for (const row of database.rows('session')) {
    const parent = text(row['parent_id']);
    const run = { id: text(row['id']), changed: number(row['time_updated']) };
    runs.set(run.id, parent === '' ? run : { ...run, parent });
  }
  return [...runs.values()];
}

/** Opens a database of opencode. */
export function openDatabase(path: string): RunStore {
  const read = <T>(what: (database: Database) => T): T => readDatabase(path, hintFor(path), what);
  const { runs, unread } = read((database) => ({
    runs: runsIn(database),
    unread: NEWER.flatMap((table) => {
      const count = database.count(table);
      return count === 0 ? [] : [`${table} (${count} ${count === 1 ? 'row' : 'rows'} of version 2)`];
    }),
  }));
  return { runs, unread, read: (id) => read((database) => linesIn(database, id)) };
}
