import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { PackedFormat } from '../archives/format.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { logFilesAmong, nameOfLog, ownerOf, wholeOf } from '../dialects/registry.ts';
import { logsIn } from '../dialects/sample.ts';
import { fileErrorCode, isNothing } from '../errors.ts';
import { documentsAmong } from './document-logs.ts';

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
  readonly episodes: Episode[];
  readonly folders: string[];
  /** Links that lead to folders, or nowhere. */
  readonly links: string[];
  /** The directory is one episode by its artifacts, and all that lies below may belong to it. */
  readonly owned: boolean;
}

/** A directory that cannot be listed stands for an episode: nobody knows that it is none. */
export function unlistable(dir: string, error: unknown): Contents {
  const unlisted = fileErrorCode(error);
  const episodes = [{ name: basename(dir), dir, log: undefined, unlisted }];
  return { episodes, folders: [], links: [], owned: false };
}

/**
 * What a directory holds. Where artifacts say that it is an episode, it is that one episode, and no other file makes
 * its log one of several: that would spare it checks. Else the logs in it, and documents that hold a run each.
 */
export async function episodesIn(dir: string): Promise<Contents> {
  let entries: Dirent[];
  try {
    entries = await entriesOf(dir);
  } catch (error) {
    return unlistable(dir, error);
  }
  const [files, links] = sortOut(dir, entries);
  const names = files.map(({ name }) => name);
  const folders = entries
    .filter((entry) => entry.isDirectory() && !NOT_SEARCHED.has(entry.name))
    .map(({ name }) => join(dir, name))
    .sort();
  const owner = ownerOf({ dir, names });
  if (owner) {
    const [own] = owner.logFiles(names);
    const log = own === undefined ? undefined : join(dir, own);
    const episodes = [{ name: basename(dir), dir, log, owner: owner.name }];
    return { episodes, folders, links, owned: true };
  }
  const logs = logsIn({ dir, names }).map((name) => ({ name, log: join(dir, name) }));
  const [only] = logs;
  const episodes = logs.map(({ name, log }) => {
    const own = nameOfLog(log);
    if (own !== undefined) return { name: own, dir: undefined, log };
    return log === only?.log && logs.length === 1
      ? { name: basename(dir), dir, log }
      : { name, dir: undefined, log };
  });
  const documents = documentsAmong(dir, names).map((name) => ({
    name,
    dir: undefined,
    log: join(dir, name),
  }));
  return { episodes: [...episodes, ...documents], folders, links, owned: false };
}

/** So many folders behind a link are looked into before it is taken for one that leads to no episodes. */
const LOOKED_INTO = 256;

/** Whether a link leads to an episode, or to a folder with some; or nowhere, from the name of an episode. */
async function leadsToEpisodes(link: string): Promise<boolean> {
  if (statusOrNone(link) === undefined) return ownerOf({ dir: link, names: [link] }) !== undefined;
  const { episodes, folders } = await episodesIn(link);
  if (episodes.length > 0) return true;
  for (const folder of folders.slice(0, LOOKED_INTO))
    if ((await episodesIn(folder)).episodes.length > 0) return true;
  return false;
}

/**
 * Every episode below a folder, sorted by path. A log in a folder hides nothing that lies below it. Inside an episode
 * only whole episodes are sought: its attachments are its own. Links are not followed; one that leads to an episode
 * elsewhere is found as such, so that it can be said.
 */
export async function findEpisodes(folder: string): Promise<Episode[]> {
  const found: Episode[] = [];
  const top = statusOrNone(folder) === undefined ? folder : realpathSync(folder);
  const isBelow = (link: string) =>
    statusOrNone(link) !== undefined && `${realpathSync(link)}${sep}`.startsWith(`${top}${sep}`);
  const visit = async (dir: string, inside: boolean): Promise<void> => {
    const { episodes, folders, links, owned } = await episodesIn(dir);
    if (!inside) for (const episode of episodes) found.push(episode);
    else if (owned) for (const episode of episodes) if (episode.log !== undefined) found.push(episode);
    // What lies in an episode is its own verification's.
    for (const link of inside || owned ? [] : links)
      if (!isBelow(link) && (await leadsToEpisodes(link)))
        found.push({ name: basename(link), dir: link, log: undefined, link: true });
    for (const inner of folders) await visit(inner, inside || owned);
  };
  await visit(folder, false);
  return withParts(found);
}

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

/** Logs that are parts of others that were found too go with those. */
function withParts(found: readonly Episode[]): Episode[] {
  const parts = new Map<string, string[]>();
  const names = new Set(found.map(({ name }) => name));
  const rest = found.filter(({ log }) => {
    const whole = log === undefined ? undefined : wholeOf(log);
    if (log === undefined || whole === undefined || !names.has(whole)) return true;
    parts.set(whole, [...(parts.get(whole) ?? []), log]);
    return false;
  });
  return rest.map((episode) => {
    const own = parts.get(episode.name);
    // Of two sessions of one id the first has them: a copy elsewhere is another session.
    parts.delete(episode.name);
    return own === undefined ? episode : { ...episode, parts: own };
  });
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
