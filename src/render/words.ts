import { dialectNamed } from '../dialects/registry.ts';
import type { Severity } from '../findings/finding.ts';
import { type EpisodeReport, type ReportHead, severityCounts } from '../findings/report.ts';
import { plural, tally } from './tally.ts';

export { plural, tally };

/** How many findings of an episode have a severity. */
export function countOf(episode: EpisodeReport, severity: Severity): number {
  return severityCounts(episode)[severity];
}

/** `23 events, sealed`. Where a dialect knows no seal, its absence says nothing. */
export function extent({ events, sealed, dialect }: EpisodeReport): string {
  const seal = sealed ? ', sealed' : dialectNamed(dialect)?.seals ? ', unsealed' : '';
  return `${plural(events, 'event')}${seal}`;
}

/**
 * `3 episodes: 1 ok, 1 with warnings, 1 failed (2 errors, 5 warnings)`. Where no episode failed and all of them
 * together did, it was for `maxWarnings`.
 */
export function summaryLine(
  { summary, verdict }: Pick<ReportHead, 'summary' | 'verdict'>,
  maxWarnings?: number,
): string {
  const { episodes, ok, warn, fail, errors, warnings, baselined = 0, not_verified = 0 } = summary;
  const parts = [
    ok > 0 ? `${ok} ok` : '',
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
      : `; ${plural(baselined, 'finding')} in the baseline ${baselined === 1 ? 'does' : 'do'} not count`;
  const files = not_verified === 0 ? '' : `; ${plural(not_verified, 'file')} not verified`;
  return `${plural(episodes, 'episode')}: ${verdicts}${found === '' ? '' : ` (${found})`}${why}${left}${files}`;
}
