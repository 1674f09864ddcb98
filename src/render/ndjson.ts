import type { EpisodeReport, ReportHead } from '../findings/report.ts';

/** One episode of a report as a line of NDJSON, its members in the order that they have in JSON. */
export function episodeLine({ findings, ...episode }: EpisodeReport): string {
  return `${JSON.stringify({ ...episode, findings })}\n`;
}

/** The last line of a report in NDJSON: without it the report is not whole. */
export function headLine(head: ReportHead): string {
  return `${JSON.stringify(head)}\n`;
}
