import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isDirectory } from '../base/files/paths.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { firstRecordOf } from '../dialects/kit/sample.ts';
import {
  furtherLogsOf,
  type NotResumed,
  type ResumeCommand,
  type Resumed,
  resumeOf,
} from '../dialects/resume.ts';
import { type FurtherLog, joinedLoadings } from '../dialects/sessions/kit/loading/joined.ts';
import { deletedBeside, LogFolders, surroundingsOf } from '../dialects/sessions/kit/loading/surroundings.ts';
import { loadingOfLog, whyNotLoaded } from '../dialects/sessions/kit/resume.ts';
import { isContinuable, verdictOn } from '../dialects/sessions/kit/verdict.ts';
import { copyAllAwayCommands } from './copy-away.ts';
import { homesOf, isBelow } from './homes.ts';
import type { RootSearch } from './root.ts';
import { storedFormOf } from './stored-form.ts';

/** The log of a session: `path` is readable, `origin` is where it is kept. */
interface KeptLog {
  readonly path: string;
  readonly origin: string;
  readonly dialect: Dialect;
  /** The logs that belong to it. */
  readonly parts?: readonly string[] | undefined;
}

/** How much is read to find out whether a session can be continued. */
export interface ResumeLimits {
  /** In bytes: a longer log is judged only by its name, its first record and its folder. */
  readonly most?: number;
  /** Shared by the sessions of one command, so that each folder is read once. */
  readonly folders?: LogFolders;
}

/** What `doctor` would say of a session, if its program has known rules. */
async function judged(
  { path, origin, dialect, parts }: KeptLog,
  { home = dirname(origin) }: RootSearch,
  folders: LogFolders,
): Promise<Partial<ResumeCommand> | NotResumed> {
  const first = await loadingOfLog(path, dialect, surroundingsOf(origin, isDirectory, folders));
  if (first === undefined) return {};
  const others: FurtherLog[] = [];
  for (const log of furtherLogsOf(dialect, origin, parts)) {
    const loading = await loadingOfLog(log, dialect, surroundingsOf(log, isDirectory, folders));
    if (loading !== undefined) others.push({ name: basename(log), loading });
  }
  const loading = joinedLoadings(first, others);
  const { program = dialect.title } = (await dialect.loading?.()) ?? {};
  const { danger, refused, turns, loaded, of } = loading;
  const refusal = whyNotLoaded(origin, dialect, program, loading, isDirectory);
  const verdict = verdictOn({
    isFound: refusal === undefined,
    refused: refused.length,
    dangers: danger.length,
    newer: turns.newer.length,
    parts: loaded.length,
    of,
  });
  const why = danger[0] ?? refusal?.reason ?? `the API refuses the request: ${refused[0]?.message}`;
  if (!isContinuable(verdict)) return { why, isRefused: true };
  const deletes = deletedBeside(origin, loading);
  return {
    ...(deletes.length > 0 && { deletes: { logs: deletes, copy: copyAllAwayCommands(deletes, home) } }),
    ...(turns.newer.length > 0 && { turns }),
    ...(verdict === 'lost' && { lacks: { parts: loaded.length, of } }),
  };
}

/** Why `doctor` does not say what the program of a session loads, or why that is not asked here. */
function whyUnchecked({ path, origin, dialect }: KeptLog, most: number): string | undefined {
  if (dialect.loading === undefined) return `noesis does not know what ${dialect.name} loads`;
  if (storedFormOf(origin) !== undefined) return 'doctor examines only logs in JSON Lines';
  return statSync(path).size > most ? 'the log is long; noesis doctor examines it' : undefined;
}

/**
 * The command that continues a session, or why it has no such command. A program does not find a log that is not where it
 * keeps sessions. The other rules are those of `doctor`: its next start leaves the log, it finds the log by its name, loads
 * it, and finds its folder, and the API accepts what it sends.
 */
export async function resumeOrWhy(
  search: RootSearch,
  log: KeptLog,
  cwd: string | undefined,
  { most = Infinity, folders = new LogFolders() }: ResumeLimits = {},
): Promise<Resumed> {
  const { path, origin, dialect } = log;
  const homes = homesOf({ ...search, dialect: dialect.name });
  if (!homes.some((home) => isBelow(origin, home)))
    return { why: 'its program does not look for sessions in this folder' };
  const isPart = dialect.partOf?.(origin) !== undefined;
  const unchecked = whyUnchecked(log, most);
  const isRead = !isPart && statSync(path).size <= most;
  const found = isRead ? await judged(log, search, folders) : {};
  if ('why' in found) return found;
  const resumed = resumeOf(dialect, { log: origin, head: firstRecordOf(path), cwd, isFolder: isDirectory });
  return 'command' in resumed
    ? { ...resumed, ...found, ...(unchecked !== undefined && { unchecked }) }
    : resumed;
}
