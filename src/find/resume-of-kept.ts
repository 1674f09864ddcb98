import { sep } from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';
import { firstRecords } from '../dialects/kit/sample.ts';
import { resumeCommand } from '../dialects/resume.ts';
import { homesOf } from './homes.ts';
import type { RootSearch } from './root.ts';

/** The log of a session: `path` is readable, `origin` is where it is kept. */
interface KeptLog {
  readonly path: string;
  readonly origin: string;
  readonly dialect: Dialect;
}

/**
 * The command that continues a session in its folder; undefined if its program would not find the session, because the log
 * is not where the program keeps sessions.
 */
export function resumeOfKept(
  search: RootSearch,
  { path, origin, dialect }: KeptLog,
  cwd: string | undefined,
): string | undefined {
  const homes = homesOf({ ...search, dialect: dialect.name });
  // A run in a database has the name of the database before its own.
  if (!homes.some((home) => origin.startsWith(`${home}${sep}`) || origin.startsWith(`${home}#`)))
    return undefined;
  const [head = {}] = firstRecords(path, ({ length }) => length > 0) ?? [];
  return resumeCommand(dialect, { log: origin, head, cwd });
}
