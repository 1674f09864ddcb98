import { byText } from '../../base/text/order.ts';
import type { EpisodeReport, VerifyReport } from '../../findings/report.ts';
import { SEVERITIES, type Severity } from '../../findings/severity.ts';

/** With more findings, a summary by code comes first. */
export const SUMMARY_FROM = 20;

/** The number of findings with a code and severity, and of episodes that have them. */
interface CodeCount {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
  readonly episodes: number;
}

/** The number of findings per code in an episode, including unlisted ones. */
function* countsIn({ findings, omitted = [] }: EpisodeReport): Generator<Omit<CodeCount, 'episodes'>> {
  for (const { code, severity } of findings) yield { code, severity, count: 1 };
  yield* omitted;
}

/** The findings of a report by code: worst severity first, then most frequent first. */
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

export const totalOf = (counts: readonly CodeCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);
