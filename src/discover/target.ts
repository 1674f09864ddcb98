import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { packedFormat } from '../archives/format.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { logNamesOf, nameOfLog } from '../dialects/registry.ts';
import { FileError, type NoesisError, TargetError } from '../errors.ts';
import { isDirectory, shownPath, statusOf } from '../files/paths.ts';
import { distance } from '../text/distance.ts';
import { nearest } from '../text/nearest.ts';
import { upwards } from './configuration.ts';
import { type Episode, episodesIn, findEpisodes, partsOf } from './find.ts';
import { episodesAtHome, episodesNamedAtHome, hasHomes, homesOf, latestAtHome } from './homes.ts';
import { type Root, type RootSearch, requireRoot } from './root.ts';
import { episodePlaces } from './root-episodes.ts';
import { wholeRunId } from './run.ts';
import { startOf } from './summary.ts';

/** What a command was pointed at. */
export type Target =
  | { readonly kind: 'episode'; readonly episode: Episode }
  /** A folder, which stands for every episode in it and below it. */
  | { readonly kind: 'folder'; readonly dir: string; readonly episodes: readonly Episode[] }
  | { readonly kind: 'stdin' };

/** A unique prefix of an id is enough when it has this many characters after `ep_`. */
const MIN_PREFIX = 4;

/** What can only be a path: no id has a slash in it, or ends as a file does. */
const PATH = /[/\\]|^[.~]|\.(?:jsonl|ndjson|json|log)$/;

/** `<file>#<run_id>`: one run of a log that holds many. */
async function runInLog(path: string, dialect: DialectName | undefined): Promise<Target | undefined> {
  const at = path.lastIndexOf('#');
  const log = path.slice(0, Math.max(0, at));
  if (at === -1 || !(await statusOf(log))?.isFile()) return undefined;
  const run = await wholeRunId(log, path.slice(at + 1), dialect);
  return { kind: 'episode', episode: { name: `${basename(log)}#${run}`, dir: undefined, log, run } };
}

/** `<archive>/<path>`: what lies in an archive. */
async function insideArchive(path: string): Promise<Target | undefined> {
  for (const log of upwards(dirname(path))) {
    const status = await statusOf(log);
    if (status === undefined) continue;
    const packed = status.isFile() ? packedFormat(log) : undefined;
    if (packed === undefined || packed.kind === 'file') return undefined;
    const inside = relative(log, path).replaceAll(sep, '/');
    return { kind: 'episode', episode: { name: basename(path), dir: undefined, log, packed, inside } };
  }
  return undefined;
}

/** What a directory stands for. */
type DirectoryReader = (path: string) => Promise<Target>;

/** All that lies in a directory and below: a log in it hides nothing. */
async function allBelow(path: string): Promise<Target> {
  const episodes = await findEpisodes(path);
  const [only] = episodes;
  const isItself =
    episodes.length === 1 && only !== undefined && (only.dir ?? dirname(only.log ?? '')) === path;
  return isItself ? { kind: 'episode', episode: only } : { kind: 'folder', dir: path, episodes };
}

/** The one episode that a directory is; where it is none, or holds several logs, all below. */
async function itself(path: string): Promise<Target> {
  const { episodes } = await episodesIn(path);
  const [only] = episodes;
  return episodes.length === 1 && only ? { kind: 'episode', episode: only } : allBelow(path);
}

async function targetAtPath(
  text: string,
  path: string,
  directory: DirectoryReader,
  dialect: DialectName | undefined,
): Promise<Target | undefined> {
  const status = await statusOf(path);
  if (status === undefined) return (await runInLog(path, dialect)) ?? insideArchive(path);
  if (status.isFile()) {
    const packed = packedFormat(path);
    if (packed)
      return { kind: 'episode', episode: { name: basename(path), dir: undefined, log: path, packed } };
    const parts = await partsOf(path);
    const episode = { name: nameOfLog(path) ?? basename(path), dir: undefined, log: path };
    return { kind: 'episode', episode: { ...episode, ...(parts.length > 0 && { parts }) } };
  }
  if (!status.isDirectory()) {
    throw new FileError('unreadable', `${text} is neither a file nor a directory`, {
      place: { file: path },
      hint: `pipe it in and name the target -: cat ${text} | noesis events -`,
    });
  }
  return directory(path);
}

/** A path where nothing is: the names beside it that are near, or how far of it exists. */
async function noSuchPath(text: string, path: string, cwd: string): Promise<NoesisError> {
  let folder = dirname(path);
  let name = basename(path);
  while (!(await isDirectory(folder)) && dirname(folder) !== folder) {
    name = basename(folder);
    folder = dirname(folder);
  }
  const near = nearest(await readdir(folder).catch(() => []), name);
  return new TargetError('target-missing', `${text} does not exist`, {
    place: { file: path },
    hint:
      near.length > 0
        ? `did you mean ${near.map((one) => shownPath(join(folder, one), cwd)).join(', ')}?`
        : `there is no ${name} in ${shownPath(folder, cwd)}`,
  });
}

/** The newest episode under the root; where there is none, the session of this machine that was written to last. */
async function latest(search: RootSearch): Promise<Target> {
  const newest = async () => (search.flag === undefined ? latestAtHome(search) : undefined);
  let session = hasHomes(search.dialect) ? await newest() : undefined;
  try {
    if (session === undefined) return await latestUnderRoot(search);
  } catch (error) {
    if (error instanceof TargetError && error.code === 'root-missing') session = await newest();
    if (session === undefined) throw error;
  }
  return { kind: 'episode', episode: session };
}

async function latestUnderRoot(search: RootSearch): Promise<Target> {
  const root = await requireRoot(search);
  const places = await episodePlaces(root);
  let newest: { start: number; dir: string } | undefined;
  for (const { dir } of places) {
    const start = startOf(dir);
    if (start !== undefined && (newest === undefined || start > newest.start)) newest = { start, dir };
  }
  if (newest === undefined) {
    throw new TargetError('target-missing', `no episode under ${root.dir}`, { place: { file: root.dir } });
  }
  return episodeAt(newest.dir);
}

async function episodeAt(dir: string): Promise<Target> {
  const { episodes } = await episodesIn(dir);
  return { kind: 'episode', episode: episodes[0] ?? { name: basename(dir), dir, log: undefined } };
}

/** The log of what an id names, in the folder one works in, in that of `--root`, or where its dialect keeps its logs. */
async function logOfId(id: string, search: RootSearch): Promise<Target | undefined> {
  const names = logNamesOf(id);
  if (names.length === 0) return undefined;
  const { cwd, flag } = search;
  const folders = flag === undefined ? [cwd, ...homesOf(search)] : [resolve(cwd, flag)];
  for (const log of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    if ((await statusOf(log))?.isFile())
      return { kind: 'episode', episode: { name: basename(log), dir: undefined, log } };
  }
  return undefined;
}

/** The one of so many that is meant. Throws `target-ambiguous` where it is not plain. */
function onlyOne(text: string, names: readonly string[]): void {
  if (names.length < 2) return;
  const shown = names.slice(0, 10);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  throw new TargetError(
    'target-ambiguous',
    `${text} stands for ${names.length} episodes: ${shown.join(', ')}${more}`,
    { hint: 'give more of the id' },
  );
}

/** A session of this machine, by its id or the beginning of one. With a root of one's own nothing else is looked at. */
async function atHome(text: string, search: RootSearch): Promise<Target | undefined> {
  if (search.flag !== undefined || text.length < MIN_PREFIX) return undefined;
  const found = await episodesNamedAtHome(text, search);
  onlyOne(
    text,
    found.map(({ name }) => name),
  );
  return found[0] && { kind: 'episode', episode: found[0] };
}

async function byId(text: string, search: RootSearch): Promise<Target> {
  const missing = (error: unknown) =>
    error instanceof TargetError && ['target-missing', 'root-missing'].includes(error.code);
  if (hasHomes(search.dialect)) {
    const session = await atHome(text, search);
    if (session) return session;
  }
  try {
    return await underRoot(text, search);
  } catch (error) {
    const session = missing(error) ? await atHome(text, search) : undefined;
    if (session) return session;
    if (await isAmongSessions(error, search))
      throw new TargetError(
        'target-missing',
        `no session of this machine is called ${text}, and there is no such path`,
        {
          hint: 'noesis list shows them',
        },
      );
    throw error;
  }
}

/** Whether somebody has sessions and no root: then it is one of those that an id was meant to name. */
const isAmongSessions = async (error: unknown, search: RootSearch): Promise<boolean> =>
  error instanceof TargetError &&
  error.code === 'root-missing' &&
  search.flag === undefined &&
  (await episodesAtHome(search)).length > 0;

async function underRoot(text: string, search: RootSearch): Promise<Target> {
  const ofId = await logOfId(text, search);
  let root: Root;
  try {
    root = await requireRoot(search);
  } catch (error) {
    if (ofId) return ofId;
    throw error;
  }
  const places = await episodePlaces(root);
  const exact = places.find(({ name }) => name === text);
  if (exact) return episodeAt(exact.dir);
  if (ofId) return ofId;
  const longEnough = text.replace(/^ep_/, '').length >= MIN_PREFIX;
  const candidates = longEnough
    ? places.filter(({ name }) => name.startsWith(text) || name.startsWith(`ep_${text}`))
    : [];
  const [only] = candidates;
  if (candidates.length === 1 && only) return episodeAt(only.dir);
  onlyOne(
    text,
    candidates.map(({ name }) => name),
  );
  const likest = places
    .map(({ name }) => ({ name, far: distance(name.slice(0, 64), text.slice(0, 64)) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
  const short = !longEnough && places.some(({ name }) => name.startsWith(text));
  throw new TargetError('target-missing', `no episode ${text} under ${root.dir}, and no such path`, {
    hint: short
      ? `a prefix needs at least ${MIN_PREFIX} characters after ep_`
      : likest.length > 0
        ? `did you mean ${likest.join(', ')}?`
        : 'noesis list shows what is there',
  });
}

async function resolveAs(text: string, search: RootSearch, directory: DirectoryReader): Promise<Target> {
  if (text === '-') return { kind: 'stdin' };
  const path = resolve(search.cwd, text);
  const atPath = text === '' ? undefined : await targetAtPath(text, path, directory, search.dialect);
  if (atPath) return atPath;
  if (PATH.test(text)) throw await noSuchPath(text, path, search.cwd);
  return text === 'latest' ? latest(search) : byId(text, search);
}

/**
 * Finds what a target names: a path wins over an id; `latest` and `-` are words (cli.md, Targets). A directory stands
 * for every episode in it and below. Throws `target-missing`, `target-ambiguous`, `root-missing`, `config-invalid` and
 * `unreadable`.
 */
export const resolveTarget = (text: string, search: RootSearch): Promise<Target> =>
  resolveAs(text, search, allBelow);

/**
 * A target that must be one log: a directory is its own, whatever lies below it. A folder of episodes, or an episode
 * without a log, is `log-missing`. Of several logs in a folder the one is meant that is `named`, by its file name.
 */
export async function resolveLog(
  text: string,
  search: RootSearch,
  named?: readonly string[],
): Promise<Target & { readonly kind: 'episode' | 'stdin' }> {
  const target = await resolveAs(text, search, itself);
  if (target.kind === 'folder') {
    const { dir, episodes } = target;
    const wanted = episodes.filter(({ log }) => log !== undefined && named?.includes(basename(log)));
    if (wanted.length === 1 && wanted[0]) return { kind: 'episode', episode: wanted[0] };
    const [first] = episodes;
    const example = first && shownPath(first.dir ?? first.log ?? dir, search.cwd);
    const lacked = named?.length && wanted.length === 0 ? named[0] : 'log of its own';
    throw new TargetError('log-missing', `${shownPath(dir, search.cwd)} has no ${lacked}`, {
      place: { file: dir },
      hint:
        example === undefined
          ? 'name an episode, or the log itself'
          : episodes.length === 1
            ? `name its episode ${example}`
            : `name one of its ${episodes.length} episodes, such as ${example}`,
    });
  }
  return target;
}

/** The log of an episode; throws `log-missing` where it has none. */
export function logOf(episode: Episode): string {
  if (episode.log !== undefined) return episode.log;
  throw new TargetError('log-missing', `${episode.dir ?? episode.name} has no event log`, {
    place: { file: episode.dir ?? episode.name },
    hint: 'noesis verify says what else is there',
  });
}
