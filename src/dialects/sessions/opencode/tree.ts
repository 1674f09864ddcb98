import { basename, join } from 'node:path';
import { isNothing } from '../../../base/errors.ts';
import { folderEntries } from '../../../base/files/folder-entries.ts';
import { readWhole } from '../../../base/files/open-file.ts';
import { jsonIn } from '../../../base/json/parse.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { numberIn, objectIn, textIn } from '../../kit/excerpt.ts';
import type { RunStore, StoredLines, StoredRun } from '../../kit/run-store.ts';
import { damagedHead, linesOf, type Piece } from './session-lines.ts';

/** The names in a folder, without links; none if it is missing. */
function namesIn(folder: string): string[] {
  try {
    return folderEntries(folder)
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isNothing(error)) return [];
    throw error;
  }
}

const documentsIn = (folder: string): string[] => namesIn(folder).filter((name) => name.endsWith('.json'));

const textOf = (path: string): string => readWhole(path).toString('utf8');

/** Reads a file as a piece. Its members are in its text. */
const pieceAt = (root: string, ...path: readonly string[]): Piece => {
  const file = path.join('/');
  return { id: basename(file, '.json'), members: {}, text: textOf(join(root, ...path)), file };
};

interface Tree {
  /** By id: the path of its file below the root. */
  readonly sessions: ReadonlyMap<string, readonly string[]>;
  /** The sessions that have messages. */
  readonly withMessages: ReadonlySet<string>;
}

function treeAt(root: string): Tree {
  const sessions = new Map<string, readonly string[]>();
  for (const project of namesIn(join(root, 'session')))
    for (const name of documentsIn(join(root, 'session', project)))
      sessions.set(basename(name, '.json'), ['session', project, name]);
  const withMessages = new Set(namesIn(join(root, 'message')).filter((name) => name.startsWith('ses_')));
  return { sessions, withMessages };
}

const messagesOf = (root: string, session: string): Piece[] =>
  documentsIn(join(root, 'message', session)).map((name) => pieceAt(root, 'message', session, name));

const partsOf = (root: string, message: string): (Piece & { readonly message: string })[] =>
  documentsIn(join(root, 'part', message)).map((name) => ({
    ...pieceAt(root, 'part', message, name),
    message,
  }));

/** The folders of parts whose message does not exist, by session. */
function orphansIn(root: string, { withMessages }: Tree): ReadonlyMap<string, readonly string[]> {
  const known = new Set<string>();
  for (const session of withMessages)
    for (const name of documentsIn(join(root, 'message', session))) known.add(basename(name, '.json'));
  const orphans = new Map<string, string[]>();
  for (const message of namesIn(join(root, 'part'))) {
    if (known.has(message)) continue;
    const sessions = partsOf(root, message).flatMap(({ text }) => textIn(jsonIn(text), 'sessionID') ?? []);
    const [session] = sessions;
    if (session !== undefined) orphans.set(session, [...(orphans.get(session) ?? []), message]);
  }
  return orphans;
}

/** The error of the last answer of a session. */
function errorOf(root: string, session: string): string | undefined {
  const all = messagesOf(root, session).flatMap(({ text }) => {
    const info = jsonIn(text);
    return isObject(info) ? [info] : [];
  });
  const created = (info: JsonObject) => numberIn(objectIn(info, 'time'), 'created') ?? 0;
  const last = all.sort((a, b) => created(a) - created(b)).at(-1);
  return isObject(last?.['error']) ? (textIn(last['error'], 'name') ?? 'error') : undefined;
}

/** Opens the folder `storage` of opencode before version 1.2. */
export function openTree(root: string): RunStore {
  const tree = treeAt(root);
  const infos = new Map<string, JsonObject>();
  for (const [id, path] of tree.sessions) {
    const info = jsonIn(textOf(join(root, ...path)));
    infos.set(id, isObject(info) ? info : {});
  }
  const runOf = (id: string): StoredRun => {
    const info = infos.get(id);
    const parent = textIn(info, 'parentID');
    const changed = numberIn(objectIn(info, 'time'), 'updated') ?? 0;
    return parent === undefined ? { id, changed } : { id, changed, parent };
  };
  const lost = [...tree.withMessages].filter((id) => !tree.sessions.has(id));
  let orphans: ReadonlyMap<string, readonly string[]> | undefined;
  const failedChildren = (session: string): JsonObject => {
    const children = [...infos].filter(([, info]) => textIn(info, 'parentID') === session);
    const failed = children.flatMap(([id]) => {
      const error = errorOf(root, id);
      return error === undefined ? [] : [{ id, error }];
    });
    return failed.length === 0 ? {} : { failed_children: failed };
  };
  const headOf = (id: string): JsonObject => {
    const path = tree.sessions.get(id);
    if (path === undefined) return { lost: { id, file: `session/*/${id}.json` } };
    return { ...damagedHead(pieceAt(root, ...path)), ...failedChildren(id) };
  };
  return {
    runs: [...tree.sessions.keys(), ...lost].map(runOf),
    unread: [],
    read(id): StoredLines {
      orphans ??= orphansIn(root, tree);
      const messages = messagesOf(root, id);
      const owners = [...messages.map((message) => message.id), ...(orphans.get(id) ?? [])];
      return {
        lines: linesOf({
          head: headOf(id),
          messages,
          parts: owners.flatMap((owner) => partsOf(root, owner)),
        }),
      };
    },
  };
}
