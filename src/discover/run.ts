import type { Dialect } from '../dialects/dialect.ts';
import { TargetError, UsageError } from '../errors.ts';

const SHOWN_RUNS = 20;

/** Throws `target-missing` where a log has no such run, and `usage` where its dialect knows no runs. */
export async function requireRun(log: string, run: string, dialect: Dialect): Promise<void> {
  const place = { file: log };
  if (dialect.runs === undefined) {
    throw new UsageError('usage', `a log of this dialect (${dialect.name}) holds no runs to pick from`, {
      place,
      hint: 'leave out the # and what follows it',
    });
  }
  const runs = (await dialect.runs(log)).map(({ id }) => id);
  if (runs.includes(run)) return;
  const more = runs.length > SHOWN_RUNS ? ` and ${runs.length - SHOWN_RUNS} more` : '';
  throw new TargetError('target-missing', `no run ${JSON.stringify(run)} in ${log}`, {
    place,
    hint: runs.length === 0 ? 'it holds no runs' : `it holds ${runs.slice(0, SHOWN_RUNS).join(', ')}${more}`,
  });
}
