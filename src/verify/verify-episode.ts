import { basename, relative, sep } from 'node:path';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { FIRST_DIALECT } from '../dialects/registry.ts';
import { dialectOf } from '../dialects/sample.ts';
import { errorCode, NoesisError } from '../errors.ts';
import { leadsOutside } from '../files/files.ts';
import { Findings } from '../findings/findings.ts';
import type { VerifyOptions, VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { episodeReport, skippedStages } from '../findings/stages.ts';

/**
 * Verifies one episode or log, in its dialect or the one that is insisted on: every check of the catalogue, none
 * stopped by another's finding, nothing changed. Throws the file system's error where the log cannot be read.
 */
export async function verifyTarget(
  target: VerifyTarget,
  options: VerifyOptions,
  wanted?: DialectName,
): Promise<EpisodeReport> {
  const dialect = (await dialectOfTarget(target, wanted)) ?? FIRST_DIALECT;
  return dialect.verify(target, options);
}

/** The dialect of a target's log; undefined where there is none to look at, or one that leads out of its episode. */
async function dialectOfTarget(
  { dir, log, fileName }: VerifyTarget,
  wanted: DialectName | undefined,
): Promise<Dialect | undefined> {
  if (log === undefined) return undefined;
  const isEpisodeLog = FIRST_DIALECT.logFiles([basename(log)]).length > 0;
  if (wanted === undefined && dir !== undefined && isEpisodeLog && leadsOutside(dir, log)) return undefined;
  return dialectOf(log, fileName ?? basename(log), wanted);
}

/** What could not be read, as the error has it: something else of the episode, or its log. */
function unreadableFile({ dir, log }: VerifyTarget, error: unknown): string {
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  const inside = dir !== undefined && typeof path === 'string' ? relative(dir, path) : '';
  if (inside !== '' && !inside.startsWith('..')) return inside.replaceAll(sep, '/');
  return log === undefined ? '.' : basename(log);
}

/** The report on an episode whose log cannot be read, for a run over many. */
export function unreadableReport(
  target: VerifyTarget,
  options: VerifyOptions,
  error: unknown,
): EpisodeReport {
  const findings = new Findings(options.policy);
  const message = error instanceof Error ? error.message : String(error);
  const reason = error instanceof NoesisError ? message : (errorCode(error) ?? message);
  const file = unreadableFile(target, error);
  findings.report({ code: 'artifact/unreadable', message: `cannot be read (${reason})`, file });
  const stages = skippedStages('the episode cannot be read');
  return episodeReport({ target, dialect: FIRST_DIALECT.name }, stages, findings);
}
