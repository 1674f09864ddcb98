import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { FileError, NoesisError, TargetError, UsageError } from '../base/errors.ts';
import { requireRegular } from '../base/files/open-file.ts';
import { isDirectory, statusOf } from '../base/files/paths.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { dialectOf, requireDialect } from '../dialects/kit/sample.ts';
import { allDialects, logNamesOf } from '../dialects/registry.ts';
import { unreadable } from '../find/episode.ts';
import type { RootSearch } from '../find/root.ts';
import { resolveLog } from '../find/target.ts';
import type { DialectSettings } from '../findings/options.ts';
import type { WriterTarget } from './event-writer.ts';

/** A log to write to, which may not exist yet. */
export interface LogToWrite {
  /** Absolute, links resolved. */
  readonly log: string;
  /** The episode's folder; undefined for a single log. */
  readonly dir: string | undefined;
  readonly run?: string | undefined;
  readonly dialect: Dialect;
}

interface WriteRequest {
  /** The dialect that the user named. */
  readonly dialect?: DialectName | undefined;
  /** The stream of a new log, or to choose one of several logs in a folder. */
  readonly stream?: string | undefined;
}

/** The dialect of a log that does not exist yet, by its name. */
function dialectOfNew(log: string, wanted: DialectName | undefined): Dialect {
  if (wanted !== undefined) return requireDialect(wanted);
  const dialect = allDialects().find(({ logFiles }) => logFiles([basename(log)]).length > 0);
  if (dialect) return dialect;
  throw new UsageError('usage', `${basename(log)} does not show the dialect of the new log`, {
    place: { file: log },
    hint: 'name it with --dialect',
  });
}

async function usualNameOf(dialect: Dialect): Promise<string | undefined> {
  return (await dialect.writing?.())?.usualName;
}

/** The log to create in a folder that has none. */
async function newLogIn(dir: string, { dialect: wanted, stream }: WriteRequest): Promise<string | undefined> {
  const [named] = stream === undefined ? [] : logNamesOf(stream);
  if (named !== undefined) return join(dir, named);
  const usual = await usualNameOf(
    wanted === undefined ? (allDialects()[0] as Dialect) : requireDialect(wanted),
  );
  return usual && join(dir, usual);
}

async function newLog(text: string, { cwd }: RootSearch, request: WriteRequest): Promise<string | undefined> {
  const path = resolve(cwd, text);
  const status = statusOf(path);
  if (status?.isDirectory()) return newLogIn(path, request);
  const isName = status === undefined && /\.(?:jsonl|ndjson)$/.test(path);
  return isName && isDirectory(dirname(path)) ? path : undefined;
}

/** The log that a target names. Throws like `resolveLog`, `unreadable`, `log-missing` and `usage`. */
export async function existingLog(
  text: string,
  search: RootSearch,
  request: WriteRequest,
): Promise<LogToWrite> {
  const streams = request.stream === undefined ? undefined : [request.stream];
  const found = await resolveLog(text, { ...search, streams, onUnreadable: undefined });
  if (found.kind === 'stdin')
    throw new UsageError('usage', 'standard input cannot be written to', { hint: 'name the log' });
  const { dir, log, run, owner, unlisted } = found.episode;
  if (unlisted !== undefined) throw unreadable(found.episode);
  if (log === undefined) {
    // Something else in the place of the log is named as what it is.
    const place = dir && (await newLogIn(dir, request));
    if (place) requireRegular(place);
    throw new TargetError('log-missing', `${text} contains no log`, {
      hint: 'give the path of a run or of its log',
    });
  }
  // A link that the user named is followed. One in a folder or a root may lead to a file of somebody else.
  if (resolve(search.cwd, text) !== resolve(search.cwd, log)) requireRegular(log);
  const path = await realpath(log);
  const dialect = await dialectOf(path, basename(path), request.dialect ?? owner);
  return { log: path, dir, run, dialect };
}

/**
 * The log that a target names, or the log to create: a file in an existing folder, or the dialect's usual
 * file in a folder without a log. Throws like {@link existingLog}.
 */
export async function logToWrite(
  text: string,
  search: RootSearch,
  request: WriteRequest,
): Promise<LogToWrite> {
  try {
    return await existingLog(text, search, request);
  } catch (error) {
    // In a folder that cannot be read, a new log is tried; if that may not be written either, the error says so.
    const isNone = error instanceof NoesisError && /^(?:(?:target|log)-missing|unreadable)$/.test(error.code);
    const log = isNone ? await newLog(text, search, request) : undefined;
    if (log === undefined) throw error;
    const path = join(await realpath(dirname(log)), basename(log));
    const dir = resolve(search.cwd, text) === log ? undefined : dirname(path);
    return { log: path, dir, dialect: dialectOfNew(log, request.dialect) };
  }
}

/**
 * The writer of a log. Throws `append-unsupported` if its format does not support writing, and `unwritable`
 * if the file has other hard links.
 */
export async function writerTarget(
  { log, run, dialect }: LogToWrite,
  settings: DialectSettings = {},
): Promise<WriterTarget> {
  const writing = await dialect.writing?.();
  if (writing === undefined) {
    throw new UsageError(
      'append-unsupported',
      `noesis cannot append to a log of this dialect (${dialect.title})`,
      {
        place: { file: log },
        hint: 'use the program of the log; its dialect has no documented way to append',
      },
    );
  }
  requireRegular(log);
  if ((statusOf(log)?.nlink ?? 1) > 1)
    throw new FileError('unwritable', `${log} is a file with several names (hard links)`, {
      place: { file: log },
      hint: 'write to a copy; a sealed episode may contain the log under another name',
    });
  return { place: { log, run, settings: settings[dialect.name] }, writing, form: dialect.form };
}
