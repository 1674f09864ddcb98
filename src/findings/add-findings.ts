import { type FindingDraft, Findings } from './findings.ts';
import { compareFindings } from './order.ts';
import type { Policy } from './policy.ts';
import { type EpisodeReport, severityCounts, verdictOf } from './report.ts';

/** Adds a few findings from outside its dialect to a report. */
export function addFindings(
  report: EpisodeReport,
  drafts: readonly FindingDraft[],
  policy: Policy,
): EpisodeReport {
  if (drafts.length === 0) return report;
  const added = new Findings(policy);
  for (const draft of drafts) added.report(draft);
  const findings = report.findings.concat(added.conclude().findings).sort(compareFindings);
  return { ...report, findings, verdict: verdictOf(severityCounts({ ...report, findings })) };
}
