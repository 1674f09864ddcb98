import { basename } from 'node:path';
import { TargetError, UsageError } from '../base/errors.ts';
import { statusOf } from '../base/files/paths.ts';
import { listed } from '../base/text/listed.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/kit/sample.ts';

const SHOWN_RUNS = 20;

/** A run in a log. */
interface RunAt {
  readonly log: string;
  readonly run: string;
}

/** The ways to read a path as `<log>#<run>`, because both names may contain a `#`: the longest log first. */
export const runsAt = (path: string): RunAt[] =>
  [...path.matchAll(/#/g)]
    .toReversed()
    .map(({ index }) => ({ log: path.slice(0, index), run: path.slice(index + 1) }));

/**
 * The log and the run in `<log>#<run>`; undefined for a path that exists, or without a run. If no such log exists, it may
 * be in an archive.
 */
export function runAt(path: string): RunAt | undefined {
  const ways = runsAt(path);
  if (ways.length === 0 || statusOf(path) !== undefined) return undefined;
  return ways.find(({ log }) => statusOf(log) !== undefined) ?? ways[0];
}

/** The ids of the runs in a log; undefined if its dialect has no runs. */
export async function runsIn(
  log: string,
  named: DialectName | undefined,
): Promise<readonly string[] | undefined> {
  return idsIn(log, await dialectOf(log, basename(log), named));
}

const idsIn = async (log: string, dialect: Dialect): Promise<readonly string[] | undefined> =>
  (await dialect.runs?.(log, dialect.form))?.map(({ id }) => id);

/**
 * The id of a run in a log, which a text names whole or by its first characters. Throws `target-missing` if there is no
 * such run, `target-ambiguous` if there are several, and `usage` if the dialect of the log has no runs. `shown`: the path for
 * the user.
 */
export async function runIn(
  log: string,
  text: string,
  named: DialectName | undefined,
  shown = log,
): Promise<string> {
  const place = { file: shown };
  const dialect = await dialectOf(log, basename(log), named);
  const runs = await idsIn(log, dialect);
  if (runs === undefined) {
    throw new UsageError('usage', `a log of this dialect (${dialect.name}) has no runs to choose from`, {
      place,
      hint: 'remove the # and what follows it',
    });
  }
  if (runs.includes(text)) return text;
  const begun = text === '' ? [] : runs.filter((id) => id.startsWith(text));
  const [only, ...others] = begun;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new TargetError('target-ambiguous', `${text} matches ${begun.length} runs in ${shown}`, {
      place,
      hint: `give one of ${listed(begun, SHOWN_RUNS)}`,
    });
  throw new TargetError('target-missing', `no run ${JSON.stringify(text)} in ${shown}`, {
    place,
    hint:
      runs.length === 0
        ? 'give another file; this one has no runs'
        : `it contains ${listed(runs, SHOWN_RUNS)}`,
  });
}
