import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { packedFormat, unpackedName } from '../base/archives/format.ts';
import { fileErrorCode, isNothing, isOfTarget } from '../base/errors.ts';
import { statusOf } from '../base/files/paths.ts';
import { pushAll } from '../base/files/push-all.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { dialectOf, isNamedAsLog, logsIn } from '../dialects/kit/sample.ts';
import { logFilesAmong, nameOfLog, ownerOf, supersededBy, wholeOf } from '../dialects/registry.ts';
import { documentsAmong } from './document-logs.ts';
import { type Episode, pathOf } from './episode.ts';
import { packedLogsAmong } from './packed-logs.ts';
import { passedOverIn } from './passed-over.ts';
import { withParts } from './with-parts.ts';

/** Folders of tools, which have many files and no traces. */
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

/** The entries of a folder. Throws if it cannot be listed; a missing folder has none. */
export async function entriesOf(dir: string): Promise<Dirent[]> {
  // Let other work run, such as signal handlers.
  if (++listed % LISTED_PER_TURN === 0) await setImmediate();
  try {
    // A folder may have thousands of entries, and Node's asynchronous call takes several times as long.
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (isNothing(error)) return [];
    throw error;
  }
}

/**
 * Splits the entries of a folder into possible files and links to folders. A broken link is in both, because
 * it is worth reporting.
 */
function sortOut(dir: string, entries: readonly Dirent[]): [files: Dirent[], links: string[]] {
  const links: string[] = [];
  const files = entries.filter((entry) => {
    if (!entry.isSymbolicLink()) return entry.isFile();
    const path = join(dir, entry.name);
    const status = statusOf(path);
    if (status === undefined || status.isDirectory()) links.push(path);
    return status === undefined || status.isFile();
  });
  return [files, links.sort()];
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

/** The compressed log of an episode, judging by file names. */
export const packedLogOf = (owner: Dialect, names: readonly string[]): string | undefined =>
  names
    .filter((name) => packedFormat(name)?.kind === 'file' && owner.logFiles([unpackedName(name)]).length > 0)
    .sort()[0];

/**
 * Finds the episodes in a folder. If artifacts show that it is an episode, it is exactly one: an extra file
 * must not turn its log into one of several, which have fewer checks. Other logs in it are separate episodes.
 * Without artifacts: the logs in it, and documents that are runs. `dialect`: whose checks will run, if not
 * those of the owner.
 */
export async function episodesIn(dir: string, inside = false, dialect?: DialectName): Promise<Contents> {
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
  // The checks of the owner read these files, and report records of another program in them.
  const isChecked = dialect === undefined || dialect === owner?.name;
  const artifacts = new Set(isChecked ? owner?.sideFiles?.(names) : []);
  const free = names.filter((name) => name !== own && !artifacts.has(name));
  const logs = logsIn({ dir, names: free }).map((name) => ({ name, log: join(dir, name) }));
  const packed = await packedLogsAmong(dir, free);
  const isNew = (name: string) => !logs.some((log) => log.name === name);
  const documents = documentsAmong(dir, free).filter((name) => isNew(name) && !supersededBy(name, names));
  const more = [
    ...packed.map(({ name, packed }): Episode => ({ ...logAlone(name, join(dir, name)), packed })),
    ...documents.map((name) => logAlone(nameOfLog(join(dir, name)) ?? name, join(dir, name))),
  ];
  const taken = new Set([...logs, ...packed].map(({ name }) => name).concat(documents, ...artifacts));
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

/** The maximum number of folders searched behind a link. */
const SEARCHED_BEHIND_LINK = 256;

/**
 * Whether a link leads to an episode, or to a folder with one, or is broken but has an episode's name. A
 * folder too large to search counts, because it might have one.
 */
async function leadsToEpisodes(link: string): Promise<boolean> {
  if (statusOf(link) === undefined) return ownerOf({ dir: link, names: [link] }) !== undefined;
  const left = [link];
  for (let searched = 0; searched < SEARCHED_BEHIND_LINK; searched += 1) {
    const next = left.shift();
    if (next === undefined) return false;
    const { episodes, folders } = await episodesIn(next);
    if (episodes.length > 0) return true;
    pushAll(left, folders);
  }
  return left.length > 0;
}

/** The result of a search below a folder. */
export interface Search {
  readonly episodes: readonly Episode[];
  /** Paths that look like logs or archives but are not in any episode. */
  readonly passedOver: readonly string[];
}

/**
 * Finds every episode below a folder, sorted by path. A log inside an episode is an episode too, so nothing
 * can hide a log. Links are not followed, but one that leads to an episode elsewhere is in the result, to be
 * reported. `dialect`: the one that the user named.
 */
export async function searchFolder(folder: string, dialect?: DialectName): Promise<Search> {
  const found: Episode[] = [];
  const passedOver: string[] = [];
  let top: string | undefined;
  /** Whether a link leads to a folder that this search visits anyway. */
  const isVisited = (link: string): boolean => {
    if (statusOf(link) === undefined) return false;
    // Few folders have links, and this takes a call per part of the path.
    top ??= realpathSync(folder);
    const below = relative(top, realpathSync(link));
    const steps = below.split(sep);
    return steps[0] !== '..' && !isAbsolute(below) && !steps.some((step) => NOT_SEARCHED.has(step));
  };
  const visit = async (dir: string, inside: boolean): Promise<void> => {
    const {
      episodes,
      others,
      folders,
      links,
      owned,
      passedOver: passed,
    } = await episodesIn(dir, inside, dialect);
    // An artifact inside an episode, such as the state in a checkpoint, belongs to that episode.
    pushAll(
      found,
      episodes.filter((episode) => !inside || holdsLog(episode)),
    );
    pushAll(found, others);
    if (!inside) pushAll(passedOver, passed);
    // Verification reports the links inside an episode.
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

/** Whether an episode may have a log, possibly compressed. An artifact alone is not enough. */
const holdsLog = ({ log, unlisted, packedLog }: Episode): boolean =>
  log !== undefined || unlisted !== undefined || packedLog === true;

/** Finds every episode below a folder, sorted by path. */
export const findEpisodes = async (folder: string): Promise<readonly Episode[]> =>
  (await searchFolder(folder)).episodes;

/** Whether there is an episode in or below a folder. Stops at the first one. */
export async function holdsEpisodes(folder: string): Promise<boolean> {
  const { episodes, folders } = await episodesIn(folder);
  if (episodes.length > 0) return true;
  for (const inner of folders) if (await holdsEpisodes(inner)) return true;
  return false;
}

/** Whether a folder is not a single log, but has episodes in or below it. */
export async function holdsMany(folder: string): Promise<boolean> {
  const { episodes } = await episodesIn(folder);
  return episodes.length !== 1 && holdsEpisodes(folder);
}

/** The logs that are parts of another: those next to it, and those in the folder with its name. */
export async function partsOf(log: string): Promise<string[]> {
  const name = nameOfLog(log);
  if (name === undefined) return [];
  const folder = dirname(log);
  const [files] = sortOut(folder, await entriesOf(folder).catch(() => []));
  const siblings = logFilesAmong(files.map((file) => file.name)).map((file) => join(folder, file));
  const below = (await findEpisodes(join(folder, name))).flatMap((episode) => episode.log ?? []);
  return [...siblings, ...below].filter((other) => other !== log && wholeOf(other) === name);
}
