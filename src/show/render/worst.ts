import type { Finding } from '../../findings/finding.ts';
import { type EpisodeReport, severityCounts, type VerifyReport } from '../../findings/report.ts';
import { SEVERITIES, type Severity } from '../../findings/severity.ts';

/** A finding and its episode. */
export interface Placed {
  readonly episode: EpisodeReport;
  readonly finding: Finding;
}

/** The worst `limit` findings of all episodes; `total` is the number of all. */
export function worstOf(
  report: VerifyReport,
  limit: number,
  severities: readonly Severity[] = SEVERITIES,
): { worst: Placed[]; total: number } {
  const worst: Placed[] = [];
  let total = 0;
  for (const severity of severities) {
    for (const episode of report.episodes) {
      const count = severityCounts(episode)[severity];
      total += count;
      if (count === 0 || worst.length >= limit) continue;
      for (const finding of episode.findings) {
        if (finding.severity === severity) worst.push({ episode, finding });
        if (worst.length >= limit) break;
      }
    }
  }
  return { worst, total };
}
