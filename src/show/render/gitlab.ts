import { createHash } from 'node:crypto';
import { dialectNamed } from '../../dialects/registry.ts';
import type { Finding, Severity } from '../../findings/finding.ts';
import type { EpisodeReport, VerifyReport } from '../../findings/report.ts';
import { escapeText } from './escape.ts';
import { fileOf, shortPath } from './location.ts';
import { configurationLine, proofLine } from './words.ts';
import { clip } from './wrap.ts';

// GitLab's code quality report: an array of issues with these members. A fingerprint identifies an issue
// across merge requests, so it contains no line. A number distinguishes equal issues.

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'critical', warn: 'minor', info: 'info' };
/** In UTF-16 units. Merge request pages show no more. */
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

/** Remarks about the whole report must be issues too. */
const noteIssue = (name: string, path: string, description: string, key = description) => ({
  description: clip(escapeText(description), LONGEST),
  check_name: `noesis/${name}`,
  fingerprint: createHash('sha256').update(key).digest('hex'),
  severity: 'info',
  location: { path, lines: { begin: 1 } },
});

/** The effect of a configuration file, as an issue of that file. */
function configurationIssue(report: VerifyReport, relativeTo: string) {
  const text = configurationLine(report, relativeTo);
  const path = shortPath(report.configuration?.path ?? '', relativeTo);
  return text === undefined ? undefined : noteIssue('rules-changed', path, text);
}

/** Names of logs in episode folders. */
const LOGS_OF_FOLDERS = ['events.jsonl', 'event-log.jsonl'];

/** A file for an issue about an episode, because GitLab accepts no folders. */
function shownFile({ path, dialect }: EpisodeReport): string {
  const log = LOGS_OF_FOLDERS.find((name) => dialectNamed(dialect)?.logFiles([name]).includes(name));
  return log === undefined || /\.[a-z]+$/i.test(path) ? path : `${path}/${log}`;
}

/** An issue that states the level of the verdicts. */
function levelIssue(report: VerifyReport, relativeTo: string) {
  const [first] = report.episodes;
  const { level } = report.summary;
  if (first === undefined || level === undefined) return undefined;
  const path = shortPath(shownFile(first), relativeTo);
  const text = proofLine(report) ?? `the lowest level of ${report.episodes.length} runs is ${level}`;
  return noteIssue('level', path, text, `level ${level}`);
}

/** The issues of a report. Unlisted findings are one issue of their episode. */
function* issuesIn(report: VerifyReport, relativeTo: string): Generator<object> {
  const seen = new Map<string, number>();
  for (const episode of report.episodes) {
    for (const finding of episode.findings) yield issueOf(episode, finding, relativeTo, seen);
    for (const { code, severity, count } of episode.omitted ?? []) {
      const message = `${count} more findings of ${code} are not listed`;
      yield issueOf(episode, { code, severity, message, file: '' }, relativeTo, seen);
    }
  }
  const notes = [levelIssue(report, relativeTo), configurationIssue(report, relativeTo)];
  yield* notes.filter((note) => note !== undefined);
}

/** The report in GitLab's code quality format. */
export function* renderGitlab(report: VerifyReport, relativeTo: string): Generator<string> {
  let isEmpty = true;
  for (const issue of issuesIn(report, relativeTo)) {
    yield `${isEmpty ? '[' : ','}\n  ${JSON.stringify(issue)}`;
    isEmpty = false;
  }
  yield isEmpty ? '[]\n' : '\n]\n';
}
