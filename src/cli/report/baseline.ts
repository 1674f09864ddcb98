import { createHash } from 'node:crypto';
import { ConfigurationError, errorCode, FileError, reasonOf, UsageError } from '../../base/errors.ts';
import { readWhole } from '../../base/files/open-file.ts';
import { jsonIn } from '../../base/json/parse.ts';
import type { BaselineFilter } from '../../findings/baseline.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { escapeText } from '../../show/render/escape.ts';
import { plural } from '../../show/render/tally.ts';
import type { Context } from '../context.ts';
import { pathToWrite, writeReport } from './write-report.ts';

/** The baseline options. */
export interface BaselineOptions {
  readonly baseline?: string;
  readonly writeBaseline?: boolean;
}

/** The baseline file; undefined if none is used. Throws `usage` if it should be written and has no name. */
export function baselineFile(
  { io }: Context,
  { baseline, writeBaseline }: BaselineOptions,
): string | undefined {
  if (baseline !== undefined) return pathToWrite(io.cwd, '--baseline', baseline);
  if (writeBaseline)
    throw new UsageError('usage', '--write-baseline needs --baseline FILE', {
      hint: 'name the file to write',
    });
  return undefined;
}

async function textOf(path: string): Promise<string> {
  try {
    return readWhole(path).toString();
  } catch (error) {
    if (error instanceof FileError) throw error;
    const hint =
      errorCode(error) === 'ENOENT'
        ? 'add --write-baseline to write one from the present findings'
        : 'check that the path exists and that you may read it';
    throw new FileError('unreadable', `cannot read the baseline ${path}: ${reasonOf(error)}`, {
      place: { file: path },
      hint,
      cause: error,
    });
  }
}

/** A filter of reports, and the digest of the baseline. */
export interface Accepted {
  readonly filter: BaselineFilter;
  /** The codes in the baseline that `verify` never reports, and those that no baseline may accept. */
  readonly unknown: readonly string[];
  readonly refused: readonly string[];
  readonly digest: string;
}

async function acceptedIn(text: string, path: string): Promise<Accepted> {
  const { BaselineFilter, baselineSchema } = await import('../../findings/baseline.ts');
  const { catalogueEntry, isNeverAccepted } = await import('../../dialects/catalogue.ts');
  const parsed = baselineSchema.safeParse(jsonIn(text));
  if (!parsed.success) {
    throw new ConfigurationError('config-invalid', `${path} is not a baseline`, {
      place: { file: path },
      hint: 'add --write-baseline to write one from the present findings',
    });
  }
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const codes = [...new Set(parsed.data.findings.map(({ code }) => code))];
  return {
    filter: new BaselineFilter(parsed.data, isNeverAccepted),
    unknown: codes.filter((code) => catalogueEntry(code) === undefined),
    refused: codes.filter(isNeverAccepted),
    digest,
  };
}

/** Reads a baseline. Throws `unreadable` and `config-invalid`, because a gate must not run without it. */
export const readBaseline = async (path: string): Promise<Accepted> => acceptedIn(await textOf(path), path);

/** Writes the findings as a new baseline, and returns it. */
export async function writeBaseline(
  context: Context,
  path: string,
  reports: readonly EpisodeReport[],
): Promise<Accepted> {
  const { BaselineWriter } = await import('../../findings/baseline.ts');
  const { isNeverAccepted } = await import('../../dialects/catalogue.ts');
  const writer = new BaselineWriter(isNeverAccepted);
  for (const report of reports) writer.add(report);
  const baseline = writer.result();
  const text = `${JSON.stringify(baseline, null, 2)}\n`;
  await writeReport(path, [text]);
  const accepted = baseline.findings.reduce((sum, { count }) => sum + count, 0);
  await context.say(`wrote ${plural(accepted, 'finding')} to ${context.shortPath(path)}`);
  if (writer.omitted > 0)
    await context.say(
      `${plural(writer.omitted, 'finding')} more are only counted: --max-findings 0 keeps all`,
    );
  return acceptedIn(text, path);
}

/**
 * Reports entries of a baseline that accept nothing: codes that do not exist, codes that are never accepted, and findings
 * that are gone. A baseline that never shrinks would hide them if they came back.
 */
export async function sayUnused(context: Context, { filter, unknown, refused }: Accepted): Promise<void> {
  if (unknown.length > 0)
    await context.say(escapeText(`the baseline names codes that do not exist: ${unknown.join(', ')}`));
  if (refused.length > 0)
    await context.say(`the baseline names codes that no baseline can accept: ${refused.join(', ')}`);
  if (filter.gone > 0)
    await context.say(
      `${plural(filter.gone, 'finding')} of the baseline ${filter.gone === 1 ? 'is' : 'are'} gone: --write-baseline removes ${filter.gone === 1 ? 'it' : 'them'}`,
    );
}
