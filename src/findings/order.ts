import type { Finding } from './finding.ts';
import type { OmittedFindings } from './report.ts';
import { SEVERITIES, type Severity } from './severity.ts';

function byNumber(a: number | undefined, b: number | undefined): number {
  return (a ?? 0) - (b ?? 0);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Worst first. */
const bySeverity = (a: Severity, b: Severity): number => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);

/**
 * Orders the findings of a report: file, line (findings without a line first), column, code, path, message,
 * severity.
 */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    byText(a.file, b.file) ||
    byNumber(a.line, b.line) ||
    byNumber(a.column, b.column) ||
    byText(a.code, b.code) ||
    byText(a.path ?? '', b.path ?? '') ||
    byText(a.message, b.message) ||
    bySeverity(a.severity, b.severity)
  );
}

/** Orders counted findings: worst first, then by code. */
export function compareOmitted(a: OmittedFindings, b: OmittedFindings): number {
  return bySeverity(a.severity, b.severity) || byText(a.code, b.code);
}
