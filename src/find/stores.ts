import { closeSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isOfTarget, messageOf, TargetError } from '../base/errors.ts';
import { folderEntries } from '../base/files/folder-entries.ts';
import { openToRead } from '../base/files/open-file.ts';
import { statusOf } from '../base/files/paths.ts';
import { pushAll } from '../base/files/push-all.ts';
import { readDatabase } from '../base/sqlite/database.ts';
import { isSqlite } from '../base/sqlite/pages.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { RunStore, StoredRun } from '../dialects/kit/run-store.ts';
import { allDialects } from '../dialects/registry.ts';
import type { Episode } from './episode.ts';

// A store is a database or a folder that has many runs. A run in it is named `<store>#<id>`, which is the path of its
// log everywhere. Nothing is at that path: the run is read through a temporary copy, as a document is.

/** The names of databases. Others are not opened when a folder is searched. */
export const DATABASE_NAME = /\.(?:db|sqlite3?)$/i;

/** In bytes: the mark at the start of a database. */
const MARK = 16;

function isDatabase(path: string): boolean {
  const file = openToRead(path);
  try {
    const bytes = Buffer.alloc(MARK);
    return isSqlite(bytes.subarray(0, readSync(file, bytes, 0, MARK, 0)));
  } finally {
    closeSync(file);
  }
}

/** Whether the names in a folder are those of a store. */
export const isStoreFolder = (names: readonly string[]): boolean =>
  allDialects().some((dialect) => dialect.isStore?.({ names }) === true);

/** The dialect of a store at a path; undefined if there is none. Throws `unreadable`. */
function dialectOfStore(path: string): Dialect | undefined {
  const status = statusOf(path);
  if (status?.isDirectory()) {
    const names = folderEntries(path).map(({ name }) => name);
    return allDialects().find((dialect) => dialect.isStore?.({ names }));
  }
  if (!status?.isFile() || !isDatabase(path)) return undefined;
  try {
    const tables = readDatabase(path, undefined, (database) => database.shapes);
    return allDialects().find((dialect) => dialect.isStore?.({ tables }));
  } catch (error) {
    // Whatever opens the file as a log says how to export a database whose tables cannot be read.
    if (isOfTarget(error) && !isStoreName(basename(path))) return undefined;
    throw error;
  }
}

/** A store that is open. */
interface OpenStore {
  readonly path: string;
  readonly store: RunStore;
}

/** Opens the store at a path; undefined if there is none. Throws `unreadable` for a damaged one. */
async function storeAt(path: string): Promise<OpenStore | undefined> {
  const store = await dialectOfStore(path)?.openStore?.(path);
  return store && { path, store };
}

const nameIn = (store: string, id: string): string => `${store}#${id}`;

/** The runs that are parts of a run, at any depth. */
function partsOf(runs: readonly StoredRun[], id: string): string[] {
  const found = new Set<string>([id]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const run of runs) if (run.parent !== undefined && found.has(run.parent)) found.add(run.id);
  }
  found.delete(id);
  return [...found];
}

/** A run of a store, with its parts. */
const episodeOf = ({ path, store }: OpenStore, { id, changed }: StoredRun): Episode => {
  const parts = partsOf(store.runs, id).map((part) => nameIn(path, part));
  return { name: id, dir: undefined, log: nameIn(path, id), changed, ...(parts.length > 0 && { parts }) };
};

/** The runs of a store that are not parts of another one. */
function episodesOf(open: OpenStore): Episode[] {
  const ids = new Set(open.store.runs.map(({ id }) => id));
  const isWhole = ({ parent, id }: StoredRun) => parent === undefined || parent === id || !ids.has(parent);
  return open.store.runs.filter(isWhole).map((run) => episodeOf(open, run));
}

/** What a search finds in the stores of a folder. */
interface StoredEpisodes {
  readonly episodes: readonly Episode[];
  /** The files that are stores. */
  readonly files: readonly string[];
  /** What the stores have that is not read. */
  readonly unread: readonly string[];
}

const NOTHING: StoredEpisodes = { episodes: [], files: [], unread: [] };

/** The runs of a store; undefined if the path has no store. Throws `unreadable`. */
export async function episodesOfStore(path: string): Promise<Omit<StoredEpisodes, 'files'> | undefined> {
  const open = await storeAt(path);
  if (open === undefined) return undefined;
  return { episodes: episodesOf(open), unread: open.store.unread.map((what) => nameIn(path, what)) };
}

/** The ids of all runs of a store, also of those that are parts of others; undefined if the path has no store. */
export const idsInStore = async (path: string): Promise<readonly string[] | undefined> =>
  (await storeAt(path))?.store.runs.map(({ id }) => id);

/** Whether a file with this name is a store of some dialect, whatever is in it. */
const isStoreName = (name: string): boolean =>
  allDialects().some((dialect) => dialect.isStoreName?.(name) === true);

/**
 * The runs of a store that a search found. One that cannot be read counts as an episode, because it has some; other
 * databases that cannot be read are of no interest.
 */
export async function searchedStore(path: string): Promise<Omit<StoredEpisodes, 'files'> | undefined> {
  try {
    return await episodesOfStore(path);
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    const name = basename(path);
    if (!isStoreName(name) && !statusOf(path)?.isDirectory()) return undefined;
    const unlisted = messageOf(error).replace(/^cannot read [^:]*: /, '');
    return { episodes: [{ name, dir: undefined, log: path, unlisted }], unread: [] };
  }
}

/** The runs in the databases of a folder, and of the folder itself if it is a store. `names`: its files. */
export async function storedAmong(
  dir: string,
  names: readonly string[],
  all: readonly string[],
): Promise<StoredEpisodes> {
  if (isStoreFolder(all)) {
    const found = (await searchedStore(dir)) ?? NOTHING;
    // A program that imported the folder into a database left the folder in place.
    const above = folderEntries(dirname(dir))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    const { episodes } = await storedAmong(dirname(dir), above, []);
    const imported = new Set(episodes.map(({ name }) => name));
    return { ...found, files: [], episodes: found.episodes.filter(({ name }) => !imported.has(name)) };
  }
  const found: { episodes: Episode[]; files: string[]; unread: string[] } = {
    episodes: [],
    files: [],
    unread: [],
  };
  for (const name of names.filter((name) => DATABASE_NAME.test(name)).sort()) {
    const stored = await searchedStore(join(dir, name));
    if (stored === undefined) continue;
    found.files.push(name);
    pushAll(found.episodes, stored.episodes);
    pushAll(found.unread, stored.unread);
  }
  return found;
}

/** The store and the id in `<store>#<id>`. */
function splitName(path: string): { readonly store: string; readonly id: string } | undefined {
  const at = path.lastIndexOf('#');
  return at <= 0 ? undefined : { store: path.slice(0, at), id: path.slice(at + 1) };
}

/** The store of a run that a path names, so that no file is there; undefined if it names none. */
export function storeOf(path: string): string | undefined {
  const store = splitName(path)?.store;
  const isStored = store !== undefined && statusOf(path) === undefined && statusOf(store) !== undefined;
  return isStored ? store : undefined;
}

/** Whether a path names a run in a store. */
export const isInStore = (path: string): boolean => storeOf(path) !== undefined;

/**
 * The run that a path names, by its id or a prefix of it; undefined if the path names no store. Throws
 * `target-missing` and `target-ambiguous`.
 */
export async function storedRun(path: string): Promise<Episode | undefined> {
  const { store, id } = splitName(path) ?? {};
  if (store === undefined || id === undefined || statusOf(path) !== undefined) return undefined;
  const open = await storeAt(store);
  if (open === undefined) return undefined;
  const { runs } = open.store;
  const exact = runs.filter((run) => run.id === id);
  const begun = exact.length > 0 ? exact : runs.filter((run) => id !== '' && run.id.startsWith(id));
  const [run, ...others] = begun;
  const place = { file: store };
  if (run !== undefined && others.length === 0) return episodeOf(open, run);
  const names = (run === undefined ? runs : begun).slice(0, 10).map((one) => one.id);
  const hint =
    names.length === 0
      ? 'give another file; this one has no runs'
      : `give one of its runs: ${names.join(', ')}${runs.length > 10 ? ', …' : ''}`;
  throw run === undefined
    ? new TargetError('target-missing', `no run ${JSON.stringify(id)} in ${store}`, { place, hint })
    : new TargetError('target-ambiguous', `${id} matches ${begun.length} runs: ${names.join(', ')}`, {
        place,
        hint: 'give more characters of the id',
      });
}

/** A run as lines, with the logs of its parts. */
export interface StoredText {
  readonly lines: readonly string[];
  /** Files next to the copy, by the ending of their names. */
  readonly beside: Readonly<Record<string, readonly string[]>>;
  readonly parts: readonly { readonly name: string; readonly lines: readonly string[] }[];
}

/** The text of the run that a path names; undefined if it names none. Throws `unreadable`. */
export async function storedText(path: string): Promise<StoredText | undefined> {
  const { store, id } = splitName(path) ?? {};
  if (store === undefined || id === undefined || statusOf(path) !== undefined) return undefined;
  const open = await storeAt(store);
  if (open === undefined || !open.store.runs.some((run) => run.id === id)) return undefined;
  const { lines, beside = {} } = open.store.read(id);
  const parts = partsOf(open.store.runs, id).map((part) => ({
    name: basename(nameIn(store, part)),
    lines: open.store.read(part).lines,
  }));
  return { lines, beside, parts };
}
