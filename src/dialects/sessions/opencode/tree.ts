import { basename, join } from 'node:path';
import { isNothing } from '../../../base/errors.ts';
import { openable } from '../../../base/files/files.ts';
import { folderEntries } from '../../../base/files/folder-entries.ts';
import { readWhole } from '../../../base/files/open-file.ts';
import { orNone } from '../../../base/files/or-none.ts';
import { jsonIn } from '../../../base/json/parse.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';
import type { RunStore, StoredLines, StoredRun } from '../../kit/run-store.ts';
import { damagedHead, linesOf, type Piece } from './session-lines.ts';

/** Why an entry of a folder of the tree is not opened, such as a symlink out of the tree; undefined if it may be. */
const faultOf = (root: string, path: string): string | undefined =>
  orNone(
    () => {
      const status = openable(root, path);
      return typeof status === 'string' ? status : undefined;
    },
    undefined,
    isNothing,
  );

/** Why a file or folder of the tree is not opened: its fault, or the fault of a folder in its path. */
function faultAt(root: string, ...path: readonly string[]): string | undefined {
  for (const at of path.keys()) {
    const fault = faultOf(root, join(root, ...path.slice(0, at + 1)));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The names in a folder that may be opened; none if it is missing. */
const namesOf = (root: string, path: readonly string[]): string[] =>
  orNone(() => folderEntries(join(root, ...path)).map(({ name }) => name), [], isNothing).sort();

/** The names in a folder of the tree, whatever they are; none if it is missing or not opened. */
const namesIn = (root: string, ...path: readonly string[]): string[] =>
  faultAt(root, ...path) === undefined ? namesOf(root, path) : [];

const isDocument = (name: string): boolean => name.endsWith('.json');

const documentsIn = (root: string, ...path: readonly string[]): string[] =>
  namesIn(root, ...path).filter(isDocument);

/** A file as a piece. Its members are in its text, which is empty if the file is not opened. */
function pieceOf(root: string, path: readonly string[], fault: string | undefined): Piece {
  const file = path.join('/');
  const text = fault === undefined ? readWhole(join(root, ...path)).toString('utf8') : '';
  return { id: basename(file, '.json'), members: {}, text, file, fault };
}

const pieceAt = (root: string, ...path: readonly string[]): Piece =>
  pieceOf(root, path, faultAt(root, ...path));

/** The documents of a folder as pieces; a folder that is not opened is a piece itself. */
function piecesIn(root: string, ...path: readonly string[]): Piece[] {
  const fault = faultAt(root, ...path);
  if (fault !== undefined) return [pieceOf(root, path, fault)];
  return namesOf(root, path)
    .filter(isDocument)
    .map((name) => pieceOf(root, [...path, name], faultOf(root, join(root, ...path, name))));
}

interface Tree {
  /** By id: the path of its file below the root. */
  readonly sessions: ReadonlyMap<string, readonly string[]>;
  /** The sessions that have messages. */
  readonly withMessages: ReadonlySet<string>;
}

function treeAt(root: string): Tree {
  const sessions = new Map<string, readonly string[]>();
  for (const project of namesIn(root, 'session'))
    for (const name of documentsIn(root, 'session', project))
      sessions.set(basename(name, '.json'), ['session', project, name]);
  const withMessages = new Set(namesIn(root, 'message').filter((name) => name.startsWith('ses_')));
  return { sessions, withMessages };
}

const messagesOf = (root: string, session: string): Piece[] => piecesIn(root, 'message', session);

const partsOf = (root: string, message: string): (Piece & { readonly message: string })[] =>
  piecesIn(root, 'part', message).map((piece) => ({ ...piece, message }));

/** The folders of parts whose message does not exist, by session. */
function orphansIn(root: string, { withMessages }: Tree): ReadonlyMap<string, readonly string[]> {
  const known = new Set<string>();
  for (const session of withMessages)
    for (const name of documentsIn(root, 'message', session)) known.add(basename(name, '.json'));
  const orphans = new Map<string, string[]>();
  for (const message of namesIn(root, 'part')) {
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
    const info = jsonIn(pieceAt(root, ...path).text);
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
