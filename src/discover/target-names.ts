import { existsSync, readdirSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { packedFormat } from '../archives/format.ts';
import { TargetError } from '../errors.ts';
import { shownPath } from '../files/paths.ts';
import { shortestPrefixes } from '../text/shortest-prefix.ts';
import { pathOf } from './find.ts';
import { episodesAtHome, hasHomes, homesOf } from './homes.ts';
import { findRoot, type RootSearch, requireRoot } from './root.ts';
import { episodePlaces } from './root-episodes.ts';
import { streamsBeginning } from './streams.ts';
import type { EpisodeSummary } from './summary.ts';
import { looksLikePath } from './target.ts';

/** What names an episode of a list in every command that runs in the same folder with the same root. */
export interface TargetName {
  /** The id, where it means the episode there, else the path. */
  readonly full: string;
  /** The beginning of the id that is enough, or the path with the beginning of a run's id. */
  readonly short: string;
}

/** The names of episodes in one place, with the path that each means. */
type Names = ReadonlyMap<string, string>;

const NO_NAMES: Names = new Map();

/** The names under the root; none where there is no root. */
async function underRoot(search: RootSearch): Promise<Names> {
  try {
    const places = await episodePlaces(await requireRoot(search));
    return new Map(places.map(({ name, dir }) => [name, dir]));
  } catch (error) {
    if (error instanceof TargetError) return NO_NAMES;
    throw error;
  }
}

/** The names of the sessions that programs keep on this machine; of two with one name the first counts. */
async function atHome(search: RootSearch): Promise<Names> {
  const isUnused = search.flag !== undefined;
  const found = isUnused ? [] : await episodesAtHome(search);
  return new Map(found.toReversed().map((episode) => [episode.name, pathOf(episode)]));
}

/** The streams in the folders in which ids of streams are looked up. */
function streamsNear(search: RootSearch): Names {
  const { cwd, flag } = search;
  const folders = flag === undefined ? [cwd, ...homesOf(search)] : [resolve(cwd, flag)];
  const found = folders.flatMap((folder) => streamsBeginning(folder, ''));
  return new Map(found.toReversed().map(({ stream, log }) => [stream, log]));
}

/** The names in a folder: a path wins over an id. */
function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}

/** The least beginning of an id that is shown: shorter ones would soon mean several. */
const LEAST = 8;

/** A text that is read as something else than an id. */
const isTaken = (text: string, files: ReadonlySet<string>): boolean =>
  looksLikePath(text) || /^-|^latest$/.test(text) || files.has(text);

/** The beginning of each id that is enough; never one that another name begins with, wherever names are looked up. */
function prefixesOf(names: readonly string[], files: ReadonlySet<string>): (id: string) => string {
  // `ep_` may be left out when an id is typed.
  const typed = (name: string) => (name.startsWith('ep_') ? name.slice('ep_'.length) : name);
  const prefixes = shortestPrefixes(names.map(typed));
  return (id) => {
    const rest = typed(id);
    let short = id.slice(0, id.length - rest.length + Math.max(LEAST, prefixes.get(rest) ?? 0));
    while (short.length < id.length && (isTaken(short, files) || short.endsWith('-')))
      short = id.slice(0, short.length + 1);
    return short;
  };
}

/** A path as a target: never a word or an option. */
const asPath = (path: string): string => (/^-|^latest$/.test(path) ? `./${path}` : path);

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep));

/** Ids that programs make: their beginnings say as much as all of them. */
const MADE_ID = /^(?:ep_)?[\dA-Z]{16,}$|^[\da-f]{8}-[\da-f]{4}-|^(?:\w+-)?[\da-f]{12,}$/i;

/** The log and the run that a path of a list means; undefined for the path of an episode. */
function runAt(path: string): { readonly log: string; readonly run: string } | undefined {
  const at = path.lastIndexOf('#');
  if (at === -1 || existsSync(path)) return undefined;
  return { log: path.slice(0, at), run: path.slice(at + 1) };
}

/** Paths in which the id of a run is cut to the beginning that is enough in its log. */
function shortRuns(paths: readonly string[]): ReadonlyMap<string, string> {
  const byLog = new Map<string, string[]>();
  for (const path of paths) {
    const { log, run } = runAt(path) ?? {};
    // Of a packed log a run is named in full.
    if (log === undefined || run === undefined || packedFormat(log) !== undefined || !existsSync(log))
      continue;
    const runs = byLog.get(log);
    if (runs === undefined) byLog.set(log, [run]);
    else runs.push(run);
  }
  const short = new Map<string, string>();
  for (const [log, runs] of byLog) {
    const prefixes = shortestPrefixes(runs);
    for (const run of runs)
      short.set(`${log}#${run}`, `${log}#${run.slice(0, Math.max(LEAST, prefixes.get(run) ?? 0))}`);
  }
  return short;
}

/** The names that commands look up, only in places in which some of a list are. */
async function namesFor(paths: readonly string[], search: RootSearch) {
  const hasSome = (folders: readonly string[]) => paths.some((path) => isBelow(path, folders));
  const root = await findRoot(search).catch(() => undefined);
  const inRoot = root !== undefined && hasSome([root.dir, root.runsDir ?? root.dir, dirname(root.dir)]);
  return {
    root: inRoot ? await underRoot(search) : NO_NAMES,
    home: hasSome(homesOf(search)) ? await atHome(search) : NO_NAMES,
    streams: streamsNear(search),
  };
}

/**
 * What names each episode of a list in every command that runs in the same folder with the same root. `all`: everything
 * that was found, of which a list may show a part; `wholeRuns`: a log may have runs that are not among them.
 */
export async function targetNames(
  all: readonly EpisodeSummary[],
  search: RootSearch,
  wholeRuns = false,
): Promise<(episode: EpisodeSummary) => TargetName> {
  const paths = all.map(({ path }) => path);
  const { root, home, streams } = await namesFor(paths, search);
  // As `byId` looks them up: the place that is looked into first counts.
  const meant: Names = new Map(
    hasHomes(search.dialect) ? [...streams, ...root, ...home] : [...home, ...streams, ...root],
  );
  const streamAt = new Map([...streams].map(([stream, log]) => [log, stream]));
  const files = namesIn(search.cwd);
  const cut = prefixesOf([...meant.keys()], files);
  const runs = wholeRuns ? NO_NAMES : shortRuns(paths);
  return ({ episode, path }) => {
    const shown = (text: string) => asPath(shownPath(text, search.cwd));
    const isId = (id: string) => meant.get(id) === path && !isTaken(id, files);
    if (isId(episode)) return { full: episode, short: MADE_ID.test(episode) ? cut(episode) : episode };
    const full = shown(path);
    const stream = streamAt.get(path);
    if (stream !== undefined && isId(stream)) return { full, short: stream };
    return { full, short: shown(runs.get(path) ?? path) };
  };
}
