import { basename } from 'node:path';
import type { Dialect, DialectName } from '../../dialects/dialect.ts';
import { dialectOf } from '../../dialects/kit/sample.ts';
import { foreignLog } from '../../find/foreign-log.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { Corruption } from '../../log/corruption.ts';
import { accountOfLog, accountsOfLog } from '../../read/describe/account-of-log.ts';
import type { LogAccount } from '../../read/describe/gathering.ts';

/** One exported run: a log, or one of several runs in a log. */
export interface ExportRun {
  /** The name of the episode or log. */
  readonly episode: string;
  readonly run: string | undefined;
  readonly account: LogAccount;
}

/** An intact log to export. */
export interface ExportLog {
  readonly target: VerifyTarget;
  readonly episode: string;
  readonly log: string;
  readonly dialect: Dialect;
  /** At least one, ordered by start. */
  readonly runs: readonly ExportRun[];
}

/** A corrupt log. It is not exported, because part of a log would look like a whole one. */
export interface CorruptLog {
  readonly log: string;
  readonly corruption: Corruption;
}

type LoggedTarget = VerifyTarget & { readonly log: string };

export const hasLog = (target: VerifyTarget): target is LoggedTarget => target.log !== undefined;

/** Reads a log once to find its runs. */
export async function openForExport(
  target: LoggedTarget,
  wanted?: DialectName,
): Promise<ExportLog | CorruptLog> {
  const { name: episode, log, fileName } = target;
  const dialect = await dialectOf(log, fileName ?? basename(log), wanted);
  const other = wanted === undefined ? undefined : foreignLog(dialect, log, basename(log));
  if (other !== undefined) throw other;
  const many = target.run === undefined ? await dialect.runs?.(log, dialect.form) : undefined;
  if (many === undefined || many.length === 0) {
    const { run } = target;
    const account = await accountOfLog(log, dialect, run, undefined, target.parts);
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
