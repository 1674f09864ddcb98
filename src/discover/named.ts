import { basename, join, resolve } from 'node:path';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { runOfRecord } from '../dialects/record-filters.ts';
import { dialectOf } from '../dialects/sample.ts';
import { UsageError } from '../errors.ts';
import { isDirectory, statusOf } from '../files/paths.ts';
import type { LogRecord } from '../log/record.ts';
import type { Episode } from './find.ts';
import type { RootSearch } from './root.ts';
import { requireRun } from './run.ts';
import { logOf, resolveLog } from './target.ts';

/** Where ids are looked up. */
export interface RootOptions {
  /**
   * The root that holds the episodes, or the runs_dir that the runtime was given, as `--root` takes it. Without it, what
   * the nearest noesis.toml names, else the nearest `.noesis` in the working directory or above it; the environment is
   * not looked at.
   */
  readonly root?: string | undefined;
}

/** The names of these options. */
export const ROOT_OPTIONS = { root: true } as const;

/** How the library looks for a root: from the working directory, and never in the environment. */
export function searchFor({ root }: RootOptions): RootSearch {
  return { cwd: resolve('.'), home: undefined, flag: root, runsDir: undefined };
}

/** The one episode that a path, an id or a prefix of one stands for. */
export async function episodeAt(target: string, options: RootOptions): Promise<Episode> {
  const found = await resolveLog(target, searchFor(options));
  if (found.kind === 'episode') {
    if (found.episode.packed === undefined) return found.episode;
    throw new UsageError('usage', `the library does not unpack ${target}`, {
      hint: 'unpack it first; the command line reads it as it is',
    });
  }
  throw new UsageError('usage', 'the library does not read standard input', {
    hint: 'give a path, or the id of an episode',
  });
}

/** The log of an episode and its dialect. Throws as `requireRun` where a run of it is meant that is not there. */
export async function logAndDialect(
  episode: Episode,
  named?: DialectName,
): Promise<{ readonly log: string; readonly dialect: Dialect }> {
  const log = logOf(episode);
  const dialect = await dialectOf(log, basename(log), named ?? episode.owner);
  if (episode.run !== undefined) await requireRun(log, episode.run, dialect);
  return { log, dialect };
}

/** A log, and which of its records are meant. */
export interface WantedRecords {
  readonly log: string;
  /** Absent where all are. */
  readonly isWanted?: (record: LogRecord) => boolean;
}

/** The records of an episode: those of one run where one is named. Throws as {@link logAndDialect}. */
export async function recordsOf(episode: Episode): Promise<WantedRecords> {
  const { run } = episode;
  if (run === undefined) return { log: logOf(episode) };
  const { log, dialect } = await logAndDialect(episode);
  const runOf = runOfRecord(dialect);
  return { log, isWanted: (record) => runOf?.(record) === run };
}

/** Whether a text is the path of a log with a run of it. */
const namesRun = async (text: string): Promise<boolean> => {
  const hash = text.lastIndexOf('#');
  return hash > 0 && (await statusOf(text.slice(0, hash)))?.isFile() === true;
};

/** What to follow: a log that is not there yet is a path, or lies in a directory under its usual name. */
export async function recordsToFollow(
  target: string,
  options: RootOptions,
  usual: string,
): Promise<WantedRecords> {
  if (await isDirectory(target)) {
    const log = await episodeAt(target, options)
      .then(logOf)
      .catch(() => undefined);
    return { log: log ?? join(target, usual) };
  }
  const isToCome =
    /[/\\.]/.test(target) && (await statusOf(target)) === undefined && !(await namesRun(target));
  return isToCome ? { log: resolve(target) } : recordsOf(await episodeAt(target, options));
}
