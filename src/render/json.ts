import type { VerifyReport } from '../verify/report.ts';

/** The report as one JSON document. Its texts are exact: a consumer that prints them must make them harmless. */
export function renderJson(report: VerifyReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
