import { createHash } from 'node:crypto';
import type { Finding, Severity } from '../findings/finding.ts';
import type { EpisodeReport, VerifyReport } from '../findings/report.ts';
import { escapeText } from './escape.ts';
import { fileOf, shortPath } from './location.ts';
import { proofLine } from './words.ts';
import { clip } from './wrap.ts';

// GitLab's report of code quality: an array of issues, of which these members are read. A fingerprint tells an issue
// from one request to the next: no line is in it, and an issue that comes twice gets a number.

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'critical', warn: 'minor', info: 'info' };
/** In UTF-16 units: the page of a merge request shows no more. */
const LONGEST = 1000;

function fingerprintOf(
  path: string,
  { code, eventId, path: place, message }: Finding,
  seen: Map<string, number>,
) {
  const text = JSON.stringify([path, code, eventId ?? '', place ?? '', message.replaceAll(/\d+/g, '#')]);
  const before = seen.get(text) ?? 0;
  seen.set(text, before + 1);
  return createHash('sha256').update(`${before} ${text}`).digest('hex');
}

function issueOf(episode: EpisodeReport, finding: Finding, relativeTo: string, seen: Map<string, number>) {
  const path = shortPath(fileOf(episode, finding), relativeTo);
  const { code, severity, message, hint, line = 1 } = finding;
  return {
    description: clip(escapeText(hint === undefined ? message : `${message} (${hint})`), LONGEST),
    check_name: code,
    fingerprint: fingerprintOf(path, finding, seen),
    severity: SEVERITY[severity],
    location: { path, lines: { begin: line } },
  };
}

/** How far the verdicts go: the report has no other place for what is true of it as a whole. */
function levelIssue(report: VerifyReport, relativeTo: string) {
  const [first] = report.episodes;
  const { level } = report.summary;
  if (first === undefined || level === undefined) return undefined;
  const path = shortPath(first.path, relativeTo);
  return {
    description: clip(
      escapeText(proofLine(report) ?? `the lowest level of ${report.episodes.length} episodes is ${level}`),
      LONGEST,
    ),
    check_name: 'noesis/level',
    fingerprint: createHash('sha256').update(`level ${level}`).digest('hex'),
    severity: 'info',
    location: { path, lines: { begin: 1 } },
  };
}

/** The report as GitLab reads code quality; findings that are only counted are one issue of their episode. */
export function* renderGitlab(report: VerifyReport, relativeTo: string): Generator<string> {
  const seen = new Map<string, number>();
  let separator = '[\n  ';
  for (const episode of report.episodes) {
    for (const finding of episode.findings) {
      yield separator + JSON.stringify(issueOf(episode, finding, relativeTo, seen));
      separator = ',\n  ';
    }
    for (const { code, severity, count } of episode.omitted ?? []) {
      const message = `${count} more findings of ${code} are not listed`;
      const rest = { code, severity, message, file: '' };
      yield separator + JSON.stringify(issueOf(episode, rest, relativeTo, seen));
      separator = ',\n  ';
    }
  }
  const proof = levelIssue(report, relativeTo);
  if (proof !== undefined) yield separator + JSON.stringify(proof);
  if (proof !== undefined) separator = ',\n  ';
  yield separator.startsWith('[') ? '[]\n' : '\n]\n';
}
