import type { Severity } from '../../findings/finding.ts';
import { longProof, shortProof } from '../../findings/level.ts';
import {
  type EpisodeReport,
  type ReportHead,
  severityCounts,
  type VerifyReport,
} from '../../findings/report.ts';
import { escapeText } from './escape.ts';
import { shortPath } from './location.ts';
import { plural, tally } from './tally.ts';

/** The number of findings of an episode with a severity. */
export function countOf(episode: EpisodeReport, severity: Severity): number {
  return severityCounts(episode)[severity];
}

/** `23 events, sealed`. Reports of older versions have no level. */
export const extent = ({ events, level }: EpisodeReport): string =>
  level === undefined ? plural(events, 'event') : `${plural(events, 'event')}, ${shortProof({ level })}`;

/** `sealed: not signed, so …`, for a report on one episode; undefined for several. */
export function proofLine({ episodes }: Pick<VerifyReport, 'episodes'>): string | undefined {
  const [first, ...others] = episodes;
  if (first?.level === undefined || others.length > 0) return undefined;
  return longProof({ level: first.level, notProven: first.notProven ?? '' });
}

/**
 * `2 rules changed by noesis.toml; runs_dir in noesis.toml is ../runs`, with relative paths; undefined if a report
 * mentions no configuration.
 */
export function configurationLine(
  { configuration }: Pick<ReportHead, 'configuration'>,
  relativeTo?: string,
): string | undefined {
  if (configuration === undefined) return undefined;
  const { path, rules, settings, runsDir, prices } = configuration;
  const file = escapeText(shortPath(path, relativeTo));
  const parts = [
    rules > 0 ? plural(rules, 'rule') : '',
    settings > 0 ? plural(settings, rules > 0 ? 'other setting' : 'setting') : '',
  ].filter((part) => part !== '');
  return [
    ...(parts.length > 0 ? [`${parts.join(' and ')} changed by ${file}`] : []),
    ...(runsDir === undefined
      ? []
      : [`runs_dir in ${file} is ${escapeText(shortPath(runsDir, relativeTo))}`]),
    ...(prices === undefined ? [] : [`prices of ${plural(prices, 'model')} are from ${file}`]),
  ].join('; ');
}

/**
 * `3 episodes: 1 ok, 1 with warnings, 1 failed (2 errors, 5 warnings)`. If no episode failed but the
 * verification did, the reason is `maxWarnings`. `unchecked`: how many of those without a finding are probably no logs.
 */
export function summaryLine(
  { summary, verdict }: Pick<ReportHead, 'summary' | 'verdict'>,
  maxWarnings?: number,
  unchecked = 0,
): string {
  const { episodes, ok, warn, fail, errors, warnings, level, baselined = 0, notVerified = 0 } = summary;
  const parts = [
    ok > unchecked ? `${ok - unchecked} ok` : '',
    unchecked > 0 ? `${unchecked} not checked` : '',
    warn > 0 ? `${warn} with warnings` : '',
    fail > 0 ? `${fail} failed` : '',
  ].filter((part) => part !== '');
  const found = tally(errors, warnings);
  const verdicts = parts.length === 0 ? 'nothing was checked' : parts.join(', ');
  const why =
    verdict === 'fail' && fail === 0 && maxWarnings !== undefined
      ? `; failed: more than ${plural(maxWarnings, 'warning')}`
      : '';
  const left =
    baselined === 0
      ? ''
      : `; ${plural(baselined, 'finding')} in the baseline ${baselined === 1 ? 'is' : 'are'} ignored`;
  const files = notVerified === 0 ? '' : `; ${plural(notVerified, 'file')} not verified`;
  // A single episode shows its level in its own line. The level none only says that some episodes failed or were not
  // verified.
  const lowest = level === undefined || level === 'none' || episodes === 1 ? '' : `; lowest level ${level}`;
  return `${plural(episodes, 'run')}: ${verdicts}${found === '' ? '' : ` (${found})`}${why}${left}${files}${lowest}`;
}
