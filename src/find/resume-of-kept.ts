import { sep } from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';
import { firstRecords } from '../dialects/kit/sample.ts';
import { type Resumed, resumeOf } from '../dialects/resume.ts';
import { homesOf } from './homes.ts';
import type { RootSearch } from './root.ts';

/** The log of a session: `path` is readable, `origin` is where it is kept. */
interface KeptLog {
  readonly path: string;
  readonly origin: string;
  readonly dialect: Dialect;
}

/**
 * The command that continues a session in its folder, or why it has no such command: its program would not find a log that
 * is not where it keeps sessions.
 */
export function resumeOrWhy(
  search: RootSearch,
  { path, origin, dialect }: KeptLog,
  cwd: string | undefined,
): Resumed {
  const homes = homesOf({ ...search, dialect: dialect.name });
  // A run in a database has the name of the database before its own.
  if (!homes.some((home) => origin.startsWith(`${home}${sep}`) || origin.startsWith(`${home}#`)))
    return { why: 'its program does not look for sessions in this folder' };
  const [head = {}] = firstRecords(path, ({ length }) => length > 0) ?? [];
  return resumeOf(dialect, { log: origin, head, cwd });
}

/** The command that continues a session in its folder, if there is one: {@link resumeOrWhy}. */
export function resumeOfKept(...about: Parameters<typeof resumeOrWhy>): string | undefined {
  const resume = resumeOrWhy(...about);
  return 'command' in resume ? resume.command : undefined;
}
