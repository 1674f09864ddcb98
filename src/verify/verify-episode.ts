import { basename, dirname, relative, sep } from 'node:path';
import { errorCode, isFileError, messageOf, NoesisError, reasonFor, UNNAMEABLE } from '../base/errors.ts';
import { leadsOutside } from '../base/files/files.ts';
import { isLink } from '../base/files/paths.ts';
import { defined } from '../base/json/defined.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { dialectOf, requireDialect, whyUnlikely } from '../dialects/kit/sample.ts';
import { detectDialect, dialectNamed, genericNow, isGeneric } from '../dialects/registry.ts';
import { partOfSession } from '../dialects/resume.ts';
import { kindAt, whyPassedOver } from '../find/passed-over.ts';
import { addFindings } from '../findings/add-findings.ts';
import { type FindingDraft, Findings } from '../findings/findings.ts';
import { reaches } from '../findings/level.ts';
import { logFileOf, type PassedOver, type VerifyOptions, type VerifyTarget } from '../findings/options.ts';
import type { Policy } from '../findings/policy.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { episodeReport, skippedStages } from '../findings/stages.ts';
import { unlikelyLog } from '../findings/unlikely-log.ts';
import { mixedLog, withUnknownTypes } from './mixed-log.ts';
import { missingSeal } from './seal-required.ts';

/**
 * Verifies an episode or log, in the requested dialect, else the one of its artifacts, else the one that its
 * log looks like. Runs every check, whatever the others find, and changes nothing. A bug in the verification
 * becomes a finding. Throws the file system's error if the log cannot be read.
 */
export async function verifyTarget(
  target: VerifyTarget,
  options: VerifyOptions,
  wanted?: DialectName,
): Promise<EpisodeReport> {
  if (target.unlisted !== undefined) return unlistedReport(target, target.unlisted, options);
  if (target.link) return linkReport(target, options);
  if (target.passedOver) return passedOverReport(target, target.passedOver, options);
  const dialect = await dialectOfTarget(target, wanted);
  let report: EpisodeReport;
  try {
    report = await dialect.verify(target, { ...options, form: dialect.form });
  } catch (error) {
    if (error instanceof NoesisError || isFileError(error)) throw error;
    return internalReport({ owner: dialect.name, ...target }, options, error);
  }
  const drafts = [
    ...missingSeal(target, dialect, options.policy, report),
    ...nothingChecked(target, dialect, report),
    ...mixedLog(target, dialect, report),
    ...endNotCompared(target, options, report),
    ...unreadParts(target, options.policy),
  ];
  const partOf = target.log === undefined ? undefined : partOfSession(dialect, target.log);
  const likely = wanted === undefined ? withDoubt(target, dialect, withUnknownTypes(report)) : report;
  const known = { ...likely, ...defined({ partOf }) };
  const found = addFindings(known, drafts, options.policy);
  return addFindings(found, levelMissed(found, options.policy, target), options.policy);
}

/** A report that says so if a log of no known dialect is probably not a log of an agent. */
function withDoubt({ log }: VerifyTarget, dialect: Dialect, report: EpisodeReport): EpisodeReport {
  const isUnchecked = report.stages.some(({ name, status }) => name === 'events' && status === 'skipped');
  if (log === undefined || !isGeneric(dialect) || !isUnchecked) return report;
  const why = whyUnlikely(log);
  return why === undefined ? report : { ...report, notProven: unlikelyLog(why) };
}

/** The finding for a level that is not reached, even if a rule lowered the finding that prevents it. */
function levelMissed(
  { verdict, level = 'none', notProven }: EpisodeReport,
  { requireLevel }: Policy,
  target: VerifyTarget,
): FindingDraft[] {
  if (requireLevel === undefined || requireLevel === 'anchored' || verdict === 'fail') return [];
  if (reaches(level, requireLevel)) return [];
  const here = level === 'none' ? `nothing is proven: ${notProven}` : `the episode is ${level}: ${notProven}`;
  const message = `the level ${requireLevel} is required, but ${here}`;
  return [{ code: 'verify/level', message, file: logFileOf(target) }];
}

/** The finding for an expected last record or count that was compared with nothing, because no records are chained. */
function endNotCompared(
  target: VerifyTarget,
  { chain: { expectHead, expectCount } = {} }: VerifyOptions,
  { chains = [], findings }: EpisodeReport,
): FindingDraft[] {
  if ((expectHead === undefined && expectCount === undefined) || chains.length > 0) return [];
  if (findings.some(({ code }) => code === 'chain/unknown-profile')) return [];
  const message = 'the records are not chained, so the expected end was compared with nothing';
  return [{ code: 'chain/unknown-profile', message, file: logFileOf(target) }];
}

/** The findings for what may be logs of the run and was not read. */
function unreadParts({ log = '', unreadParts: paths = [] }: VerifyTarget, policy: Policy): FindingDraft[] {
  return paths.map((path): FindingDraft => {
    const file = relative(dirname(log), path).replaceAll(sep, '/');
    if (isLink(path)) return { ...UNFOLLOWED, file };
    const why = kindAt(path) === 'other' ? whyPassedOver(path) : 'the folder cannot be listed';
    return unverified(why, policy, { file });
  });
}

/** The finding for a file or folder that was not verified. With --strict it fails. */
const unverified = (
  why: string,
  { strict }: Policy,
  more: Pick<FindingDraft, 'hint' | 'file'>,
): FindingDraft => ({
  code: 'verify/not-verified',
  ...(strict && { severity: 'warn' }),
  message: `${why}: nothing in it was verified`,
  ...more,
});

/** The finding for an existing log without records or faults. */
function nothingChecked(
  target: VerifyTarget,
  { startsEmpty }: Dialect,
  { events, verdict }: EpisodeReport,
): FindingDraft[] {
  if (target.log === undefined || events > 0 || verdict === 'fail') return [];
  const file = logFileOf(target);
  if (startsEmpty) {
    const message = 'the log has no record yet: its program creates the file before anything happens';
    return [{ code: 'log/empty', severity: 'info', message, file }];
  }
  const message = 'the log has no event: nothing of the run was checked';
  return [{ code: 'log/empty', message, file }];
}

async function dialectOfTarget(
  { dir, log = '', fileName = basename(log), owner }: VerifyTarget,
  wanted: DialectName | undefined,
): Promise<Dialect> {
  if (wanted !== undefined) return requireDialect(wanted);
  const known = owner === undefined ? undefined : dialectNamed(owner);
  if (known) return known;
  // A link that leads outside is not followed, so its name decides.
  if (dir !== undefined && leadsOutside(dir, log)) return detectDialect({ fileName, records: [] });
  return dialectOf(log, fileName);
}

/** A report on an episode that was not verified, with the reason as findings. */
export function notVerified(
  target: VerifyTarget,
  { policy }: VerifyOptions,
  why: readonly FindingDraft[],
  reason: string,
): EpisodeReport {
  const findings = new Findings(policy);
  for (const finding of why) findings.report(finding);
  const facts = { target, dialect: target.owner ?? genericNow().name };
  const report = episodeReport(facts, skippedStages(reason), findings);
  return addFindings(report, levelMissed(report, policy, target), policy);
}

/** The report on a folder that cannot be listed, or whose name cannot be used. `code` is the file system's. */
function unlistedReport(target: VerifyTarget, code: string, options: VerifyOptions): EpisodeReport {
  const why =
    code === UNNAMEABLE
      ? `${reasonFor(code)}, so it is not opened`
      : `the folder cannot be listed (${reasonFor(code)})`;
  const message = `${why}: nothing in it was verified`;
  const finding: FindingDraft = { code: 'verify/unreadable-folder', message, file: '.' };
  return notVerified(
    target,
    options,
    [finding],
    code === UNNAMEABLE ? reasonFor(code) : 'the folder cannot be listed',
  );
}

const UNFOLLOWED = {
  code: 'verify/unfollowed-link',
  message: 'a link is not followed: what it leads to was not verified',
  hint: 'name its target as a separate target',
} as const;

/** The report on a link to a folder, which could lead anywhere. */
function linkReport(target: VerifyTarget, options: VerifyOptions): EpisodeReport {
  return notVerified(target, options, [{ ...UNFOLLOWED, file: '.' }], 'a link is not followed');
}

/** The report on files that may belong to episodes but are not in any episode that the search found. */
export function passedOverReport(
  target: VerifyTarget,
  { folder, files }: PassedOver,
  options: VerifyOptions,
): EpisodeReport {
  const drafts = files.map((path) =>
    unverified(whyPassedOver(path), options.policy, {
      hint: 'name it as a separate target',
      file: relative(folder, path).replaceAll(sep, '/'),
    }),
  );
  const report = notVerified(target, options, drafts, 'these files were not verified');
  return { ...report, path: folder };
}

/** The report on an episode whose verification failed internally: a bug, or not enough memory. */
export function internalReport(target: VerifyTarget, options: VerifyOptions, error: unknown): EpisodeReport {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const finding: FindingDraft = {
    code: 'verify/internal',
    message: `the verification of this run failed (${what}): it is not verified`,
    hint: 'report this bug in noesis with the version and this message',
    file: logFileOf(target),
  };
  return notVerified(target, options, [finding], 'the verification failed');
}

/** The path that could not be read: from the error, or the log. */
function unreadableFile({ dir, log }: VerifyTarget, error: unknown): string {
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  const inside = dir !== undefined && typeof path === 'string' ? relative(dir, path) : '';
  if (inside !== '' && !inside.startsWith('..')) return inside.replaceAll(sep, '/');
  return log === undefined ? '.' : basename(log);
}

/** The report on an episode whose log cannot be read, in a run over many. */
export function unreadableReport(
  target: VerifyTarget,
  options: VerifyOptions,
  error: unknown,
): EpisodeReport {
  const message = messageOf(error);
  const reason = error instanceof NoesisError ? message : (errorCode(error) ?? message);
  const file = unreadableFile(target, error);
  const finding: FindingDraft = { code: 'artifact/unreadable', message: `cannot be read (${reason})`, file };
  return notVerified(target, options, [finding], 'the run cannot be read');
}
