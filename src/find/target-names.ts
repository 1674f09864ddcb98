import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { packedFormat } from '../base/archives/format.ts';
import { TargetError } from '../base/errors.ts';
import { shownPath } from '../base/files/paths.ts';
import { grouped } from '../base/text/grouped.ts';
import { shortestPrefixes } from '../base/text/shortest-prefix.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { idPrefixOf } from '../dialects/registry.ts';
import { pathOf } from './episode.ts';
import {
  episodesAtHome,
  foldersOfStreams,
  hasHomes,
  homesOf,
  isBelow,
  looksLikeFile,
  nameOfPart,
} from './homes.ts';
import { looksLikePath } from './looks-like-path.ts';
import { shortestEnds } from './path-ends.ts';
import { findRoot, type RootSearch, requireRoot } from './root.ts';
import { episodePlaces } from './root-episodes.ts';
import { runAt, runsIn } from './run.ts';
import { idsInStore } from './stores.ts';
import { streamsBeginning } from './streams.ts';
import type { EpisodeSummary } from './summary.ts';

/** Names for an episode that every command understands in the same folder with the same root. */
export interface TargetName {
  /** The id if it is unambiguous, else the path. */
  readonly full: string;
  /** A sufficient prefix of the id, or the path with a prefix of the run's id. */
  readonly short: string;
  /** As a table shows it: like `short`, but the end of a path if that is enough. */
  readonly brief: string;
}

/** The names that a list shows. */
export type ShownName = Pick<TargetName, 'full' | 'brief'>;

/** A run as a list has it. */
export type NamedRun = Pick<EpisodeSummary, 'episode' | 'path'>;

/** The names in one place, with the path of each. */
type Names = ReadonlyMap<string, string>;

const NO_NAMES: Names = new Map();

/** The names under the root; empty without a root. */
async function underRoot(search: RootSearch): Promise<Names> {
  try {
    const places = await episodePlaces(await requireRoot(search));
    return new Map(places.map(({ name, dir }) => [name, dir]));
  } catch (error) {
    if (error instanceof TargetError) return NO_NAMES;
    throw error;
  }
}

/** The names of sessions on this machine, and those that several sessions have, which name none of them. */
interface HomeNames {
  readonly names: Names;
  readonly ambiguous: readonly string[];
  /** The paths of all sessions. */
  readonly paths: readonly string[];
}

const NO_HOME: HomeNames = { names: NO_NAMES, ambiguous: [], paths: [] };

/** A name of a session must be understood also by a command without the option that chooses a dialect. */
async function atHome(search: RootSearch): Promise<HomeNames> {
  if (search.flag !== undefined) return NO_HOME;
  const found = await episodesAtHome(search);
  const all =
    search.dialect === undefined
      ? found
      : await episodesAtHome({ ...search, dialect: undefined, found: undefined });
  const byName = grouped(all, ({ name }) => name);
  const ambiguous = [...byName].filter(([, { length }]) => length > 1).map(([name]) => name);
  const repeated = new Set(ambiguous);
  const names = found
    .filter(({ name }) => !repeated.has(name))
    .map((one) => [one.name, pathOf(one)] as const);
  // Copies of a session have the same parts, and a session is found before a part of another.
  const parts = [...grouped(new Set(found.flatMap(({ parts: own = [] }) => own)), nameOfPart)].flatMap(
    ([name, [path, ...others]]) =>
      path === undefined || others.length > 0 || byName.has(name) ? [] : [[name, path] as const],
  );
  return { names: new Map([...parts, ...names]), ambiguous, paths: all.map(pathOf) };
}

/** The streams in folders where stream ids are looked up. */
function streamsNear(search: RootSearch): Names {
  const found = foldersOfStreams(search).flatMap((folder) => streamsBeginning(folder, ''));
  return new Map(found.toReversed().map(({ stream, log }) => [stream, log]));
}

/** The names in a folder, because a path takes precedence over an id. */
function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}

/** The minimum length of a displayed prefix; shorter ones would soon be ambiguous. */
const LEAST = 8;

/** Whether a text would be read as something other than an id. */
const isTaken = (text: string, files: ReadonlySet<string>): boolean =>
  looksLikePath(text) || /^-|^latest$/.test(text) || files.has(text);

/** The part of an id that users have to type. */
const typed = (name: string): string => name.slice(idPrefixOf(name).length);

/** A sufficient prefix of each id, unique in all places where names are looked up. */
function prefixesOf(names: readonly string[], files: ReadonlySet<string>): (id: string) => string {
  const prefixes = shortestPrefixes(names.map(typed));
  return (id) => {
    const rest = typed(id);
    let short = id.slice(0, id.length - rest.length + Math.max(LEAST, prefixes.get(rest) ?? 0));
    while (short.length < id.length && (isTaken(short, files) || short.endsWith('-')))
      short = id.slice(0, short.length + 1);
    return short;
  };
}

/** A path as a target, which cannot be mistaken for a word or an option. */
const asPath = (path: string): string => (/^-|^latest$/.test(path) ? `./${path}` : path);

/** A name that is not shortened. */
const same = (name: string): TargetName => ({ full: name, short: name, brief: name });

/** Generated ids, whose prefixes say as much as the whole: `ses_` and 26 characters, of which 12 are a time, are of opencode. */
const MADE_ID =
  /^[\dA-Z]{16,}$|^[\da-f]{8}-[\da-f]{4}-|^(?:\w+-)?[\da-f]{12,}$|^ses_[\da-f]{12}[\da-z]{14}$/i;

/** Shortens the run ids in paths to prefixes that no other run of the same log or store has, listed or not. */
async function shortRuns(
  paths: readonly string[],
  dialect: DialectName | undefined,
): Promise<ReadonlyMap<string, string>> {
  // Runs of a packed log need their full id.
  const named = paths
    .flatMap((path) => runAt(path) ?? [])
    .filter(({ log }) => packedFormat(log) === undefined && existsSync(log));
  const short = new Map<string, string>();
  for (const [log, own] of grouped(named, (one) => one.log)) {
    const prefixes = shortestPrefixes((await idsInStore(log)) ?? (await runsIn(log, dialect)) ?? []);
    for (const { run } of own)
      short.set(`${log}#${run}`, `${log}#${run.slice(0, Math.max(LEAST, prefixes.get(run) ?? run.length))}`);
  }
  return short;
}

/** The names that commands look up, from those places that contain listed episodes. */
async function namesFor(paths: readonly string[], search: RootSearch) {
  const hasSome = (folders: readonly string[]) =>
    paths.some((path) => folders.some((folder) => isBelow(path, folder)));
  const root = await findRoot(search).catch(() => undefined);
  const inRoot = root !== undefined && hasSome([root.dir, root.runsDir ?? root.dir, dirname(root.dir)]);
  return {
    root: inRoot ? await underRoot(search) : NO_NAMES,
    home: hasSome(homesOf(search)) ? await atHome(search) : NO_HOME,
    streams: streamsNear(search),
  };
}

/**
 * Finds names for the episodes of a list that every command understands in the same folder with the same
 * root. `all`: every episode found, if the list shows a part.
 */
export async function targetNames(
  all: readonly NamedRun[],
  search: RootSearch,
): Promise<(episode: NamedRun) => TargetName> {
  const paths = all.map(({ path }) => path);
  const found = await namesFor(paths, search);
  const { root, streams } = found;
  const { names: home, ambiguous } = found.home;
  // In the order of `byId`: the place that is searched first wins.
  const meant: Names = new Map(
    hasHomes(search.dialect) ? [...streams, ...root, ...home] : [...home, ...streams, ...root],
  );
  const streamAt = new Map([...streams].map(([stream, log]) => [log, stream]));
  const files = namesIn(search.cwd);
  const endOf = shortestEnds(found.home.paths, files);
  const cut = prefixesOf([...meant.keys(), ...ambiguous], files);
  const runs = await shortRuns(paths, search.dialect);
  return ({ episode, path }) => {
    // All paths of files are absolute, so this is standard input.
    if (path === '-') return same(path);
    const shown = (text: string) => asPath(shownPath(text, search.cwd));
    const isId = (id: string) => meant.get(id) === path && !isTaken(id, files);
    if (isId(episode)) {
      const short = MADE_ID.test(typed(episode)) ? cut(episode) : episode;
      return { full: episode, short, brief: short };
    }
    // The name of a file is found at home, unless the folder has such a file.
    if (
      home.get(episode) === path &&
      meant.get(episode) === path &&
      looksLikeFile(episode) &&
      !files.has(episode)
    )
      return same(episode);
    const full = shown(path);
    const stream = streamAt.get(path);
    if (stream !== undefined && isId(stream)) return { full, short: stream, brief: stream };
    const short = shown(runs.get(path) ?? path);
    return { full, short, brief: endOf(path) ?? short };
  };
}
