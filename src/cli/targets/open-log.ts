import { basename } from 'node:path';
import { isOfTarget, TargetError, UsageError } from '../../base/errors.ts';
import { folderEntries } from '../../base/files/folder-entries.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectOf, fieldsTaken, whyUnlikely } from '../../dialects/kit/sample.ts';
import { dialectNamed, isGeneric, ownerOf } from '../../dialects/registry.ts';
import { type Episode, logOf } from '../../find/episode.ts';
import { foreignLog } from '../../find/foreign-log.ts';
import type { Mount } from '../../find/mount.ts';
import { requireLog } from '../../find/require-log.ts';
import { storedFormOf } from '../../find/stored-form.ts';
import { logsOfStreams } from '../../find/streams.ts';
import { resolveLog, type Target } from '../../find/target.ts';
import type { NamedRun } from '../../find/target-names.ts';
import { unlikelyLog } from '../../findings/unlikely-log.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';
import { mounted, mountedInput, onlyEpisode } from './packed.ts';

/** A log that a command works on. Disposing it removes a copy: of standard input, or of a packed log. */
export interface OpenLog extends AsyncDisposable {
  /** The name for the user: its relative path, or `-`. */
  readonly label: string;
  /** A readable path, possibly of a copy. */
  readonly path: string;
  /** The original path, to be printed and stored. */
  readonly origin: string;
  /** If the log is a copy: its path without packing. Other files of the episode are next to it. */
  readonly place?: string | undefined;
  /** The episode's folder, if it has one. */
  readonly dir: string | undefined;
  readonly name: string;
  /** What the user named, packed if it is packed. Absent for standard input. */
  readonly episode?: Episode;
  readonly dialect: Dialect;
  /** The run in the target, for a log with many. */
  readonly run?: string | undefined;
  /** Separate logs that belong to it. */
  readonly parts?: readonly string[] | undefined;
  /** If some of them are unpacked copies: the paths that they would have without packing. */
  readonly partPlaces?: readonly string[] | undefined;
  /** What may be such logs and is not read. */
  readonly unreadParts?: readonly string[] | undefined;
  /** The original path of a part, if it was unpacked. */
  shown(path: string): string;
  /** The dialect of the artifacts next to it. */
  readonly owner?: string | undefined;
}

/** A log as `targetNames` finds a name for it, by which commands find its run. */
export const namedLog = ({ name, dir, origin, run, shown }: OpenLog): NamedRun => {
  const log = run === undefined ? origin : `${origin}#${run}`;
  return { episode: name, path: dir === undefined ? log : shown(dir) };
};

/** That a file is probably not the log of an agent, and what to do if it is. */
const unlikelyText = (label: string, why: string): string =>
  `${escapeText(label)} is ${escapeText(unlikelyLog(why))}. Name another file; if it is a log, give its dialect (--dialect) or its fields (--map time=…,type=…)`;

/** Says so if the log of an unknown dialect is probably not that of an agent. */
export async function sayIfUnlikely(context: Context, path: string): Promise<void> {
  const why = whyUnlikely(path);
  if (why !== undefined) await context.say(unlikelyText(context.shortPath(path), why));
}

/** Warns that the format of a log is unknown, and how its members are interpreted. */
export async function sayIfGeneric(
  context: Context,
  label: string,
  dialect: Dialect,
  path?: string,
): Promise<void> {
  // A user who gave --map knows the format.
  if (!isGeneric(dialect) || context.options.map !== undefined) return;
  const why = path === undefined ? undefined : whyUnlikely(path);
  if (why !== undefined) return context.say(unlikelyText(label, why));
  const found = path === undefined ? '' : fieldsTaken(path);
  const taken = found === '' ? '' : ` (${escapeText(found)})`;
  await context.say(
    `${escapeText(label)} is read as ${dialect.title}${taken}; --dialect sets the dialect, --map the fields`,
  );
}

type NamedFile = Pick<Episode, 'owner' | 'fileName'>;

/**
 * The dialect of a log. Throws `log-missing` for a file that is clearly not a log, or not one of `--dialect`. `origin`: what
 * the user named if the file is a copy.
 */
export async function dialectOfFile(
  context: Context,
  path: string,
  file: NamedFile = {},
  origin = path,
): Promise<Dialect> {
  const dialect = await dialectToRead(context, path, file, origin);
  const other = otherDialect(context, path, origin);
  if (other !== undefined) throw other;
  return dialect;
}

/** As {@link dialectOfFile}, but a log may be read as any dialect. */
export async function dialectToRead(
  context: Context,
  path: string,
  { owner, fileName }: NamedFile = {},
  origin = path,
): Promise<Dialect> {
  // Standard input has no name that could say what it is. A user who names it says that it is a log.
  const isNameless = fileName === '-';
  const seen = isNameless
    ? await dialectOf(path, fileName, context.dialect)
    : await dialectOf(path, basename(path), context.dialect, origin);
  // If the format is unclear, the artifacts next to the log decide, unless the user named a dialect.
  const byOwner = isGeneric(seen) && owner !== undefined && context.dialect === undefined;
  const dialect = (byOwner && dialectNamed(owner)) || seen;
  const shown = context.shortPath(origin);
  if (context.dialect === undefined && !isNameless)
    await requireLog(path, shown, !isGeneric(dialect), origin);
  return dialect;
}

/** The error for a log that is not of the dialect that the user named, but of another one; undefined if it may be. */
export function otherDialect(context: Context, path: string, origin = path): TargetError | undefined {
  const named = context.dialect === undefined ? undefined : dialectNamed(context.dialect);
  if (named === undefined) return undefined;
  return foreignLog(named, path, context.shortPath(origin), origin);
}

/** Throws `log-missing` if the target is not the log of `--stream`. A filter by stream may find nothing. */
function requireStream(context: Context, found: Target): void {
  const { stream } = context.options;
  if (typeof stream !== 'string' || (found.kind === 'episode' && found.episode.packed !== undefined)) return;
  const log = found.kind === 'episode' ? found.episode.log : undefined;
  if (log !== undefined && logsOfStreams([stream]).includes(basename(log))) return;
  const label = log === undefined ? 'standard input' : context.shortPath(log);
  throw new TargetError('log-missing', `${label} is not the log of a stream ${stream}`, {
    hint: 'remove --stream, or give the folder of the streams',
  });
}

/** Whether a folder is an episode, judging by its files. */
function isEpisode(dir: string): boolean {
  try {
    const names = folderEntries(dir).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
    return ownerOf({ dir, names }) !== undefined;
  } catch (error) {
    if (isOfTarget(error)) return false;
    throw error;
  }
}

/** Resolves a target; without one, the episode that is the current folder, else the newest; named on standard error. */
export async function resolveOrNewest(context: Context, target: string | undefined) {
  const { root, stream } = context.options;
  const isHere = [target, root, stream].every((one) => one === undefined) && isEpisode(context.io.cwd);
  const found =
    target === undefined
      ? await resolveLog(isHere ? '.' : 'latest', context.searchWithoutTarget)
      : await resolveLog(target, context.search);
  requireStream(context, found);
  if (target === undefined && found.kind === 'episode') {
    // Whether a pipe has a log is only known if it is read, and another program may want to read it.
    const unread = context.io.isInputPiped?.()
      ? '; to read a log from standard input, give - as the run'
      : '';
    await context.say(
      `${isHere ? 'the run in this folder' : 'the newest run'}: ${escapeText(found.episode.name)}${unread}`,
    );
  }
  return found;
}

/**
 * Opens the log of a target and detects its dialect. Copies standard input. Without a target, uses the newest
 * episode and says so.
 */
export async function openLog(context: Context, target: string | undefined): Promise<OpenLog> {
  await context.believeKnown();
  const found = await resolveOrNewest(context, target);
  if (found.kind === 'stdin') return openMounted(context, await mountedInput(context), '-');
  return openFound(context, found.episode, target ?? found.episode.name);
}

/** The error for one run of a log with several. `what`: what the command does, such as `salvage copies`. */
export const notOneRun = (what: string, shownPath: string): UsageError =>
  new UsageError('usage', `${what} a whole log, not one run in it`, { hint: `name the file: ${shownPath}` });

const STORED_IN = { files: 'many files', database: 'a database' } as const;

/**
 * Refuses a run of a store, whose log is not a file. `what`: what the command does, such as `salvage copies`. `target`: the
 * word of the user.
 */
export function requireOneFile(what: string, { name, log }: Episode, target = name): void {
  const form = log === undefined ? undefined : storedFormOf(log);
  if (form === undefined || form === 'document') return;
  const command = `noesis verify ${plainShellWord(target)}`;
  throw new UsageError(
    'usage',
    `${what} logs that are one file, and ${escapeText(name)} is in ${STORED_IN[form]}`,
    {
      hint: `run ${command} to see ${form === 'files' ? 'which file is damaged; the others can be read as they are' : 'what is damaged'}`,
    },
  );
}

/** Opens a target, unpacked if it is packed. */
async function openFound(context: Context, episode: Episode, target: string): Promise<OpenLog> {
  const what = await mounted(context, episode);
  const log = await (what === undefined ? openEpisode(context, episode) : openMounted(context, what, target));
  return { ...log, episode };
}

/** The only log of what is open. Disposing of the log disposes of it. */
async function openMounted(context: Context, what: Mount, target: string): Promise<OpenLog> {
  try {
    const log = await openEpisode(context, onlyEpisode(context, what, target), (text) => what.shown(text));
    return { ...log, [Symbol.asyncDispose]: async () => what.dispose() };
  } catch (error) {
    what.dispose();
    throw error;
  }
}

const asItIs = (path: string): string => path;

/** Opens the log of an episode. `shown`: its original path if it was unpacked. */
export async function openEpisode(
  context: Context,
  episode: Episode,
  shown: (path: string) => string = asItIs,
): Promise<OpenLog> {
  const path = logOf(episode);
  const origin = shown(path);
  const dialect = await dialectOfFile(context, path, episode, origin);
  const label = context.shortPath(origin);
  await sayIfGeneric(context, label, dialect, path);
  return {
    label,
    path,
    origin,
    place: episode.place,
    dir: episode.dir,
    name: episode.name,
    run: episode.run,
    owner: episode.owner,
    // One run of a log with many has no parts.
    ...(episode.run === undefined && {
      parts: episode.parts,
      partPlaces: episode.partPlaces,
      unreadParts: episode.unreadParts,
    }),
    shown,
    dialect,
    [Symbol.asyncDispose]: async () => {},
  };
}
