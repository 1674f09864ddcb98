import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { unpackedPath } from '../base/archives/format.ts';
import { statusOf } from '../base/files/paths.ts';
import { pushAll } from '../base/files/push-all.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { foldersOfParts, nameOfLog, ownerOf } from '../dialects/registry.ts';
import { documentsAmong } from './document-logs.ts';
import { type Episode, linked, pathOf } from './episode.ts';
import { entriesOf, episodesIn, logsNamedIn, NOT_SEARCHED } from './folder-contents.ts';
import type { KnownLogs } from './known-logs.ts';
import { kindAt, mayHoldRun } from './passed-over.ts';
import { partsAmong, withParts } from './with-parts.ts';

/** The maximum number of folders searched behind a link. */
const SEARCHED_BEHIND_LINK = 256;

/**
 * Whether a link leads to a log, to an episode or to a folder with one, or is broken but has a name of such. A folder too
 * large to search counts, because it might have one.
 */
async function leadsToEpisodes(link: string): Promise<boolean> {
  const status = statusOf(link);
  const name = basename(link);
  if (status === undefined) return mayHoldRun(name) || ownerOf({ dir: link, names: [link] }) !== undefined;
  if (status.isFile()) return mayHoldRun(name) || documentsAmong(dirname(link), [name]).length > 0;
  const left = [link];
  for (let searched = 0; searched < SEARCHED_BEHIND_LINK; searched += 1) {
    const next = left.shift();
    if (next === undefined) return false;
    const { episodes, others, folders } = await episodesIn(next);
    if (episodes.length + others.length > 0) return true;
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
 * reported. `dialect`: the one that the user named. `known`: answers about logs from earlier runs, if they may be
 * believed.
 */
export async function searchFolder(
  folder: string,
  dialect?: DialectName,
  known?: KnownLogs,
): Promise<Search> {
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
    } = await episodesIn(dir, { inside, dialect, top: folder, isKnown: dir !== folder, known });
    // An artifact inside an episode, such as the state in a checkpoint, belongs to that episode.
    pushAll(
      found,
      episodes.filter((episode) => !inside || holdsLog(episode)),
    );
    pushAll(found, others);
    if (!inside) pushAll(passedOver, passed);
    // Verification reports the links inside an episode.
    for (const link of inside || owned ? [] : links)
      if (!isVisited(link) && (await leadsToEpisodes(link))) found.push(linked(link));
    const own = owned && !inside ? found.indexOf(episodes[0] as Episode) : -1;
    for (const inner of folders) await visit(inner, inside || owned);
    if (own === -1) return;
    const inner = found.slice(own + 1).map((episode) => relative(dir, episode.log ?? pathOf(episode)));
    if (inner.length > 0) found[own] = { ...(found[own] as Episode), inner };
  };
  await visit(folder, false);
  return { episodes: await withParts(found, known), passedOver };
}

/** Whether an episode may have a log, possibly compressed. An artifact alone is not enough. */
const holdsLog = ({ log, unlisted, packedLog }: Episode): boolean =>
  log !== undefined || unlisted !== undefined || packedLog !== undefined;

/** Finds every episode below a folder, sorted by path. */
export const findEpisodes = async (folder: string): Promise<readonly Episode[]> =>
  (await searchFolder(folder)).episodes;

/** Whether there is an episode in or below a folder. Stops at the first one. */
export async function holdsEpisodes(folder: string): Promise<boolean> {
  const { episodes, others, folders } = await episodesIn(folder);
  if (episodes.length + others.length > 0) return true;
  for (const inner of folders) if (await holdsEpisodes(inner)) return true;
  return false;
}

/** Whether a folder is not a single log, but has episodes in or below it. */
export async function holdsMany(folder: string): Promise<boolean> {
  const { episodes } = await episodesIn(folder);
  return episodes.length !== 1 && holdsEpisodes(folder);
}

/**
 * The logs that are parts of another: those next to it or in other folders of its dialect, and those in folders whose names
 * begin with its name. `unread`: what may be one of them, and is not read. `log`: its path without packing. `known`: as in
 * {@link searchFolder}.
 */
export async function partsOf(
  log: string,
  known?: KnownLogs,
): Promise<{ readonly parts: readonly string[]; readonly unread: readonly string[] }> {
  const name = nameOfLog(log);
  if (name === undefined) return { parts: [], unread: [] };
  const found: string[] = [];
  const unread: string[] = [];
  for (const folder of new Set([dirname(log), ...foldersOfParts(log)])) {
    const entries = await entriesOf(folder).catch(() => []);
    pushAll(found, logsNamedIn(folder, entries));
    for (const entry of entries) {
      if (!entry.name.startsWith(name)) continue;
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink() && path !== log && (await leadsToEpisodes(path))) unread.push(path);
      if (!entry.isDirectory()) continue;
      const { episodes, passedOver } = await searchFolder(path);
      for (const episode of episodes) {
        if (episode.log !== undefined) found.push(episode.log);
        else if (episode.link || episode.unlisted !== undefined) unread.push(pathOf(episode));
      }
      pushAll(
        unread,
        passedOver.filter((other) => kindAt(other) === 'other'),
      );
    }
  }
  const others = found.filter((other) => unpackedPath(other) !== log);
  return { parts: await partsAmong(others, name, known), unread };
}

/** The folder that has the folder with the name of a session, if a log of a part is below that. */
function aboveFolder(session: string, part: string): string[] {
  for (let folder = dirname(part); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === session) return [dirname(folder)];
  return [];
}

/** The log of a session whose part a log is, if it is where {@link partsOf} finds the part. */
export async function wholeNear(session: string, part: string): Promise<string | undefined> {
  for (const folder of new Set([dirname(part), ...aboveFolder(session, part), ...foldersOfParts(part)])) {
    const logs = logsNamedIn(folder, await entriesOf(folder).catch(() => []));
    const whole = logs.find((log) => log !== part && nameOfLog(unpackedPath(log)) === session);
    if (whole !== undefined) return whole;
  }
  return undefined;
}
