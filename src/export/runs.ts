import { basename } from 'node:path';
import { accountOfLog, accountsOfLog, type LogAccount } from '../describe/account-of-log.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/sample.ts';
import type { VerifyTarget } from '../findings/options.ts';
import type { Corruption } from '../log/corruption.ts';

/** One run that is exported: a log, or one of the runs in a log that holds many. */
export interface ExportRun {
  /** What it is called: the episode, or the log. */
  readonly episode: string;
  readonly run: string | undefined;
  readonly account: LogAccount;
}

/** A log that is exported and is whole. */
export interface ExportLog {
  readonly target: VerifyTarget;
  readonly episode: string;
  readonly log: string;
  readonly dialect: Dialect;
  /** At least one; in the order in which they begin. */
  readonly runs: readonly ExportRun[];
}

/** A log whose first corruption keeps it out: half a log would be taken for a whole one. */
export interface CorruptLog {
  readonly log: string;
  readonly corruption: Corruption;
}

/** A target whose events can be exported. */
type LoggedTarget = VerifyTarget & { readonly log: string };

export const hasLog = (target: VerifyTarget): target is LoggedTarget => target.log !== undefined;

/** Reads a log once for what is said of its runs. */
export async function openForExport(
  target: LoggedTarget,
  wanted?: DialectName,
): Promise<ExportLog | CorruptLog> {
  const { name: episode, log, fileName } = target;
  const dialect = await dialectOf(log, fileName ?? basename(log), wanted);
  const many = target.run === undefined ? await dialect.runs?.(log) : undefined;
  if (many === undefined || many.length === 0) {
    const { run } = target;
    const account = await accountOfLog(log, dialect, run);
    if (account.corruption) return { log, corruption: account.corruption };
    return { target, episode, log, dialect, runs: [{ episode, run, account }] };
  }
  const ids = many.map(({ id }) => id);
  const accounts = await accountsOfLog(log, dialect, ids);
  const runs = [...accounts].map(([run, account]) => ({ episode, run, account }));
  const corruption = runs.find(({ account }) => account.corruption)?.account.corruption;
  if (corruption) return { log, corruption };
  return { target, episode, log, dialect, runs };
}
