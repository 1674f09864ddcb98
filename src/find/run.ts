import { basename } from 'node:path';
import { TargetError, UsageError } from '../base/errors.ts';
import { statusOf } from '../base/files/paths.ts';
import { listed } from '../base/text/listed.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/kit/sample.ts';

const SHOWN_RUNS = 20;

/** The log and the run in `<log>#<run>`; undefined for a path that exists, or without a run. */
export function runAt(path: string): { readonly log: string; readonly run: string } | undefined {
  const at = path.lastIndexOf('#');
  if (at === -1 || statusOf(path) !== undefined) return undefined;
  return { log: path.slice(0, at), run: path.slice(at + 1) };
}

/** Completes a prefix of a run id. Returns the text unchanged if no run or several match. */
export async function wholeRunId(log: string, text: string, named: DialectName | undefined): Promise<string> {
  const dialect = await dialectOf(log, basename(log), named);
  const ids = ((await dialect.runs?.(log, dialect.form)) ?? []).map(({ id }) => id);
  if (text === '' || ids.includes(text)) return text;
  const [only, ...others] = ids.filter((id) => id.startsWith(text));
  return others.length === 0 ? (only ?? text) : text;
}

/**
 * Throws `target-missing` if a log has no such run, and `usage` if its dialect has no runs. `shown`: the path for the user;
 * `origin`: what is there if the log is a copy.
 */
export async function requireRun(
  log: string,
  run: string,
  dialect: Dialect,
  origin = log,
  shown = origin,
): Promise<void> {
  const place = { file: origin };
  if (dialect.runs === undefined) {
    throw new UsageError('usage', `a log of this dialect (${dialect.name}) has no runs to choose from`, {
      place,
      hint: 'remove the # and what follows it',
    });
  }
  const runs = (await dialect.runs(log, dialect.form)).map(({ id }) => id);
  if (runs.includes(run)) return;
  throw new TargetError('target-missing', `no run ${JSON.stringify(run)} in ${shown}`, {
    place,
    hint:
      runs.length === 0
        ? 'give another file; this one has no runs'
        : `it contains ${listed(runs, SHOWN_RUNS)}`,
  });
}
