import { basename, dirname, join, sep } from 'node:path';
import { packedFormat } from '../base/archives/format.ts';
import { messageOf, TargetError } from '../base/errors.ts';
import { leadsOutside } from '../base/files/files.ts';
import { isDirectory, statusOf } from '../base/files/paths.ts';
import { pushAll } from '../base/files/push-all.ts';
import { distance } from '../base/text/distance.ts';
import { matchesGlob } from '../base/text/glob.ts';
import { listed } from '../base/text/listed.ts';
import { didYouMean, isBegun, nearest } from '../base/text/nearest.ts';
import { DIALECTS, dialectNamed, folderDialect, idPrefixOf, logNamesOf } from '../dialects/registry.ts';
import { type Episode, notFollowed, pathOf, unreadable } from './episode.ts';
import { episodesIn } from './folder-contents.ts';
import {
  dialectAt,
  episodesAtHome,
  episodesNamedAtHome,
  foldersOfStreams,
  hasHomes,
  isReadable,
  namesAtHome,
} from './homes.ts';
import { newestOf } from './last-activity.ts';
import { firstWritten, type ListHooks, summariesUnder } from './list.ts';
import { hintBelow } from './no-episode.ts';
import { sessionsEnding } from './path-ends.ts';
import { isRootMissing, noteRoot, type Root, type RootSearch, requireRoot } from './root.ts';
import { episodePlaces } from './root-episodes.ts';
import { runAt } from './run.ts';
import { refusePlaces, refuseSeveral } from './several-runs.ts';
import { storedRun } from './stores.ts';
import { streamsBeginning } from './streams.ts';
import type { EpisodeSummary } from './summary.ts';
import { nothingFound, orNothing, withoutTarget } from './without-target.ts';

/** The minimum length of an id prefix, not counting the part that all ids share. */
const MIN_PREFIX = 4;

/** The log of the stream named by `--stream`; undefined if there is none. */
async function streamAskedFor(search: RootSearch): Promise<Episode | undefined> {
  for (const stream of search.streams ?? []) {
    const found = await logOfId(stream, search);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The episode of a list entry. */
async function episodeOf({ episode, path }: EpisodeSummary): Promise<Episode> {
  if (isDirectory(path)) return episodeAt(path);
  const stored = await storedRun(path);
  if (stored) return stored;
  const packed = packedFormat(path);
  return { name: episode, dir: undefined, ...(runAt(path) ?? { log: path, ...(packed && { packed }) }) };
}

/**
 * The first episode of `list` without a target. Throws `target-missing`, `root-missing`, and `unreadable` if no episode
 * can be read.
 */
export async function latest(search: RootSearch): Promise<Episode> {
  const stream = await streamAskedFor(search);
  if (stream !== undefined) return stream;
  const skipped: Episode[] = [];
  const hooks = search.onUnreadable && { onUnreadable: (episode: Episode) => skipped.push(episode) };
  const found = await firstOf(search, hooks, skipped);
  const [unread] = skipped;
  if (found instanceof TargetError) throw unread ? unreadable(unread) : found;
  await search.onUnreadable?.(skipped);
  return found;
}

/** The first episode, or why there is none. Adds folders of sessions that cannot be read to `skipped`. */
async function firstOf(
  search: RootSearch,
  hooks: ListHooks | undefined,
  skipped: Episode[],
): Promise<Episode | TargetError> {
  const untargeted = await withoutTarget(search, async (root) =>
    orNothing(await summariesUnder(root, hooks)),
  );
  if (untargeted.from !== 'root') {
    pushAll(
      skipped,
      untargeted.episodes.filter(({ unlisted }) => unlisted !== undefined),
    );
    const newest = await newestOf(untargeted.episodes.filter(isReadable), search);
    if (newest !== undefined) return newest;
  }
  // A dialect of sessions may have episodes under the root but none on this machine.
  const root = untargeted.from === 'root' ? untargeted.root : await requireRoot(search);
  const found = untargeted.from === 'root' ? untargeted.found : await summariesUnder(root, hooks);
  const first = firstWritten(found);
  if (first !== undefined) return episodeOf(first);
  const hint = await hintBelow(root);
  return new TargetError('target-missing', `no run under ${root.dir}`, {
    place: { file: root.dir },
    hint: hint ?? 'give a run, its log, or the folder with the runs: --root DIR',
  });
}

async function episodeAt(dir: string): Promise<Episode> {
  const { episodes } = await episodesIn(dir);
  return episodes[0] ?? { name: basename(dir), dir, log: undefined };
}

/** The log that an id names: in the current folder, in `--root`, or where its dialect keeps logs. */
async function logOfId(id: string, search: RootSearch): Promise<Episode | undefined> {
  const names = logNamesOf(id);
  if (names.length === 0) return undefined;
  const folders = foldersOfStreams(search);
  const streamAt = (log: string): Episode => ({ name: basename(log), dir: undefined, log });
  for (const folder of folders)
    for (const log of names.map((name) => join(folder, name))) {
      if (!statusOf(log)?.isFile()) continue;
      if (leadsOutside(folder, log)) throw notFollowed(log);
      return streamAt(log);
    }
  if (id.length < MIN_PREFIX) return undefined;
  const begun = folders.flatMap((folder) => streamsBeginning(folder, id));
  await refuseSeveral(
    id,
    begun.map(({ stream, log }) => ({ name: stream, dir: undefined, log })),
    search,
  );
  return begun[0] && streamAt(begun[0].log);
}

/** The number of runs that an error names. */
const MOST_NAMES = 10;

/** A session on this machine, by id or prefix or the name of its file. Not searched if the user named a root. */
export async function sessionAtHome(text: string, search: RootSearch): Promise<Episode | undefined> {
  if (search.flag !== undefined || text.length < MIN_PREFIX) return undefined;
  const found = await episodesNamedAtHome(text, search);
  const isId = ({ name }: Episode) =>
    name.startsWith(text) && found.filter((other) => other.name === name).length === 1;
  await (found.every(isId) ? refuseSeveral(text, found, search) : refusePlaces(text, found, search));
  return found[0];
}

/** The session on this machine that the end of a path names, as `list` shows it for copies. */
export async function sessionEnding(text: string, search: RootSearch): Promise<Episode | undefined> {
  const found = await sessionsEnding(text, search);
  await refusePlaces(text, found, search);
  return found[0];
}

const isMissing = (error: unknown): boolean =>
  error instanceof TargetError && ['target-missing', 'root-missing'].includes(error.code);

/** An id that differs in more letters is another one. */
const FEW_LETTERS = 2;

/** Marks where a table cut an id. Escaped, so that the bundle is ASCII and loads faster. */
const CUT = '\u2026';

/** An id as a table cut it at its end, or the only id that is cut like that at another place. */
async function withoutCut(given: string, search: RootSearch): Promise<string> {
  const text = given.length > 1 && given.endsWith(CUT) ? given.slice(0, -1) : given;
  if (!text.includes(CUT) || text === CUT) return text;
  const pattern = `${text.replaceAll(CUT, '*')}*`;
  const names = [
    ...(await requireRoot(search).then(
      async (root) => (await episodePlaces(root)).map(({ name }) => name),
      () => [],
    )),
    ...(search.flag === undefined ? await namesAtHome(search) : []),
  ];
  const [only, ...others] = new Set(names.filter((name) => matchesGlob(name, pattern)));
  return only === undefined || others.length > 0 ? text : only;
}

/**
 * The episode with an id or prefix, which may be copied from a table. Throws `target-missing`, `target-ambiguous` and
 * `root-missing`.
 */
export async function byId(given: string, search: RootSearch): Promise<Episode> {
  const text = await withoutCut(given, search);
  if (hasHomes(search.dialect)) {
    const session = await sessionAtHome(text, search);
    if (session) return session;
  }
  try {
    return await underRoot(text, search);
  } catch (error) {
    const session = isMissing(error) ? await sessionAtHome(text, search) : undefined;
    if (session) return session;
    const sessions = isRootMissing(error) && search.flag === undefined ? await episodesAtHome(search) : [];
    const other = isRootMissing(error) ? await dialectOfId(text, search) : undefined;
    const isKnown = sessions.length > 0 || other !== undefined;
    const nowhere = isRootMissing(error) ? nothingFound(search, error) : error;
    throw withForm(text, isKnown ? missingSession(text, sessions, search.dialect, other) : nowhere);
  }
}

/** The error for a missing run, with the command that takes two runs, or a line, as they were written in one word. */
function withForm(text: string, error: unknown): unknown {
  if (!isMissing(error)) return error;
  const [, a, b] = /^([^./\\]+)\.{2,3}([^./\\]+)$/.exec(text) ?? [];
  const [, run, line] = /^([^:/\\]+):(\d+)$/.exec(text) ?? [];
  const hint =
    a !== undefined && b !== undefined
      ? `to compare two runs: noesis diff ${a} ${b}`
      : run !== undefined && line !== undefined
        ? `to see line ${line} of a run: noesis show ${run} ${line}`
        : undefined;
  return hint === undefined ? error : new TargetError('target-missing', messageOf(error), { hint });
}

/** Whether a log is in a folder that is named by an id, such as that of a subagent whose session is gone. */
const isBelow = (log: string, id: string): boolean =>
  dirname(log)
    .split(sep)
    .some((folder) => folder.startsWith(id));

/**
 * The error for an id that names no session, where there are sessions but no root. `other`: the dialect of the session with
 * this id, if it is not the one that the user named.
 */
function missingSession(
  text: string,
  sessions: readonly Episode[],
  dialect: string | undefined,
  other: string | undefined,
): TargetError {
  const begun = sessions.filter(({ name }) => name.startsWith(text)).length;
  const similar = nearIds(text, sessions);
  const named = { typed: text, similar };
  if (text.length < MIN_PREFIX && begun > 0) {
    const many = begun === 1 ? 'one id begins' : `${begun} ids begin`;
    return new TargetError('target-missing', `there is no path ${text}, and it is too short for an id`, {
      named,
      hint: `give at least ${MIN_PREFIX} characters of the id; ${many} like that, noesis list shows them`,
    });
  }
  const below = text.length < MIN_PREFIX ? [] : sessions.filter(({ log = '' }) => isBelow(log, text));
  if (below.length > 0) {
    const what = below.length === 1 ? '1 log is' : `${below.length} logs are`;
    const names = [...new Set(below.map(({ name }) => name))];
    return new TargetError(
      'target-missing',
      `no session on this machine has the id ${text}, but ${what} in a folder with this name`,
      { named, hint: `give ${names.length > 1 ? 'one of these: ' : ''}${listed(names, MOST_NAMES)}` },
    );
  }
  const sort = other === undefined ? '' : `of ${dialect} `;
  const message = `no session ${sort}on this machine has the id ${text}, and there is no such path`;
  const list = [didYouMean(similar) ?? [], 'run noesis list to see the ids'].flat().join(' ');
  const meant = similar.length > 0 ? undefined : dialectMeant(text);
  const hint =
    other !== undefined
      ? `use --dialect ${other}, the dialect of ${text}`
      : meant === undefined
        ? list
        : `use --dialect ${meant} to choose the runs of a dialect`;
  return new TargetError('target-missing', message, { named, hint });
}

/** The dialect of a session with an id, if it is not the one that the user named. */
async function dialectOfId(text: string, search: RootSearch): Promise<string | undefined> {
  if (search.dialect === undefined || search.flag !== undefined) return undefined;
  // What was found before is of one dialect.
  const any: RootSearch = { ...search, dialect: undefined, found: {} };
  const session = await sessionAtHome(text, any).catch(() => undefined);
  return session && dialectAt(pathOf(session), any);
}

/** The dialect that a word names or begins, as `claude` begins `claude-code`. */
const dialectMeant = (text: string): string | undefined =>
  (dialectNamed(text) ?? DIALECTS.find(({ name }) => isBegun(name, text.toLowerCase())))?.name;

/** The beginning of an id that may be meant, if it differs in a letter or two. */
function nearIds(text: string, sessions: readonly Episode[]): readonly string[] {
  if (text.length < MIN_PREFIX) return [];
  const beginnings = [...new Set(sessions.map(({ name }) => name.slice(0, text.length)))];
  return nearest(beginnings, text, 1).filter((near) => distance(near, text.toLowerCase()) <= FEW_LETTERS);
}

/** The error if there is no root. A missing folder that the user named is reported first. */
function neitherPathNorId(text: string, error: unknown): unknown {
  if (!isRootMissing(error)) return error;
  const { message, place, hint, searched } = error;
  return new TargetError('root-missing', `${text} does not exist, and there is ${message}`, {
    place,
    hint,
    searched,
    named: { typed: text, similar: [] },
    cause: error,
  });
}

/** The share of the characters of an id that may be wrong. */
const MAX_WRONG = 0.4;

const withoutPrefix = (id: string): string => id.slice(idPrefixOf(id).length);

/** The ids that a mistyped id or prefix may have meant, most likely first. What all ids begin with says nothing. */
function likestIds(names: readonly string[], text: string): string[] {
  const typed = withoutPrefix(text).slice(0, 64);
  const most = Math.floor(typed.length * MAX_WRONG);
  const far = (name: string): number => distance(withoutPrefix(name).slice(0, typed.length), typed);
  return names
    .map((name) => ({ name, far: far(name) }))
    .filter((one) => one.far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

async function underRoot(text: string, search: RootSearch): Promise<Episode> {
  const ofId = await logOfId(text, search);
  let root: Root;
  try {
    root = await requireRoot(search);
  } catch (error) {
    if (ofId) return ofId;
    throw search.flag === undefined ? neitherPathNorId(text, error) : error;
  }
  const places = await episodePlaces(root);
  const exact = places.find(({ name }) => name === text);
  if (exact?.unlisted !== undefined) throw unreadable({ ...exact, log: undefined });
  if (exact) {
    noteRoot(search, root);
    return episodeAt(exact.dir);
  }
  if (ofId) return ofId;
  const longEnough = text.length - idPrefixOf(text).length >= MIN_PREFIX;
  const candidates = longEnough
    ? places.filter(({ name }) => [0, idPrefixOf(name).length].some((at) => name.startsWith(text, at)))
    : [];
  const [only] = candidates;
  if (candidates.length === 1 && only) {
    noteRoot(search, root);
    return episodeAt(only.dir);
  }
  await refuseSeveral(
    text,
    candidates.map((place) => ({ ...place, log: join(place.dir, folderDialect(place.name).folder.log) })),
    search,
  );
  const option = /^[\u2010-\u2015\u2212]+([a-z][a-z-]*)$/.exec(text)?.[1];
  if (option !== undefined)
    throw new TargetError('target-missing', `no run ${text}: it begins with a non-ASCII dash`, {
      named: { typed: text, similar: [`--${option}`] },
      hint: didYouMean([`--${option}`]),
    });
  const likest = likestIds(
    places.map(({ name }) => name),
    text,
  );
  const short = !longEnough && places.some(({ name }) => name.startsWith(text));
  throw new TargetError('target-missing', `no run ${text} under ${root.dir}, and no such path`, {
    named: { typed: text, similar: short ? [] : likest },
    hint: short
      ? `give at least ${MIN_PREFIX} characters after ${folderDialect(text).folder.idPrefix}`
      : (didYouMean(likest) ?? 'run noesis list to see the runs'),
  });
}
