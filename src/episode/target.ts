import { basename, resolve } from 'node:path';
import { NoesisError } from '../errors.ts';
import { distance } from '../text/distance.ts';
import { type Episode, episodePlaces, episodesIn, findEpisodes } from './find.ts';
import { statusOf } from './paths.ts';
import { findRoot, type RootSearch } from './root.ts';
import { startOf } from './summary.ts';

/** What a command was pointed at. */
export type Target =
  | { readonly kind: 'episode'; readonly episode: Episode }
  /** A folder without a log of its own, which stands for every episode below it. */
  | { readonly kind: 'folder'; readonly dir: string; readonly episodes: readonly Episode[] }
  | { readonly kind: 'stdin' };

/** A unique prefix of an id is enough when it has this many characters after `ep_`. */
const MIN_PREFIX = 4;

/** `<file>#<run_id>`: one run of a log that holds many. */
async function runInLog(text: string, path: string): Promise<Target | undefined> {
  const at = path.lastIndexOf('#');
  const log = path.slice(0, Math.max(0, at));
  if (at === -1 || !(await statusOf(log))?.isFile()) return undefined;
  return { kind: 'episode', episode: { name: basename(text), dir: undefined, log, run: path.slice(at + 1) } };
}

async function targetAtPath(text: string, path: string): Promise<Target | undefined> {
  const status = await statusOf(path);
  if (status === undefined) return runInLog(text, path);
  if (status.isFile())
    return { kind: 'episode', episode: { name: basename(path), dir: undefined, log: path } };
  if (!status.isDirectory()) {
    throw new NoesisError('unreadable', `${text} is neither a file nor a directory`, {
      place: { file: path },
      hint: `pipe it in and name the target -: cat ${text} | noesis events -`,
    });
  }
  const { episodes } = await episodesIn(path);
  const [first] = episodes;
  if (episodes.length === 1 && first) return { kind: 'episode', episode: first };
  const below = episodes.length > 0 ? episodes : await findEpisodes(path);
  return { kind: 'folder', dir: path, episodes: below };
}

async function latest(search: RootSearch): Promise<Target> {
  const root = await findRoot(search);
  const places = await episodePlaces(root);
  let newest: { start: number; dir: string } | undefined;
  for (const { dir } of places) {
    const start = startOf(dir);
    if (start !== undefined && (newest === undefined || start > newest.start)) newest = { start, dir };
  }
  if (newest === undefined) {
    throw new NoesisError('target-missing', `no episode under ${root.dir}`, { place: { file: root.dir } });
  }
  return episodeAt(newest.dir);
}

async function episodeAt(dir: string): Promise<Target> {
  const { episodes } = await episodesIn(dir);
  return { kind: 'episode', episode: episodes[0] ?? { name: basename(dir), dir, log: undefined } };
}

async function byId(text: string, search: RootSearch): Promise<Target> {
  const root = await findRoot(search);
  const places = await episodePlaces(root);
  const exact = places.find(({ name }) => name === text);
  if (exact) return episodeAt(exact.dir);
  const longEnough = text.replace(/^ep_/, '').length >= MIN_PREFIX;
  const candidates = longEnough
    ? places.filter(({ name }) => name.startsWith(text) || name.startsWith(`ep_${text}`))
    : [];
  const [only] = candidates;
  if (candidates.length === 1 && only) return episodeAt(only.dir);
  if (candidates.length > 1) {
    const shown = candidates.slice(0, 10).map(({ name }) => name);
    const more = candidates.length > shown.length ? ` and ${candidates.length - shown.length} more` : '';
    throw new NoesisError(
      'target-ambiguous',
      `${text} stands for ${candidates.length} episodes: ${shown.join(', ')}${more}`,
      {
        hint: 'give more of the id',
      },
    );
  }
  const nearest = places
    .map(({ name }) => ({ name, far: distance(name.slice(0, 64), text.slice(0, 64)) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
  const short = !longEnough && places.some(({ name }) => name.startsWith(text));
  throw new NoesisError('target-missing', `no episode ${text} under ${root.dir}, and no such path`, {
    hint: short
      ? `a prefix needs at least ${MIN_PREFIX} characters after ep_`
      : nearest.length > 0
        ? `did you mean ${nearest.join(', ')}?`
        : 'noesis list shows what is there',
  });
}

/**
 * Finds what a target names: a path wins over an id; `latest` and `-` are words (cli.md, Targets). Throws
 * `target-missing`, `target-ambiguous`, `root-missing`, `config-invalid` and `unreadable`.
 */
export async function resolveTarget(text: string, search: RootSearch): Promise<Target> {
  if (text === '-') return { kind: 'stdin' };
  const atPath = text === '' ? undefined : await targetAtPath(text, resolve(search.cwd, text));
  if (atPath) return atPath;
  return text === 'latest' ? latest(search) : byId(text, search);
}

/** A target that must be one log: a folder of episodes, or an episode without a log, is `log-missing`. */
export async function resolveLog(
  text: string,
  search: RootSearch,
): Promise<Target & { readonly kind: 'episode' | 'stdin' }> {
  const target = await resolveTarget(text, search);
  if (target.kind === 'folder') {
    const [first] = target.episodes;
    throw new NoesisError('log-missing', `${target.dir} has no log of its own`, {
      place: { file: target.dir },
      hint:
        first === undefined
          ? 'name an episode, or the log itself'
          : `name one of its ${target.episodes.length} episodes, such as ${first.log ?? first.dir}`,
    });
  }
  return target;
}

/** The log of an episode; throws `log-missing` where it has none. */
export function logOf(episode: Episode): string {
  if (episode.log !== undefined) return episode.log;
  throw new NoesisError('log-missing', `${episode.dir ?? episode.name} has no event log`, {
    place: { file: episode.dir ?? episode.name },
    hint: 'noesis verify says what else is there',
  });
}
