import { basename, resolve, sep } from 'node:path';
import { unpackedName, unpackedPath } from '../base/archives/format.ts';
import { ArchiveFault } from '../base/archives/problem.ts';
import { isOfTarget, type SearchedFolders } from '../base/errors.ts';
import { statusOf } from '../base/files/paths.ts';
import { pushAll } from '../base/files/push-all.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { firstRecords } from '../dialects/kit/sample.ts';
import { allDialects, detectDialect, nameOfLog } from '../dialects/registry.ts';
import type { PassedOver } from '../findings/options.ts';
import { packedIn } from './compressed-log.ts';
import { isConverted, readConverted } from './converted.ts';
import type { Episode } from './episode.ts';
import { type Search, searchFolder } from './find.ts';
import type { HomeContents, RootSearch } from './root.ts';
import { isInStore, searchedStore } from './stores.ts';
import { withParts } from './with-parts.ts';

type HomeSearch = Pick<RootSearch, 'home' | 'env' | 'dialect' | 'known' | 'found' | 'unpackPlace'>;

/** The folders in which each dialect keeps logs on this machine; of one dialect if named. */
export function homesByDialect({ home, env = {}, dialect }: HomeSearch): SearchedFolders[] {
  return allDialects()
    .filter(({ name }) => dialect === undefined || name === dialect)
    .map(({ name, homes }) => ({ what: name, folders: [...(homes?.({ env, home }) ?? [])] }))
    .filter(({ folders }) => folders.length > 0);
}

/** The folders in which dialects keep logs on this machine; of one dialect if named. */
export const homesOf = (search: HomeSearch): string[] => [
  ...new Set(homesByDialect(search).flatMap(({ folders }) => folders)),
];

/** The folders in which the ids of streams are looked up. */
export const foldersOfStreams = (search: RootSearch): string[] =>
  search.flag === undefined ? [search.cwd, ...homesOf(search)] : [resolve(search.cwd, search.flag)];

/** Searches the folders in which dialects keep their logs, once per command and named dialect. */
export async function searchHomes(search: HomeSearch): Promise<HomeContents> {
  const { found = {}, dialect } = search;
  found.homes ??= new Map();
  const known = found.homes.get(dialect) ?? searchedHomes(search);
  found.homes.set(dialect, known);
  return known;
}

/** The runs of a home that is a file. */
async function storeIn(path: string): Promise<Search | undefined> {
  const stored = statusOf(path)?.isFile() ? await searchedStore(path) : undefined;
  return stored && { episodes: stored.episodes, passedOver: stored.unread };
}

async function searchedHomes(search: HomeSearch): Promise<HomeContents> {
  const episodes: Episode[] = [];
  const passedOver: PassedOver[] = [];
  const seen = new Set<string>();
  for (const { folders } of homesByDialect(search)) {
    const ofDialect: Episode[] = [];
    let full = 0;
    for (const folder of folders) {
      if (seen.has(folder)) continue;
      seen.add(folder);
      const found = (await storeIn(folder)) ?? (await searchFolder(folder, search.dialect, search.known));
      if (found.episodes.length > 0) full += 1;
      pushAll(ofDialect, found.episodes);
      passedOver.push({ folder, files: found.passedOver });
    }
    // A session may have logs in several folders, for example if one of them was archived.
    pushAll(episodes, full > 1 ? await withParts(ofDialect, search.known) : ofDialect);
  }
  return { episodes, passedOver };
}

/** Whether an episode can be read: its folder can be listed, and is not a link. */
export const isReadable = ({ unlisted, link }: Episode): boolean => unlisted === undefined && !link;

/** The logs that dialects keep on this machine, as far as they can be read. */
export const episodesAtHome = async (search: HomeSearch): Promise<Episode[]> =>
  (await searchHomes(search)).episodes.filter(isReadable);

/** The dialect that keeps its logs where a log is. */
export const dialectAt = (path: string, search: HomeSearch): DialectName | undefined =>
  homesByDialect(search).find(({ folders }) => folders.some((folder) => isBelow(path, folder)))?.what;

/** Whether a path is in a folder, or is a run of a store, such as `<store>#<id>`. */
export const isBelow = (path: string, folder: string): boolean =>
  [folder.endsWith(sep) ? folder : folder + sep, `${folder}#`].some((start) => path.startsWith(start));

/** Whether the named dialect keeps its logs in fixed places, so no root is needed. */
export function hasHomes(dialect: DialectName | undefined): dialect is DialectName {
  return allDialects().some(({ name, homes }) => name === dialect && homes !== undefined);
}

/** Whether a name is that of a file. */
export const looksLikeFile = (text: string): boolean =>
  /^[^/\\.~][^/\\]*\.(?:jsonl|ndjson|json|log)$/.test(text);

/** Whether an id is that of the log of a part: `agent-<id>.jsonl`, `rollout-<time>-<id>.jsonl`. */
function isIdOf(id: string, part: string): boolean {
  const stem = unpackedName(basename(part)).replace(/\.jsonl$/, '');
  return stem === id || stem.endsWith(`-${id}`);
}

/** The name of the log of a part, which commands accept as a target. */
export const nameOfPart = (part: string): string => nameOfLog(unpackedPath(part)) ?? basename(part);

/** A word before the id of a part, which users need not type. */
const BEFORE_ID = /^agent-/;

/** Whether the id of a part begins with a text: as tables show it, or without the word before it. */
const partBegins = (part: string, text: string): boolean => {
  const name = nameOfPart(part);
  return name.startsWith(text) || name.replace(BEFORE_ID, '').startsWith(text);
};

const partAt = (part: string): Episode => ({
  name: nameOfPart(part),
  dir: undefined,
  log: part,
  ...packedIn(part),
});

/** The names of all sessions on this machine and of their parts. */
export async function namesAtHome(search: HomeSearch): Promise<string[]> {
  const found = await episodesAtHome(search);
  return [...new Set(found.flatMap(({ name, parts = [] }) => [name, ...parts.map(nameOfPart)]))];
}

/** The id of the session that the first records of a log state. */
function statedSession(log: string): string | undefined {
  const records = firstRecords(log, () => false) ?? [];
  const dialect = detectDialect({ fileName: basename(log), records });
  for (const record of records) {
    const id = dialect.sessionOf?.(record);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The id of the session in a log whose name does not have the whole id, such as a renamed copy; undefined if it cannot be read. */
async function sessionIn(
  log: string,
  { known, unpackPlace }: Pick<RootSearch, 'known' | 'unpackPlace'>,
): Promise<string | undefined> {
  const read = async () =>
    isConverted(log)
      ? readConverted(log, unpackPlace, ([one]) => one?.log && statedSession(one.log))
      : statedSession(log);
  try {
    return await (known === undefined ? read() : known.foundFact(log, 'session', read));
  } catch (error) {
    if (isOfTarget(error) || error instanceof ArchiveFault) return undefined;
    throw error;
  }
}

/** Whether the name of a log leaves open whether its session has this id: it has no id, or only the beginning of this one. */
function leavesOpen(log: string, id: string): boolean {
  const name = nameOfLog(log);
  return name === undefined || id.startsWith(name);
}

/** The sessions whose names do not have their whole id, by their records. */
async function sessionsByRecords(
  id: string,
  found: readonly Episode[],
  search: HomeSearch,
): Promise<Episode[]> {
  const sessions: Episode[] = [];
  for (const one of found) {
    const { log } = one;
    if (log === undefined || isInStore(log) || !leavesOpen(log, id)) continue;
    if ((await sessionIn(log, search))?.startsWith(id) === true) sessions.push(one);
  }
  return sessions;
}

/**
 * The sessions with this id, or else with this prefix, or else the part of a session with this id, or else the sessions
 * whose records have it, or else the parts with this prefix. Several sessions may have one id: copies in two folders, or sessions of two programs.
 */
export async function episodesNamedAtHome(id: string, search: HomeSearch): Promise<Episode[]> {
  const found = await episodesAtHome(search);
  if (looksLikeFile(id)) {
    const files = found.filter(({ log = '' }) => basename(log) === id);
    if (files.length > 0) return files;
  }
  const exact = found.filter(({ name }) => name === id);
  if (exact.length > 0) return exact;
  const begun = found.filter(({ name }) => name.startsWith(id));
  if (begun.length > 0) return begun;
  const parts = found.flatMap(({ parts: own = [] }) => own);
  const part = parts.find((one) => isIdOf(id, one));
  if (part !== undefined) return [partAt(part)];
  const stated = await sessionsByRecords(id, found, search);
  if (stated.length > 0) return stated;
  return [...new Set(parts.filter((one) => partBegins(one, id)))].map(partAt);
}
