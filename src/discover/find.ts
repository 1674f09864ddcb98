import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type PackedFormat, packedFormat, unpackedName } from '../archives/format.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { logFilesAmong, nameOfLog, ownerOf, wholeOf } from '../dialects/registry.ts';
import { dialectOf, isNamedAsLog, logsIn } from '../dialects/sample.ts';
import { fileErrorCode, isNothing } from '../errors.ts';
import { documentsAmong } from './document-logs.ts';
import { packedLogsAmong } from './packed-logs.ts';
import { passedOverIn } from './passed-over.ts';
import { withParts } from './with-parts.ts';

/** An episode that was found: its directory, and its log where it has one. */
export interface Episode {
  /** The directory's name; for a log that shares its directory with others, the log's. */
  readonly name: string;
  /** The episode's directory; undefined for a log alone. */
  readonly dir: string | undefined;
  readonly log: string | undefined;
  /** One run of a log that holds many. */
  readonly run?: string;
  /** Logs of their own that belong to it, such as those of subagents. */
  readonly parts?: readonly string[];
  /** The dialect that the artifacts in the directory are of, whatever the log looks like. */
  readonly owner?: DialectName;
  /** Why the directory could not be listed: nobody knows what lies in it. */
  readonly unlisted?: string;
  /** The directory is a link, which is not followed. */
  readonly link?: true;
  /** The log is an archive of episodes, or compressed. */
  readonly packed?: PackedFormat;
  /** Of an archive, the path of what is meant. */
  readonly inside?: string;
  /** Its own log is compressed; the verification unpacks it. */
  readonly packedLog?: true;
  /** Other logs in its directory and below, as paths from it: each is an episode of its own. */
  readonly inner?: readonly string[];
}

/** Where an episode lies: its directory, or the log that is alone. */
export const pathOf = ({ dir, log = '' }: Pick<Episode, 'dir' | 'log'>): string => dir ?? log;

/** Folders of tools that hold no traces, and often very many files. */
const NOT_SEARCHED = new Set([
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

const LISTED_PER_TURN = 64;
let listed = 0;

/** What a directory holds. Throws where it cannot be listed; one that is gone holds nothing. */
export async function entriesOf(dir: string): Promise<Dirent[]> {
  // Other work, a signal above all, gets its turn.
  if (++listed % LISTED_PER_TURN === 0) await setImmediate();
  try {
    // A folder may hold thousands, and node takes several times as long for the asynchronous way.
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (isNothing(error)) return [];
    throw error;
  }
}

/**
 * Of the entries of a directory, those that may be read as files, and the paths of the links that lead to folders or
 * nowhere. A link that leads nowhere is among both: that is worth saying.
 */
function sortOut(dir: string, entries: readonly Dirent[]): [files: Dirent[], links: string[]] {
  const links: string[] = [];
  const files = entries.filter((entry) => {
    if (!entry.isSymbolicLink()) return entry.isFile();
    const path = join(dir, entry.name);
    const status = statusOrNone(path);
    if (status === undefined || status.isDirectory()) links.push(path);
    return status === undefined || status.isFile();
  });
  return [files, links.sort()];
}

function statusOrNone(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** What a directory holds. */
interface Contents {
  readonly episodes: readonly Episode[];
  /** Where the directory is one episode by its artifacts: the other logs in it. */
  readonly others: readonly Episode[];
  readonly folders: readonly string[];
  /** Links that lead to folders, or nowhere. */
  readonly links: readonly string[];
  /** Paths that are named like logs or archives and were not taken for episodes. */
  readonly passedOver: readonly string[];
  /** The directory is one episode by its artifacts. */
  readonly owned: boolean;
}

/** A directory that cannot be listed counts as an episode: nobody knows that it is not one. */
export function unlistable(dir: string, error: unknown): Contents {
  const unlisted = fileErrorCode(error);
  const episodes = [{ name: basename(dir), dir, log: undefined, unlisted }];
  return { episodes, others: [], folders: [], links: [], passedOver: [], owned: false };
}

/** A log that shares its directory with others. */
const logAlone = (name: string, log: string): Episode => ({ name, dir: undefined, log });

/** Whether a log is of a dialect whose episodes have folders, under a name that is not the one of their logs. */
async function isStray(log: string): Promise<boolean> {
  if (isNamedAsLog(basename(log))) return false;
  const dialect = await dialectOf(log, basename(log)).catch(() => undefined);
  return dialect?.folder !== undefined;
}

/** The compressed log of an episode, by the names of its files. */
export const packedLogOf = (owner: Dialect, names: readonly string[]): string | undefined =>
  names
    .filter((name) => packedFormat(name)?.kind === 'file' && owner.logFiles([unpackedName(name)]).length > 0)
    .sort()[0];

/**
 * What a directory holds. Where artifacts say that it is an episode, it is that one episode, and no other file makes
 * its log one of several: that would spare it checks. Other logs in it are episodes next to it. Without artifacts, the
 * logs in it, and documents that hold a run each.
 */
export async function episodesIn(dir: string, inside = false): Promise<Contents> {
  let entries: Dirent[];
  try {
    entries = await entriesOf(dir);
  } catch (error) {
    return unlistable(dir, error);
  }
  const [files, links] = sortOut(dir, entries);
  const names = files.map(({ name }) => name);
  const owner = ownerOf({ dir, names });
  const folders = entries
    .filter((entry) => entry.isDirectory() && (inside || owner || !NOT_SEARCHED.has(entry.name)))
    .map(({ name }) => join(dir, name))
    .sort();
  const own = owner?.logFiles(names)[0] ?? (owner && packedLogOf(owner, names));
  const free = names.filter((name) => name !== own);
  const logs = logsIn({ dir, names: free }).map((name) => ({ name, log: join(dir, name) }));
  const packed = await packedLogsAmong(dir, free);
  const documents = documentsAmong(dir, free);
  const more = [
    ...packed.map(({ name, packed }): Episode => ({ ...logAlone(name, join(dir, name)), packed })),
    ...documents.map((name) => logAlone(name, join(dir, name))),
  ];
  const taken = new Set([...logs, ...packed].map(({ name }) => name).concat(documents));
  const passedOver = passedOverIn({ dir, entries, names, owner, own, taken });
  const found = { folders, links, passedOver, owned: owner !== undefined };
  if (owner) {
    const log = own === undefined || packedFormat(own) ? undefined : join(dir, own);
    const others = logs.map(({ name, log: other }) => logAlone(nameOfLog(other) ?? name, other));
    const isPacked = own !== undefined && log === undefined;
    const episode = {
      name: basename(dir),
      dir,
      log,
      owner: owner.name,
      ...(isPacked && { packedLog: true as const }),
    };
    return { ...found, episodes: [episode], others: [...others, ...more] };
  }
  const [only] = logs;
  const isWhole = logs.length === 1 && only !== undefined && !(await isStray(only.log));
  const episodes = logs.map(({ name, log }) => {
    const named = nameOfLog(log);
    if (named !== undefined) return logAlone(named, log);
    return isWhole ? { name: basename(dir), dir, log } : logAlone(name, log);
  });
  return { ...found, episodes: [...episodes, ...more], others: [] };
}

/** At most this many folders behind a link are searched for an episode. */
const SEARCHED_BEHIND_LINK = 256;

/**
 * Whether a link leads to an episode, or to a folder with one below it; or nowhere, from the name of an episode. A
 * folder too large to search counts as one with episodes: nobody knows that it has none.
 */
async function leadsToEpisodes(link: string): Promise<boolean> {
  if (statusOrNone(link) === undefined) return ownerOf({ dir: link, names: [link] }) !== undefined;
  const left = [link];
  for (let searched = 0; searched < SEARCHED_BEHIND_LINK; searched += 1) {
    const next = left.shift();
    if (next === undefined) return false;
    const { episodes, folders } = await episodesIn(next);
    if (episodes.length > 0) return true;
    left.push(...folders);
  }
  return left.length > 0;
}

/** What a search below a folder found. */
export interface Search {
  readonly episodes: readonly Episode[];
  /** Paths that are named like logs or archives and were not taken for episodes. */
  readonly passedOver: readonly string[];
}

/**
 * Every episode below a folder, sorted by path. Nothing hides a log that is below it: a log inside an episode is an
 * episode too. Links are not followed; one that leads to an episode elsewhere is found as such, so that it can be
 * reported.
 */
export async function searchFolder(folder: string): Promise<Search> {
  const found: Episode[] = [];
  const passedOver: string[] = [];
  const top = statusOrNone(folder) === undefined ? folder : realpathSync(folder);
  /** Whether a link leads to a folder that this search visits anyway. */
  const isVisited = (link: string): boolean => {
    if (statusOrNone(link) === undefined) return false;
    const below = relative(top, realpathSync(link));
    const steps = below.split(sep);
    return steps[0] !== '..' && !isAbsolute(below) && !steps.some((step) => NOT_SEARCHED.has(step));
  };
  const visit = async (dir: string, inside: boolean): Promise<void> => {
    const { episodes, others, folders, links, owned, passedOver: passed } = await episodesIn(dir, inside);
    // An artifact inside an episode, such as the state in a checkpoint, belongs to that episode.
    found.push(...episodes.filter((episode) => !inside || holdsLog(episode)), ...others);
    if (!inside) passedOver.push(...passed);
    // The verification of an episode reports the links in it.
    for (const link of inside || owned ? [] : links)
      if (!isVisited(link) && (await leadsToEpisodes(link)))
        found.push({ name: basename(link), dir: link, log: undefined, link: true });
    const own = owned && !inside ? found.indexOf(episodes[0] as Episode) : -1;
    for (const inner of folders) await visit(inner, inside || owned);
    if (own === -1) return;
    const inner = found.slice(own + 1).map((episode) => relative(dir, episode.log ?? pathOf(episode)));
    if (inner.length > 0) found[own] = { ...(found[own] as Episode), inner };
  };
  await visit(folder, false);
  return { episodes: withParts(found), passedOver };
}

/** Whether there is a log, compressed ones included, or nobody can tell. An artifact alone is none. */
const holdsLog = ({ log, unlisted, packedLog }: Episode): boolean =>
  log !== undefined || unlisted !== undefined || packedLog === true;

/** Every episode below a folder, sorted by path. */
export const findEpisodes = async (folder: string): Promise<readonly Episode[]> =>
  (await searchFolder(folder)).episodes;

/** Whether there is an episode in a folder or below it: no more is looked at than it takes to find one. */
export async function holdsEpisodes(folder: string): Promise<boolean> {
  const { episodes, folders } = await episodesIn(folder);
  if (episodes.length > 0) return true;
  for (const inner of folders) if (await holdsEpisodes(inner)) return true;
  return false;
}

/** Whether a folder has no log of its own, or several, and episodes in it or below. */
export async function holdsMany(folder: string): Promise<boolean> {
  const { episodes } = await episodesIn(folder);
  return episodes.length !== 1 && holdsEpisodes(folder);
}

/** The logs that are parts of the one at a path: those beside it, and those in the folder of its name. */
export async function partsOf(log: string): Promise<string[]> {
  const name = nameOfLog(log);
  if (name === undefined) return [];
  const folder = dirname(log);
  const [files] = sortOut(folder, await entriesOf(folder).catch(() => []));
  const beside = logFilesAmong(files.map((file) => file.name)).map((file) => join(folder, file));
  const below = (await findEpisodes(join(folder, name))).flatMap((episode) => episode.log ?? []);
  return [...beside, ...below].filter((other) => other !== log && wholeOf(other) === name);
}

/** The file that a target is, as it is: alone, or the only log of a folder that no artifact makes an episode. */
export const plainFile = ({ dir, log, owner, run, packed }: Omit<Episode, 'name'>): string | undefined =>
  log === '-' || (dir !== undefined && owner !== undefined) || run !== undefined || packed !== undefined
    ? undefined
    : log;
