import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { packedFormat, unpackedPath } from '../base/archives/format.ts';
import { FileError, type NoesisError, TargetError } from '../base/errors.ts';
import { isDirectory, isLink, refusalOf, shownPath, statusOf, upwards } from '../base/files/paths.ts';
import { defined } from '../base/json/defined.ts';
import { didYouMean, nearest } from '../base/text/nearest.ts';
import { nameOfLog } from '../dialects/registry.ts';
import type { PassedOver } from '../findings/options.ts';
import { byId, latest, sessionAtHome, sessionEnding } from './by-id.ts';
import { type Episode, pathOf } from './episode.ts';
import { partsOf, searchFolder } from './find.ts';
import { episodesIn, episodeWithLog } from './folder-contents.ts';
import { looksLikeFile } from './homes.ts';
import { looksLikePath } from './looks-like-path.ts';
import { documentOfEpisode } from './mount.ts';
import { noEpisodeBelow } from './no-episode.ts';
import type { RootSearch } from './root.ts';
import { runAt, runIn } from './run.ts';
import { episodesOfStore, storedRun } from './stores.ts';
import { logsOfStreams } from './streams.ts';
import { withParts } from './with-parts.ts';

/** The meaning of a command's target. */
export type Target =
  | { readonly kind: 'episode'; readonly episode: Episode; readonly passedOver?: PassedOver }
  /** A folder, which means every episode in and below it. */
  | {
      readonly kind: 'folder';
      readonly dir: string;
      readonly episodes: readonly Episode[];
      readonly passedOver: PassedOver;
    }
  | { readonly kind: 'stdin' };

/**
 * The path of a file, or of a run in it, without links, because the other files of a run are next to its log, not next
 * to a link. A deleted file that is still open, such as /dev/stdin of a here-document, has only the path of the link.
 */
function withoutLinks(path: string): string {
  const { log, run } = runAt(path) ?? { log: path };
  const status = isLink(log) ? statusOf(log) : undefined;
  if (!status?.isFile()) return path;
  try {
    const real = realpathSync(log);
    const found = statSync(real);
    if (found.dev !== status.dev || found.ino !== status.ino) return path;
    return run === undefined ? real : `${real}#${run}`;
  } catch {
    return path;
  }
}

/** `<file>#<run_id>`: one run of a log with many. */
async function runInLog(path: string, { dialect, cwd }: RootSearch): Promise<Target | undefined> {
  const { log, run: text } = runAt(path) ?? {};
  if (log === undefined || text === undefined || !statusOf(log)?.isFile()) return undefined;
  const packed = packedFormat(log);
  // The runs of a log that is packed are known when it is unpacked.
  const isPlain = packed === undefined && (await documentOfEpisode({ dir: undefined, log })) === undefined;
  const run = isPlain ? await runIn(log, text, dialect, shownPath(log, cwd)) : text;
  const episode = { name: `${basename(log)}#${run}`, dir: undefined, log, run, ...defined({ dialect }) };
  return { kind: 'episode', episode: packed === undefined ? episode : { ...episode, packed } };
}

/** `<archive>/<path>`: a path inside an archive. */
async function insideArchive(path: string): Promise<Target | undefined> {
  for (const log of upwards(dirname(path))) {
    const status = statusOf(log);
    if (status === undefined) continue;
    const packed = status.isFile() ? packedFormat(log) : undefined;
    if (packed === undefined || packed.kind === 'file') break;
    const inside = relative(log, path).replaceAll(sep, '/');
    return { kind: 'episode', episode: { name: basename(path), dir: undefined, log, packed, inside } };
  }
  return undefined;
}

/** How to interpret a folder. */
type DirectoryReader = (path: string, search: Pick<RootSearch, 'dialect' | 'known'>) => Promise<Target>;

/** Everything in and below a folder; a log in it does not hide the rest. */
const allBelow: DirectoryReader = async (path, { dialect }) => {
  const { episodes, passedOver: files } = await searchFolder(path, dialect);
  const passedOver = { folder: path, files };
  const [only, ...others] = episodes;
  const folderOf = (episode: Episode) => episode.dir ?? dirname(pathOf(episode));
  return only !== undefined && others.length === 0 && folderOf(only) === path
    ? { kind: 'episode', episode: only, passedOver }
    : { kind: 'folder', dir: path, episodes, passedOver };
};

/** An episode with the logs that are parts of its log, and what may be one of them and is not read. */
async function whole(episode: Episode, known: RootSearch['known']): Promise<Episode> {
  if (episode.log === undefined) return episode;
  const { parts, unread } = await partsOf(unpackedPath(episode.log), known);
  return {
    ...episode,
    ...(parts.length > 0 && { parts }),
    ...(unread.length > 0 && { unreadParts: unread }),
  };
}

/** The single episode that a folder is; otherwise everything below it. */
const itself: DirectoryReader = async (path, search) => {
  // A log that is a part of a compressed one is not the run.
  const [only, ...others] = await withParts((await episodesIn(path)).episodes);
  return only && others.length === 0
    ? { kind: 'episode', episode: await whole(only, search.known) }
    : allBelow(path, search);
};

async function targetAtPath(
  text: string,
  path: string,
  directory: DirectoryReader,
  search: RootSearch,
): Promise<Target | undefined> {
  const status = statusOf(path);
  const file = withoutLinks(path);
  if (status === undefined) {
    const stored = await storedRun(file);
    if (stored) return { kind: 'episode', episode: stored };
    return (await runInLog(file, search)) ?? insideArchive(path);
  }
  if (status.isFile()) {
    const stored = await episodesOfStore(file);
    if (stored)
      return {
        kind: 'folder',
        dir: file,
        episodes: stored.episodes,
        passedOver: { folder: dirname(file), files: stored.unread },
      };
    const below = async (dir: string) => {
      const target = await directory(dir, search);
      return target.kind === 'folder' ? target.episodes : target.kind === 'episode' ? [target.episode] : [];
    };
    const found =
      (await episodeWithLog(path, below)) ?? (file === path ? undefined : await episodeWithLog(file, below));
    if (found !== undefined) return { kind: 'episode', episode: { ...found, isNamed: true } };
    const packed = packedFormat(file);
    if (packed) {
      const name = nameOfLog(unpackedPath(file)) ?? basename(file);
      const episode = { name, dir: undefined, log: file, packed };
      return {
        kind: 'episode',
        episode: packed.kind === 'file' ? await whole(episode, search.known) : episode,
      };
    }
    const episode = { name: nameOfLog(file) ?? basename(file), dir: undefined, log: file };
    return { kind: 'episode', episode: await whole(episode, search.known) };
  }
  if (!status.isDirectory()) {
    throw new FileError('unreadable', `${text} is neither a file nor a folder`, {
      place: { file: path },
      hint: `pipe it in and name the target -: cat ${text} | noesis events -`,
    });
  }
  return directory(path, search);
}

/** The path at the end of a link to a link; the path itself if it is not a link. */
function endOfLinks(path: string): string {
  let end = path;
  while (isLink(end)) end = resolve(realpathSync(dirname(end)), readlinkSync(end));
  return end;
}

/** The error for a missing path, with similar names or the part that exists; or why nobody can say if it exists. */
async function noSuchPath(text: string, path: string, cwd: string): Promise<NoesisError> {
  const refusal = refusalOf(path);
  if (refusal !== undefined)
    return new FileError('unreadable', `cannot read ${text}: ${refusal}`, { place: { file: path } });
  const end = endOfLinks(path);
  let folder = dirname(end);
  let name = basename(end);
  while (!isDirectory(folder) && dirname(folder) !== folder) {
    name = basename(folder);
    folder = dirname(folder);
  }
  const names = await readdir(folder).catch(() => []);
  const near = nearest(
    names.filter((one) => join(folder, one) !== path),
    name,
  );
  const similar = near.map((one) => shownPath(join(folder, one), cwd));
  const fault = end === path ? 'does not exist' : `is a link to ${shownPath(end, cwd)}, which does not exist`;
  return new TargetError('target-missing', `${text} ${fault}`, {
    place: { file: path },
    named: { typed: text, similar },
    hint: didYouMean(similar) ?? `${shownPath(folder, cwd)} has no file or folder named "${name}"`,
  });
}

async function resolveAs(text: string, search: RootSearch, directory: DirectoryReader): Promise<Target> {
  if (text === '-') return { kind: 'stdin' };
  if (text.trim() === '')
    throw new TargetError('target-missing', 'a target is empty', {
      hint: 'give a path, an id or latest; noesis list shows the ids',
    });
  const path = resolve(search.cwd, text);
  const atPath = text === '' ? undefined : await targetAtPath(text, path, directory, search);
  if (atPath) return atPath;
  if (isLink(path)) throw await noSuchPath(text, path, search.cwd);
  if (looksLikePath(text)) {
    // Lists name a session by its file or the end of its path if an id does not name it.
    const session = await (looksLikeFile(text) ? sessionAtHome(text, search) : sessionEnding(text, search));
    if (session === undefined) throw await noSuchPath(text, path, search.cwd);
    return { kind: 'episode', episode: session };
  }
  const episode = await (text === 'latest' ? latest(search) : byId(text, search));
  const { dir, parts, changed } = episode;
  if (dir === undefined && parts === undefined && changed === undefined)
    return { kind: 'episode', episode: await whole(episode, search.known) };
  const found = dir === undefined ? undefined : await directory(dir, search);
  return found === undefined || (found.kind === 'folder' && found.episodes.length === 0)
    ? { kind: 'episode', episode }
    : found;
}

/**
 * Resolves a target. A path takes precedence over an id; `latest` and `-` are keywords (docs/commands.md,
 * Targets). A folder means every episode in and below it. Throws `target-missing`, `target-ambiguous`,
 * `root-missing`, `config-invalid` and `unreadable`.
 */
export const resolveTarget = (text: string, search: RootSearch): Promise<Target> =>
  resolveAs(text, search, allBelow);

/**
 * Resolves a target that must be one log. A folder means its own log, whatever is below it, or its only
 * episode. Several episodes, or none with a log, are `log-missing`. The search may name the stream to use.
 */
export async function resolveLog(
  text: string,
  search: RootSearch,
): Promise<Target & { readonly kind: 'episode' | 'stdin' }> {
  const target = await resolveAs(text, search, itself);
  const named = logsOfStreams(search.streams);
  if (target.kind === 'folder') {
    const { dir, episodes } = target;
    const wanted =
      named.length === 0 && episodes.length === 1
        ? episodes
        : episodes.filter(({ log }) => log !== undefined && named.includes(basename(log)));
    const [only, ...others] = wanted;
    if (only && others.length === 0) return { kind: 'episode', episode: only };
    const [first] = episodes;
    const example = first && shownPath(pathOf(first), search.cwd);
    const [lacked] = wanted.length === 0 ? named : [];
    const runs = wanted.length || episodes.length;
    if (lacked === undefined && runs === 0)
      throw await noEpisodeBelow(dir, target.passedOver.files, (path) => shownPath(path, search.cwd));
    const fault =
      lacked !== undefined ? `has no ${lacked}` : `contains ${runs} runs, and this command reads one`;
    throw new TargetError('log-missing', `${shownPath(dir, search.cwd)} ${fault}`, {
      place: { file: dir },
      hint:
        example === undefined
          ? 'give the path of a run or of its log'
          : `give one of its runs, such as ${example}`,
    });
  }
  return target;
}
