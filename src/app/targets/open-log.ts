import { basename } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectNamed, isGeneric } from '../../dialects/registry.ts';
import { dialectOf, fieldsTaken } from '../../dialects/sample.ts';
import type { Episode } from '../../discover/find.ts';
import { requireLog } from '../../discover/require-log.ts';
import { requireRun } from '../../discover/run.ts';
import { logsOfStreams } from '../../discover/streams.ts';
import { logOf, resolveLog, type Target } from '../../discover/target.ts';
import { TargetError } from '../../errors.ts';
import type { Spool } from '../../log/spool.ts';
import { escapeText } from '../../render/escape.ts';
import type { Context } from '../context.ts';
import { Interrupted } from '../io.ts';
import { documentLines, onlyEpisode, spooledInput, unpacked } from './packed.ts';

/** A log that a command works on. */
export interface OpenLog {
  /** What the user knows it by: its path from here, or `-`. */
  readonly label: string;
  /** Where it can be read, more than once. */
  readonly path: string;
  /** The same, or where a private copy was made from: what is printed and stored. */
  readonly origin: string;
  /** The episode's directory, where there is one. */
  readonly dir: string | undefined;
  readonly name: string;
  readonly dialect: Dialect;
  /** The run that the target picked, of a log that holds many. */
  readonly run?: string | undefined;
  /** Logs of their own that belong to it. */
  readonly parts?: readonly string[] | undefined;
  /** The dialect that the artifacts beside it are of. */
  readonly owner?: string | undefined;
  /** Removes the private copy of standard input. */
  dispose(): Promise<void>;
}

/** Says it where a log is read without knowing what it is, and what its members are taken for. */
export async function sayIfGeneric(
  context: Context,
  label: string,
  dialect: Dialect,
  path?: string,
): Promise<void> {
  // Whoever says what the members are has seen the log.
  if (!isGeneric(dialect) || context.options.map !== undefined) return;
  const found = path === undefined ? '' : fieldsTaken(path);
  const taken = found === '' ? '' : ` (${escapeText(found)})`;
  await context.say(
    `${escapeText(label)} is read as ${dialect.title}${taken}: --dialect names one, --map the members`,
  );
}

/**
 * The dialect of a log that is a file. Throws `log-missing` for a file that is plainly no log, and what `requireRun`
 * throws for a run it does not hold.
 */
export async function dialectOfFile(
  context: Context,
  path: string,
  { run, owner }: { readonly run?: string | undefined; readonly owner?: string | undefined } = {},
): Promise<Dialect> {
  const seen = await dialectOf(path, basename(path), context.dialect);
  // Of a log that does not tell, what lies beside it does, where nobody insists.
  const byOwner = isGeneric(seen) && owner !== undefined && context.dialect === undefined;
  const dialect = (byOwner && dialectNamed(owner)) || seen;
  if (context.dialect === undefined) await requireLog(path, context.shortPath(path), !isGeneric(dialect));
  if (run !== undefined) await requireRun(path, run, dialect);
  return dialect;
}

/** Throws `log-missing` where `--stream` names the log of another stream than the target. A filter may find none. */
function requireStream(context: Context, found: Target): void {
  const { stream } = context.options;
  if (typeof stream !== 'string' || (found.kind === 'episode' && found.episode.packed !== undefined)) return;
  const log = found.kind === 'episode' ? found.episode.log : undefined;
  if (log !== undefined && logsOfStreams([stream]).includes(basename(log))) return;
  const label = log === undefined ? 'standard input' : context.shortPath(log);
  throw new TargetError('log-missing', `${label} is not the log of a stream ${stream}`, {
    hint: 'leave --stream out, or name the folder of the streams',
  });
}

/** Resolves a target; without one the newest episode, which is named on standard error. */
export async function resolveOrNewest(context: Context, target: string | undefined) {
  const found = await resolveLog(target ?? 'latest', context.search);
  requireStream(context, found);
  if (target === undefined && found.kind === 'episode')
    await context.say(`the newest episode: ${escapeText(found.episode.name)}`);
  return found;
}

/** A copy of standard input, which can be read more than once. */
export async function copyOfInput(context: Context): Promise<Spool> {
  const { io } = context;
  let copy: Spool;
  try {
    copy = await spooledInput(context);
  } catch (error) {
    throw io.interrupted.aborted ? new Interrupted() : error;
  }
  try {
    return (await linesOfInput(context, copy)) ?? copy;
  } catch (error) {
    await copy.dispose();
    throw error;
  }
}

/** The lines of standard input that is a document; undefined where it has its records on lines of their own. */
async function linesOfInput(context: Context, copy: Spool): Promise<Spool | undefined> {
  const what = await documentLines(context, copy.path, '-');
  const [episode] = what?.episodes ?? [];
  if (what === undefined || episode?.log === undefined) return undefined;
  await copy.dispose();
  return { path: episode.log, dispose: async () => what.dispose() };
}

/**
 * Finds the log a target names, copies standard input where it is that, and tells the dialect. Without a target it is
 * the newest episode, and says so.
 */
export async function openLog(context: Context, target: string | undefined): Promise<OpenLog> {
  const found = await resolveOrNewest(context, target);
  if (found.kind === 'stdin') {
    const { path, dispose } = await copyOfInput(context);
    try {
      const dialect = await dialectOf(path, '-', context.dialect);
      await sayIfGeneric(context, '-', dialect, path);
      return { label: '-', path, origin: '-', dir: undefined, name: '-', dialect, dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  }
  return openFound(context, found.episode, target ?? found.episode.name);
}

/** What was found, unpacked first where it is packed. */
async function openFound(context: Context, episode: Episode, target: string): Promise<OpenLog> {
  const what = await unpacked(context, episode);
  if (what === undefined) return openEpisode(context, episode);
  try {
    const { run } = episode;
    const only = { ...onlyEpisode(context, what, target), ...(run !== undefined && { run }) };
    const log = await openEpisode(context, only, (text) => what.shown(text));
    return { ...log, dispose: async () => what.dispose() };
  } catch (error) {
    what.dispose();
    throw error;
  }
}

/** The log of an episode that was found. `shown`: where it comes from, in the place of where it was unpacked to. */
export async function openEpisode(
  context: Context,
  episode: Episode,
  shown: (path: string) => string = (path) => path,
): Promise<OpenLog> {
  const path = logOf(episode);
  const dialect = await dialectOfFile(context, path, episode);
  const origin = shown(path);
  const label = context.shortPath(origin);
  await sayIfGeneric(context, label, dialect, path);
  return {
    label,
    path,
    origin,
    dir: episode.dir,
    name: episode.name,
    run: episode.run,
    owner: episode.owner,
    parts: episode.parts,
    dialect,
    dispose: async () => {},
  };
}
