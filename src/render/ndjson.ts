import type { EpisodeReport, ReportHead } from '../findings/report.ts';

/** An episode as a line of NDJSON, with members in the same order as in JSON. */
export function episodeLine({ findings, ...episode }: EpisodeReport): string {
  return `${JSON.stringify({ ...episode, findings })}\n`;
}

/** The last line of a report in NDJSON. Without it the report is incomplete. */
export function headLine(head: ReportHead): string {
  return `${JSON.stringify(head)}\n`;
}
