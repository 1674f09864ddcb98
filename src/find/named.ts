import { basename, join, resolve } from 'node:path';
import { requireText, UsageError } from '../base/errors.ts';
import { isDirectory, statusOf } from '../base/files/paths.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { runOfRecord } from '../dialects/kit/record-filters.ts';
import { dialectOf } from '../dialects/kit/sample.ts';
import type { LogRecord } from '../log/record.ts';
import { type Episode, logOf } from './episode.ts';
import type { RootSearch } from './root.ts';
import { runAt } from './run.ts';
import { resolveLog } from './target.ts';

export interface RootOptions {
  /**
   * The root that contains episodes, or the runtime's runs_dir, as in `--root`. By default the one in the
   * nearest noesis.toml, else the nearest `.noesis` in the working directory or above. The environment is
   * ignored.
   */
  readonly root?: string | undefined;
}

/** The names of these options. */
export const ROOT_OPTIONS = { root: true } as const;

/** The library's search for a root: from the working directory, ignoring the environment. */
export function searchFor({ root }: RootOptions): RootSearch {
  if (root !== undefined) requireText('root', root);
  return { cwd: resolve('.'), home: undefined, flag: root, runsDir: undefined };
}

/** The episode that a path, an id or an id prefix names. */
export async function episodeAt(target: string, options: RootOptions): Promise<Episode> {
  requireText('target', target);
  const found = await resolveLog(target, searchFor(options));
  if (found.kind === 'episode') {
    if (found.episode.packed === undefined) return found.episode;
    throw new UsageError('usage', `the library does not unpack ${target}`, {
      hint: 'unpack it first; the command line reads it as it is',
    });
  }
  throw new UsageError('usage', 'the library does not read standard input', {
    hint: 'give a path, or the id of a run',
  });
}

/** The log of an episode and its dialect. */
export async function logAndDialect(
  episode: Episode,
  named?: DialectName,
): Promise<{ readonly log: string; readonly dialect: Dialect }> {
  const log = logOf(episode);
  const dialect = await dialectOf(log, basename(log), named ?? episode.owner);
  return { log, dialect };
}

/** A log, and which of its records are wanted. */
interface WantedRecords {
  readonly log: string;
  /** Absent: all records. */
  readonly isWanted?: (record: LogRecord) => boolean;
}

/** The records of an episode, or of its named run. Throws like {@link logAndDialect}. */
export async function recordsOf(episode: Episode): Promise<WantedRecords> {
  const { run } = episode;
  if (run === undefined) return { log: logOf(episode) };
  const { log, dialect } = await logAndDialect(episode);
  const runOf = runOfRecord(dialect);
  return { log, isWanted: (record) => runOf?.(record) === run };
}

/** Whether a text is a log's path followed by a run. */
const namesRun = (text: string): boolean => statusOf(runAt(text)?.log ?? '')?.isFile() === true;

/** The log to follow. One that does not exist yet is a path, or has its usual name in a folder. */
export async function recordsToFollow(
  target: string,
  options: RootOptions,
  usual: string,
): Promise<WantedRecords> {
  requireText('target', target);
  if (isDirectory(target)) {
    const log = await episodeAt(target, options)
      .then(logOf)
      .catch(() => undefined);
    return { log: log ?? join(target, usual) };
  }
  const isToCome = /[/\\.]/.test(target) && statusOf(target) === undefined && !namesRun(target);
  return isToCome ? { log: resolve(target) } : recordsOf(await episodeAt(target, options));
}
