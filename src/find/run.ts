import { basename } from 'node:path';
import { TargetError, UsageError } from '../base/errors.ts';
import { statusOf } from '../base/files/paths.ts';
import { listed } from '../base/text/listed.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/kit/sample.ts';

const SHOWN_RUNS = 20;

/** The log and the run in `<log>#<run>`; undefined for a path that exists, or without a run. */
export function runAt(path: string): { readonly log: string; readonly run: string } | undefined {
  const at = path.lastIndexOf('#');
  if (at === -1 || statusOf(path) !== undefined) return undefined;
  return { log: path.slice(0, at), run: path.slice(at + 1) };
}

/**
 * The id of a run in a log, which a text names whole or by its first characters. Throws `target-missing` if there is no
 * such run, or several, and `usage` if the dialect of the log has no runs. `shown`: the path for the user.
 */
export async function runIn(
  log: string,
  text: string,
  named: DialectName | undefined,
  shown = log,
): Promise<string> {
  const place = { file: shown };
  const dialect = await dialectOf(log, basename(log), named);
  if (dialect.runs === undefined) {
    throw new UsageError('usage', `a log of this dialect (${dialect.name}) has no runs to choose from`, {
      place,
      hint: 'remove the # and what follows it',
    });
  }
  const runs = (await dialect.runs(log, dialect.form)).map(({ id }) => id);
  if (runs.includes(text)) return text;
  const [only, ...others] = text === '' ? [] : runs.filter((id) => id.startsWith(text));
  if (only !== undefined && others.length === 0) return only;
  throw new TargetError('target-missing', `no run ${JSON.stringify(text)} in ${shown}`, {
    place,
    hint:
      runs.length === 0
        ? 'give another file; this one has no runs'
        : `it contains ${listed(runs, SHOWN_RUNS)}`,
  });
}
