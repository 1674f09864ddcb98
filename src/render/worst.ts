import type { Finding, Severity } from '../verify/finding.ts';
import type { EpisodeReport, VerifyReport } from '../verify/report.ts';

/** The severities, worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warn', 'info'];

/** Errors, then warnings, then infos; within them the report's own order. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

/** A finding and the episode it is in. */
export interface Placed {
  readonly episode: EpisodeReport;
  readonly finding: Finding;
}

/** The worst `limit` findings of all episodes; `total` counts what there is. */
export function worstOf(
  report: VerifyReport,
  limit: number,
  severities: readonly Severity[] = SEVERITIES,
): { worst: Placed[]; total: number } {
  const worst: Placed[] = [];
  let total = 0;
  for (const severity of severities) {
    for (const episode of report.episodes) {
      for (const finding of episode.findings) {
        if (finding.severity !== severity) continue;
        total += 1;
        if (worst.length < limit) worst.push({ episode, finding });
      }
    }
  }
  return { worst, total };
}
