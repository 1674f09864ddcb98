import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { logFilesAmong, logNamesOf } from '../dialects/registry.ts';
import { TargetError } from '../errors.ts';
import { statusOf } from '../files/paths.ts';
import { distance } from '../text/distance.ts';
import { type Episode, episodesIn } from './find.ts';
import { episodesAtHome, episodesNamedAtHome, hasHomes, homesOf, latestAtHome, newestOf } from './homes.ts';
import { type Root, type RootSearch, requireRoot } from './root.ts';
import { episodePlaces } from './root-episodes.ts';
import { startOf } from './summary.ts';

/** A unique prefix of an id is enough when it has this many characters after `ep_`. */
const MIN_PREFIX = 4;

/** The names that the logs of streams may have. */
export const logsOfStreams = (streams: readonly string[] = []): string[] =>
  streams.flatMap((stream) => logNamesOf(stream));

/** The log of a stream that was asked for, in a folder that is no episode; undefined where none is there. */
async function latestStream(search: RootSearch): Promise<Episode | undefined> {
  const { cwd, flag, streams = [] } = search;
  for (const stream of streams) {
    const found = await logOfId(stream, search);
    if (found !== undefined) return found;
  }
  const folder = resolve(cwd, flag ?? '.');
  const logs = streams.length > 0 ? [] : streamsBeginning(folder, '');
  return newestOf(logs.map(({ log }) => ({ name: basename(log), dir: undefined, log })));
}

/**
 * The newest episode under the root; where there is none, the stream in the folder or the session of this machine that
 * was written to last.
 */
export async function latest(search: RootSearch): Promise<Episode> {
  const named = search.streams === undefined ? undefined : await latestStream(search);
  if (named !== undefined) return named;
  const newest = async () => (search.flag === undefined ? latestAtHome(search) : undefined);
  let session = hasHomes(search.dialect) ? await newest() : undefined;
  try {
    if (session === undefined) return await latestUnderRoot(search);
  } catch (error) {
    if (isMissing(error)) session = await latestStream(search);
    if (error instanceof TargetError && error.code === 'root-missing') session ??= await newest();
    if (session === undefined) throw error;
  }
  return session;
}

async function latestUnderRoot(search: RootSearch): Promise<Episode> {
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

async function episodeAt(dir: string): Promise<Episode> {
  const { episodes } = await episodesIn(dir);
  return episodes[0] ?? { name: basename(dir), dir, log: undefined };
}

/** The log of what an id names, in the folder one works in, in that of `--root`, or where its dialect keeps its logs. */
async function logOfId(id: string, search: RootSearch): Promise<Episode | undefined> {
  const names = logNamesOf(id);
  if (names.length === 0) return undefined;
  const { cwd, flag } = search;
  const folders = flag === undefined ? [cwd, ...homesOf(search)] : [resolve(cwd, flag)];
  const episodeOf = (log: string): Episode => ({ name: basename(log), dir: undefined, log });
  for (const log of folders.flatMap((folder) => names.map((name) => join(folder, name))))
    if ((await statusOf(log))?.isFile()) return episodeOf(log);
  if (id.length < MIN_PREFIX) return undefined;
  const begun = folders.flatMap((folder) => streamsBeginning(folder, id));
  onlyOne(
    id,
    begun.map(({ stream }) => stream),
  );
  return begun[0] && episodeOf(begun[0].log);
}

/** The id that the name of a log says; undefined where it says none. */
function idInName(name: string): string | undefined {
  for (let end = name.length - 1; end > 0; end -= 1)
    if (logNamesOf(name.slice(0, end)).includes(name)) return name.slice(0, end);
  return undefined;
}

/** The logs in a folder whose ids begin so. */
function streamsBeginning(folder: string, begins: string): { stream: string; log: string }[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.startsWith(begins));
  } catch {
    return [];
  }
  return logFilesAmong(names).flatMap((name) => {
    const stream = idInName(name);
    return stream?.startsWith(begins) ? [{ stream, log: join(folder, name) }] : [];
  });
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
async function atHome(text: string, search: RootSearch): Promise<Episode | undefined> {
  if (search.flag !== undefined || text.length < MIN_PREFIX) return undefined;
  const found = await episodesNamedAtHome(text, search);
  onlyOne(
    text,
    found.map(({ name }) => name),
  );
  return found[0];
}

const isMissing = (error: unknown): boolean =>
  error instanceof TargetError && ['target-missing', 'root-missing'].includes(error.code);

/** The episode of an id, or of the beginning of one. Throws `target-missing`, `target-ambiguous` and `root-missing`. */
export async function byId(text: string, search: RootSearch): Promise<Episode> {
  if (hasHomes(search.dialect)) {
    const session = await atHome(text, search);
    if (session) return session;
  }
  try {
    return await underRoot(text, search);
  } catch (error) {
    const session = isMissing(error) ? await atHome(text, search) : undefined;
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

/** There is no root to look an id up in; who named a folder that is not there is told so first. */
function neitherPathNorId(text: string, error: unknown): unknown {
  if (!(error instanceof TargetError) || error.code !== 'root-missing') return error;
  const { message, place, hint } = error;
  return new TargetError('root-missing', `${text} does not exist, and there is ${message}`, {
    place,
    cause: error,
    ...(hint !== undefined && { hint }),
  });
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
  const option = /^[\u2010-\u2015\u2212]+([a-z][a-z-]*)$/.exec(text)?.[1];
  if (option !== undefined)
    throw new TargetError('target-missing', `no episode ${text}: that begins with a dash of another kind`, {
      hint: `did you mean --${option}?`,
    });
  // What was typed may be the beginning of an id.
  const typed = text.slice(0, 64);
  const likest = places
    .map(({ name }) => ({ name, far: distance(name.slice(0, typed.length), typed) }))
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
