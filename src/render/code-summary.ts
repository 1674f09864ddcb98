import type { EpisodeReport, VerifyReport } from '../findings/report.ts';
import { SEVERITIES, type Severity } from '../findings/severity.ts';
import { byText } from '../text/order.ts';

/** With more findings than this a summary by code comes before them. */
export const SUMMARY_FROM = 20;

/** How many findings of a code and severity there are, and in how many episodes. */
export interface CodeCount {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
  readonly episodes: number;
}

/** The codes of an episode's findings, those that are only counted as well. */
function* countsIn({ findings, omitted = [] }: EpisodeReport): Generator<Omit<CodeCount, 'episodes'>> {
  for (const { code, severity } of findings) yield { code, severity, count: 1 };
  yield* omitted;
}

/** The findings of a report by code: the worst severity first, and of one the most frequent. */
export function codeCounts({ episodes }: VerifyReport): CodeCount[] {
  const counts = new Map<string, CodeCount & { last: EpisodeReport }>();
  for (const episode of episodes) {
    for (const { code, severity, count } of countsIn(episode)) {
      const key = `${severity} ${code}`;
      const before = counts.get(key);
      const more = before?.last === episode ? 0 : 1;
      counts.set(key, {
        code,
        severity,
        count: (before?.count ?? 0) + count,
        episodes: (before?.episodes ?? 0) + more,
        last: episode,
      });
    }
  }
  const rank = (severity: Severity) => SEVERITIES.indexOf(severity);
  return [...counts.values()]
    .sort((a, b) => rank(a.severity) - rank(b.severity) || b.count - a.count || byText(a.code, b.code))
    .map(({ last: _, ...count }) => count);
}

/** How many findings a report has in all. */
export const totalOf = (counts: readonly CodeCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);
