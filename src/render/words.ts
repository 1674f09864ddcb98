import type { Severity } from '../findings/finding.ts';
import { type EpisodeReport, severityCounts, type VerifyReport } from '../findings/report.ts';

/** `1 error`, `2 errors`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** How many findings of an episode have a severity. */
export function countOf(episode: EpisodeReport, severity: Severity): number {
  return severityCounts(episode)[severity];
}

/** `2 errors, 5 warnings`; what there is none of is left out. */
export function tally(errors: number, warnings: number, notes = 0): string {
  const parts = [
    errors > 0 ? plural(errors, 'error') : '',
    warnings > 0 ? plural(warnings, 'warning') : '',
    notes > 0 ? plural(notes, 'note') : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `23 events, sealed`. Only a noesis episode can be sealed, so only there its absence says something. */
export function extent({ events, sealed, dialect }: EpisodeReport): string {
  const seal = sealed ? ', sealed' : dialect === 'noesis' ? ', unsealed' : '';
  return `${plural(events, 'event')}${seal}`;
}

/**
 * `3 episodes: 1 ok, 1 with warnings, 1 failed (2 errors, 5 warnings)`. Where no episode failed and all of them
 * together did, it was for `maxWarnings`.
 */
export function summaryLine({ summary, verdict }: VerifyReport, maxWarnings?: number): string {
  const { episodes, ok, warn, fail, errors, warnings } = summary;
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
  return `${plural(episodes, 'episode')}: ${verdicts}${found === '' ? '' : ` (${found})`}${why}`;
}
