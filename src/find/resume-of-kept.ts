import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { isDirectory } from '../base/files/paths.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { firstRecords } from '../dialects/kit/sample.ts';
import { type Resumed, resumeOf } from '../dialects/resume.ts';
import type { LoadedTurns } from '../dialects/sessions/kit/loading/model.ts';
import { loadingOfLog, whyNotLoaded } from '../dialects/sessions/kit/resume.ts';
import { homesOf } from './homes.ts';
import type { RootSearch } from './root.ts';

/** The log of a session: `path` is readable, `origin` is where it is kept. */
interface KeptLog {
  readonly path: string;
  readonly origin: string;
  readonly dialect: Dialect;
}

/**
 * The command that continues a session, or why it has no such command. A program does not find a log that is not where it
 * keeps sessions. The other rules are those of `doctor`: the program finds the log by its name, loads it, and finds its
 * folder. They read the whole log, so one of more than `most` bytes is judged only by its name, its first record and its
 * folder.
 */
export async function resumeOrWhy(
  search: RootSearch,
  { path, origin, dialect }: KeptLog,
  cwd: string | undefined,
  most = Infinity,
): Promise<Resumed> {
  const homes = homesOf({ ...search, dialect: dialect.name });
  // A run in a database has the name of the database before its own.
  if (!homes.some((home) => origin.startsWith(`${home}${sep}`) || origin.startsWith(`${home}#`)))
    return { why: 'its program does not look for sessions in this folder' };
  const isSession = dialect.loading !== undefined && dialect.partOf?.(origin) === undefined;
  let turns: LoadedTurns | undefined;
  if (isSession && statSync(path).size <= most) {
    const loading = await loadingOfLog(path, dialect, { path: origin, isFolder: isDirectory });
    const { program = dialect.title } = (await dialect.loading?.()) ?? {};
    const refusal = loading && whyNotLoaded(origin, dialect, program, loading, isDirectory);
    if (refusal) return { why: refusal.reason, isRefused: true };
    if (loading !== undefined && loading.turns.newer.length > 0) turns = loading.turns;
  }
  const [head = {}] = firstRecords(path, ({ length }) => length > 0) ?? [];
  const resumed = resumeOf(dialect, { log: origin, head, cwd, isFolder: isDirectory });
  return 'command' in resumed && turns !== undefined ? { ...resumed, turns } : resumed;
}
