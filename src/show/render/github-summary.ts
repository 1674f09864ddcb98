import { pushAll } from '../../base/files/push-all.ts';
import type { EpisodeReport, VerifyReport } from '../../findings/report.ts';
import { codeCounts, SUMMARY_FROM, totalOf } from './code-summary.ts';
import { episodeNames } from './episode-names.ts';
import { unlinked } from './markdown-text.ts';
import { placeOf } from './pretty-finding.ts';
import { configurationLine, countOf, proofLine, summaryLine } from './words.ts';
import { worstOf } from './worst.ts';
import { clip } from './wrap.ts';

const EPISODES = 100;
const FINDINGS = 50;
const CELL_UNITS = 500;

const TITLE = { ok: 'passed', warn: 'passed with warnings', fail: 'failed' } as const;

/** Escapes text for Markdown and HTML. Entities are never markup, and do not split table cells. */
const markdown = (text: string): string =>
  unlinked(clip(text, CELL_UNITS), (part) =>
    part.replace(/[^\p{L}\p{N}\p{M} ,;/+=-]/gu, (character) =>
      /[!-~]/.test(character) ? `&#${character.charCodeAt(0)};` : character,
    ),
  );

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map((cells) => line(cells.map(markdown)))];
}

function episodeRow(episode: EpisodeReport, name: string): string[] {
  const { verdict, events, level = '-' } = episode;
  const counts = [countOf(episode, 'error'), countOf(episode, 'warn')];
  return [verdict, name, `${events}`, level, ...counts.map(String)];
}

/** A Markdown page for a workflow's step summary: failing episodes first, then the worst findings. */
export function renderGithubSummary(report: VerifyReport, relativeTo?: string): string {
  const nameOf = episodeNames(report.episodes, relativeTo);
  const ordered = (['fail', 'warn', 'ok'] as const).flatMap((verdict) =>
    report.episodes.filter((episode) => episode.verdict === verdict),
  );
  const lines = [`### noesis verify ${TITLE[report.verdict]}`, '', summaryLine(report), ''];
  const proof = proofLine(report);
  if (proof !== undefined) lines.push(markdown(proof), '');
  const changed = configurationLine(report, relativeTo);
  if (changed !== undefined) lines.push(markdown(changed), '');
  const heads = ['Verdict', 'Run', 'Events', 'Level', 'Errors', 'Warnings'];
  const rowsOfEpisodes = ordered.slice(0, EPISODES).map((episode) => episodeRow(episode, nameOf(episode)));
  if (ordered.length > 0) pushAll(lines, [...table(heads, rowsOfEpisodes), '']);
  if (ordered.length > EPISODES) lines.push(`… and ${ordered.length - EPISODES} more runs`, '');

  const counts = codeCounts(report);
  if (totalOf(counts) > SUMMARY_FROM) {
    const rowsOfCodes = counts.map(({ severity, code, count, episodes: among }) => [
      severity,
      code,
      `${count}`,
      `${among}`,
    ]);
    pushAll(lines, [...table(['Severity', 'Code', 'Findings', 'Runs'], rowsOfCodes), '']);
  }

  const { worst, total } = worstOf(report, FINDINGS);
  const rows = worst.map(({ episode, finding }) => {
    const { severity, code, message } = finding;
    return [severity, code, `${nameOf(episode)} ${placeOf(finding)}`, message];
  });
  if (rows.length > 0) pushAll(lines, [...table(['Severity', 'Code', 'Place', 'What is wrong'], rows), '']);
  if (total > worst.length) lines.push(`… and ${total - worst.length} more findings`, '');
  return lines.join('\n');
}
