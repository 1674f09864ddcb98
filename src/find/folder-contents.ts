import { basename, dirname, join } from 'node:path';
import { packedFormat, packedRank, unpackedName, unpackedPath } from '../base/archives/format.ts';
import { fileErrorCode, isNothing, isOfTarget, UNNAMEABLE } from '../base/errors.ts';
import { leadsOutside } from '../base/files/files.ts';
import { type FolderEntry, folderEntries } from '../base/files/folder-entries.ts';
import { pathsIn, statusOf } from '../base/files/paths.ts';
import { byText } from '../base/text/order.ts';
import { Yielder } from '../base/time/yielder.ts';
import type { Dialect, DialectName, EpisodeFolder } from '../dialects/dialect.ts';
import { dialectOf, isNamedAsLog, logsIn } from '../dialects/kit/sample.ts';
import { episodeFolders, logFilesAmong, nameOfLog, ownerOf, supersededBy } from '../dialects/registry.ts';
import { documentsAmong } from './document-logs.ts';
import type { Episode } from './episode.ts';
import type { KnownLogs } from './known-logs.ts';
import { packedLogsAmong } from './packed-logs.ts';
import { mayHoldRun, passedOverIn } from './passed-over.ts';
import { isStoreFolder, storedAmong } from './stores.ts';

/** Folders of tools, which have many files and no traces. */
export const NOT_SEARCHED = new Set([
  'node_modules',
  'bower_components',
  '.git',
  '.hg',
  '.svn',
  '.venv',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.yarn',
  '.pnpm-store',
  '.terraform',
  '__pycache__',
]);

/** Lets other work run during a long search, such as signal handlers. */
const others = new Yielder();

/** The entries of a folder. Throws if it cannot be listed, or is missing. */
async function listedEntries(dir: string): Promise<FolderEntry[]> {
  if (others.isDue) await others.yield();
  // A folder may have thousands of entries, and Node's asynchronous call takes several times as long.
  return folderEntries(dir);
}

/** The entries of a folder that may be missing, and has none then. Throws if it cannot be listed. */
export async function entriesOf(dir: string): Promise<FolderEntry[]> {
  try {
    return await listedEntries(dir);
  } catch (error) {
    if (isNothing(error)) return [];
    throw error;
  }
}

/** An entry that no path names. It may be an episode, or contain one. */
export const unnameable = (
  dir: string,
  { name }: FolderEntry,
): Episode & { readonly dir: string; readonly unlisted: string } => ({
  name,
  dir: join(dir, name),
  log: undefined,
  unlisted: UNNAMEABLE,
});

/** The entries of a folder by what they lead to. */
interface Sorted {
  /** Files, and links to files. A broken link counts, because it is worth reporting. */
  readonly files: readonly FolderEntry[];
  /** The names of links to files out of the search, or to nothing. They are never opened. */
  readonly closed: ReadonlySet<string>;
  /** The paths of links that are not followed: to folders, out of the search, or to nothing. */
  readonly links: readonly string[];
}

/** Sorts the entries of a folder. `top`: the folder that the user named. */
function sortOut(dir: string, entries: readonly FolderEntry[], top: string): Sorted {
  const links: string[] = [];
  const closed = new Set<string>();
  const files = entries.filter((entry) => {
    if (!entry.isSymbolicLink()) return entry.isFile();
    const path = join(dir, entry.name);
    const status = statusOf(path);
    const isFile = status?.isFile() === true;
    if (status === undefined || (isFile && leadsOutside(top, path))) closed.add(entry.name);
    if (!isFile || closed.has(entry.name)) links.push(path);
    return status === undefined || isFile;
  });
  return { files, closed, links: links.sort() };
}

/** The contents of a folder. */
interface Contents {
  readonly episodes: readonly Episode[];
  /** Other logs in a folder that is an episode. */
  readonly others: readonly Episode[];
  readonly folders: readonly string[];
  /** Links to folders, and broken links. */
  readonly links: readonly string[];
  /** Paths that look like logs or archives but are not in any episode. */
  readonly passedOver: readonly string[];
  /** The folder's artifacts show that it is an episode. */
  readonly owned: boolean;
}

/** A folder that cannot be listed counts as an episode, because it might be one. */
export function unlistable(dir: string, error: unknown): Contents {
  const unlisted = fileErrorCode(error);
  const episodes = [{ name: basename(dir), dir, log: undefined, unlisted }];
  return { episodes, others: [], folders: [], links: [], passedOver: [], owned: false };
}

/** One of several logs in a folder. */
const logAlone = (name: string, log: string): Episode => ({ name, dir: undefined, log });

/** Whether a log belongs to a dialect whose episodes have folders, but has another name than their logs. */
async function isStray(log: string): Promise<boolean> {
  if (isNamedAsLog(basename(log))) return false;
  try {
    return (await dialectOf(log, basename(log))).folder !== undefined;
  } catch (error) {
    if (isOfTarget(error)) return false;
    throw error;
  }
}

/**
 * The compressed log of an episode, judging by file names. Of several, the one whose ending is written as programs write
 * it, and gzip before zstd. The others are runs of their own.
 */
const packedLogOf = (owner: Dialect, names: readonly string[]): string | undefined =>
  names
    .filter((name) => packedFormat(name)?.kind === 'file' && owner.logFiles([unpackedName(name)]).length > 0)
    .sort((a, b) => packedRank(a) - packedRank(b) || byText(a, b))[0];

/** How to look into a folder. */
interface EpisodesInOptions {
  /** It is inside an episode. */
  readonly inside?: boolean;
  /** The dialect whose checks will run, if not those of the owner. */
  readonly dialect?: DialectName | undefined;
  /** The folder that the user named. Links that lead out of it are not followed. */
  readonly top?: string;
  /** A listing returned it, so its absence is an error. */
  readonly isKnown?: boolean;
  readonly known?: KnownLogs | undefined;
}

/**
 * Finds the episodes in a folder. If artifacts show that it is an episode, it is exactly one: an extra file
 * must not turn its log into one of several, which have fewer checks. Other logs in it are separate episodes.
 * Without artifacts: the logs in it, and documents that are runs.
 */
export async function episodesIn(
  dir: string,
  { inside = false, dialect, top = dir, isKnown = false, known }: EpisodesInOptions = {},
): Promise<Contents> {
  let entries: FolderEntry[];
  try {
    entries = await (isKnown ? listedEntries(dir) : entriesOf(dir));
  } catch (error) {
    return unlistable(dir, error);
  }
  const { files, closed, links } = sortOut(dir, entries, top);
  const names = files.map(({ name }) => name);
  const pathOf = pathsIn(dir);
  const owner = ownerOf({ dir, names });
  const isStore = isStoreFolder(entries.map(({ name }) => name));
  const folders = entries
    .filter((entry) => !isStore && entry.isDirectory() && (inside || owner || !NOT_SEARCHED.has(entry.name)))
    .map(({ name }) => pathOf(name))
    .sort();
  const own = owner?.logFiles(names)[0] ?? (owner && packedLogOf(owner, names));
  // The checks of the owner read these files, and report records of another program in them.
  const isChecked = dialect === undefined || dialect === owner?.name;
  const artifacts = new Set(isChecked ? owner?.sideFiles?.(names) : []);
  const free = names.filter((name) => name !== own && !artifacts.has(name) && !closed.has(name));
  const logs = logsIn({ dir, names: free }, known).map((name) => ({ name, log: pathOf(name) }));
  const packed = await packedLogsAmong(dir, free);
  const stored = await storedAmong(
    dir,
    free,
    entries.map(({ name }) => name),
  );
  const isNew = (name: string) => !logs.some((log) => log.name === name);
  const documents = documentsAmong(dir, free).filter((name) => isNew(name) && !supersededBy(name, names));
  const more = [
    ...packed.map(({ name, packed }): Episode => {
      const log = pathOf(name);
      return { ...logAlone(nameOfLog(unpackedPath(log)) ?? name, log), packed };
    }),
    ...documents.map((name) => logAlone(nameOfLog(pathOf(name)) ?? name, pathOf(name))),
    ...stored.episodes,
  ];
  const taken = new Set(
    [...logs, ...packed].map(({ name }) => name).concat(documents, stored.files, ...artifacts, ...closed),
  );
  const passedOver = [
    ...(await passedOverIn({ dir, entries, names, owner, own, taken, dialect })),
    ...stored.unread,
  ];
  const lost = entries.filter(
    (entry) => entry.unnameable === 'folder' || (entry.unnameable === 'file' && mayHoldRun(entry.name)),
  );
  const found = { folders, links, passedOver, owned: owner !== undefined };
  const unnamed = lost.map((entry) => unnameable(dir, entry));
  if (owner) {
    const log = own === undefined || packedFormat(own) ? undefined : pathOf(own);
    const others = logs.map(({ name, log: other }) => logAlone(nameOfLog(other) ?? name, other));
    const isPacked = own !== undefined && log === undefined;
    const episode = {
      name: basename(dir),
      dir,
      log,
      owner: owner.name,
      ...(isPacked && { packedLog: pathOf(own) }),
    };
    return { ...found, episodes: [episode], others: [...others, ...more, ...unnamed] };
  }
  const [only] = logs;
  const isWhole = logs.length === 1 && only !== undefined && !(await isStray(only.log));
  const episodes = logs.map(({ name, log }) => {
    const named = nameOfLog(log);
    if (named !== undefined) return logAlone(named, log);
    return isWhole ? { name: basename(dir), dir, log } : logAlone(name, log);
  });
  return { ...found, episodes: [...episodes, ...more], others: unnamed };
}

/**
 * The episode of a folder whose log is this file, packed or not; undefined if the file is a log of its own. `below`: finds
 * the episodes in and below a folder.
 */
export async function episodeWithLog(
  log: string,
  below: (dir: string) => Promise<readonly Episode[]>,
): Promise<Episode | undefined> {
  const dir = dirname(log);
  const name = basename(log);
  const names = sortOut(dir, await entriesOf(dir).catch(() => []), dir).files.map((file) => file.name);
  const owner = ownerOf({ dir, names });
  if (owner === undefined) {
    // Nothing but its name says that the folder is an episode.
    const isEpisode = ({ idPrefix, log: usual }: EpisodeFolder) =>
      basename(dir).startsWith(idPrefix) && usual === unpackedName(name);
    if (!episodeFolders().some(isEpisode)) return undefined;
    return (await episodesIn(dir)).episodes.find((episode) => episode.log === log && episode.dir === dir);
  }
  const own = owner.logFiles(names)[0] ?? packedLogOf(owner, names);
  return own === name ? (await below(dir)).find((episode) => episode.dir === dir) : undefined;
}

/** The files in a folder that are logs, packed or not, judging by their names. */
export function logsNamedIn(folder: string, entries: readonly FolderEntry[]): string[] {
  const { files, closed } = sortOut(folder, entries, folder);
  const names = files.flatMap(({ name }) =>
    closed.has(name) || (packedFormat(name)?.kind ?? 'file') !== 'file' ? [] : [name],
  );
  const logNames = new Set(logFilesAmong(names.map(unpackedName)));
  return names.filter((name) => logNames.has(unpackedName(name))).map(pathsIn(folder));
}
