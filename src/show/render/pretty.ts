import { pushAll } from '../../base/files/push-all.ts';
import { countText } from '../../base/text/count.ts';
import { grouped } from '../../base/text/grouped.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import { shortProof } from '../../findings/level.ts';
import {
  type EpisodeReport,
  filesNotVerified,
  type Verdict,
  type VerifyReport,
} from '../../findings/report.ts';
import { DOES_NOT_APPLY } from '../../findings/report-words.ts';
import { skippedOf } from '../../findings/stages.ts';
import { isUnlikely } from '../../findings/unlikely-log.ts';
import { codeCounts, SUMMARY_FROM, totalOf } from './code-summary.ts';
import { repeatedIds } from './episode-names.ts';
import { escapeText } from './escape.ts';
import { type Entry, fold } from './fold.ts';
import { shortPath } from './location.ts';
import { findingLines } from './pretty-finding.ts';
import { partText } from './resume-words.ts';
import { type Paint, type Style, severityPaint } from './style.ts';
import { plural, tally } from './tally.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { configurationLine, countOf, extent, summaryLine } from './words.ts';
import { worstOf } from './worst.ts';
import { clip, wrap } from './wrap.ts';

export interface PrettyOptions {
  readonly style: Style;
  /** The width of the terminal. */
  readonly width: number;
  /** Show paths relative to this absolute folder. */
  readonly relativeTo?: string;
  /** Print only a line per failing episode, and the effect of a configuration. */
  readonly quiet?: boolean;
  /** The verification fails if there are more warnings. */
  readonly maxWarnings?: number | undefined;
  /** Why the command fails although no finding does: nothing was checked. */
  readonly unchecked?: string | undefined;
  /** The command that explains a code; by default `noesis explain`. */
  readonly explainCommand?: string;
}

const MIN_WIDTH = 40;
/** In characters: the reason for skipping a stage may quote the log. */
const LONGEST_REASON = 300;
const USUAL_ID = 30;
/** A longer code in the table of codes only makes its own row longer. */
const WIDEST_CODE = 40;
/** The width of a verdict and the gap after it. */
const MARGIN = ' '.repeat(6);

function verdictPaint(style: Style, verdict: Verdict): Paint {
  return { ok: style.green, warn: style.yellow, fail: style.red }[verdict];
}

/** Whether a file that is probably no log has no finding: nothing of it was checked, so it is not called ok. */
const isUnchecked = (episode: EpisodeReport): boolean => episode.verdict === 'ok' && isUnlikely(episode);

/** `fail  ep_…  42 events, sealed`. Ids of normal length are never cut, because people copy them. */
function oneLine(episode: EpisodeReport, facts: string, style: Style, width: number): string {
  const mark = isUnchecked(episode)
    ? style.yellow(style.bold('skip'))
    : verdictPaint(style, episode.verdict)(style.bold(episode.verdict.padEnd(4)));
  const room = width - MARGIN.length - 2;
  const name = truncateToWidth(
    escapeText(clip(episode.episode, width)),
    Math.max(room - facts.length, USUAL_ID),
  );
  const tail = truncateToWidth(facts, room - displayWidth(name));
  return `${mark}  ${style.bold(name)}  ${tail}`.trimEnd();
}

/** The stages that exist for a log of this dialect. */
const applicable = ({ stages }: EpisodeReport) => stages.filter(({ reason }) => reason !== DOES_NOT_APPLY);

/** A line that names the first files that were not verified. */
function notVerifiedLine(report: EpisodeReport, { style, width }: PrettyOptions): string {
  const count = filesNotVerified(report);
  const names = report.findings.flatMap(({ file }) => file ?? []);
  const text = `${plural(count, 'file')} not verified: ${names.map(escapeText).join(', ')}`;
  const name = escapeText(clip(report.episode, width));
  const room = Math.max(width - MARGIN.length - displayWidth(name) - 2, 20);
  return `${style.dim('note')}  ${style.bold(name)}  ${truncateToWidth(text, room)}`;
}

/** A line for a good episode among several. It says if something was not checked. */
function okLine(episode: EpisodeReport, { style, width }: PrettyOptions): string {
  const stages = applicable(episode);
  const ran = stages.filter(({ status }) => status === 'ran').length;
  const facts = [extent(episode)];
  if (episode.baselined !== undefined) facts.push(`${episode.baselined} in the baseline`);
  if (ran < stages.length) facts.push(`${ran}/${stages.length} stages`);
  const infos = countOf(episode, 'info');
  if (infos > 0) facts.push(tally(0, 0, infos));
  return oneLine(episode, facts.join(', '), style, width);
}

function entryLines(entry: Entry, style: Style, width: number): string[] {
  if (entry.kind === 'finding') return findingLines(entry.finding, style, width);
  const { code, severity, count, places } = entry;
  const row = `… and ${count} more ${escapeText(code)} (${escapeText(places.toString())})`;
  return [severityPaint(style, severity)(truncateToWidth(row, width))];
}

/** The path of an episode, unless its name is the path: `run-1`, or `run-1.jsonl`. */
function pathLines({ episode, path }: EpisodeReport, { style, relativeTo }: PrettyOptions): string[] {
  const shown = shortPath(path, relativeTo);
  if (shown.replace(/\.(?:jsonl|ndjson|json)$/i, '') === episode || shown === episode) return [];
  return [`${MARGIN}${style.dim(escapeText(shown))}`];
}

/** For a single episode, adds what its level does not prove, on the same line or below. */
function headLines(episode: EpisodeReport, { style, width }: PrettyOptions, isOnly: boolean): string[] {
  const facts = extent(episode);
  const open = isOnly ? episode.notProven : undefined;
  if (open === undefined) return [oneLine(episode, facts, style, width)];
  const long = `${facts}: ${escapeText(open)}`;
  const taken = MARGIN.length + displayWidth(escapeText(clip(episode.episode, width))) + 2;
  if (taken + displayWidth(long) <= width) return [oneLine(episode, long, style, width)];
  const below = wrap(escapeText(open), width - MARGIN.length).map((line) => `${MARGIN}${line}`);
  return [oneLine(episode, `${facts}:`, style, width), ...below];
}

function episodeLines(episode: EpisodeReport, options: PrettyOptions, isOnly: boolean): string[] {
  const { style, width } = options;
  const { partOf } = episode;
  const alone = isOnly && partOf !== undefined ? [notWithWhole(partText(partOf))] : [];
  const lines = [
    ...headLines(episode, options, isOnly),
    ...pathLines(episode, options),
    ...alone.flatMap((text) => wrap(text, width - MARGIN.length)).map((line) => `${MARGIN}${line}`),
  ];
  if (episode.baselined !== undefined)
    lines.push(`${MARGIN}${style.dim(`${plural(episode.baselined, 'finding')} in the baseline not shown`)}`);
  for (const entry of fold(episode.findings, episode.omitted))
    lines.push('', ...entryLines(entry, style, width));
  const skipped = skippedLines(episode, options);
  return skipped.length === 0 ? lines : [...lines, '', ...skipped];
}

/** That a part was verified without its session, which may say something else. */
const notWithWhole = (part: string): string => `It is ${escapeText(part)}, which was not verified with it.`;

/** Skipped stages, one line per reason. */
function skippedLines(episode: EpisodeReport, { style, width }: PrettyOptions): string[] {
  return [...skippedOf(episode)].flatMap(([reason, names]) => {
    const why = reason === undefined ? '' : ` (${escapeText(clip(reason, LONGEST_REASON))})`;
    return wrap(`skipped ${names.length === 1 ? 'stage' : 'stages'}: ${names.join(', ')}${why}`, width).map(
      (line) => style.dim(line),
    );
  });
}

/** The number of findings per code, with a heading, if there are many. */
function codeLines(report: VerifyReport, { style, width }: PrettyOptions): string[] {
  const counts = codeCounts(report);
  const total = totalOf(counts);
  if (total <= SUMMARY_FROM) return [];
  const { length } = report.episodes;
  const digits = String(Math.max(...counts.map(({ count }) => count))).length;
  const names = counts.map(({ code }) => escapeText(code));
  const widest = Math.min(Math.max(...names.map(displayWidth)), WIDEST_CODE);
  const rows = counts.map(({ severity, count, episodes }, index) => {
    const name = names[index] ?? '';
    const gap = ' '.repeat(Math.max(0, widest - displayWidth(name)));
    const where = length > 1 ? `${gap}  in ${plural(episodes, 'run')}` : '';
    const text = `${String(count).padStart(digits)}  ${severity.padEnd(5)}  ${name}${where}`;
    return severityPaint(style, severity)(truncateToWidth(text, width));
  });
  const found = report.episodes.filter(hasFindings).length;
  const runs = length > 1 ? ` in ${countText(found)} of ${plural(length, 'run')}` : '';
  return [style.bold(`${plural(total, 'finding')}${runs}, by code:`), ...rows, ''];
}

/** Adds the path, which is never cut, if ids are not enough. */
function quietLines(report: VerifyReport, { style, width, relativeTo }: PrettyOptions): string[] {
  const repeated = repeatedIds(report.episodes);
  const bad = report.episodes.filter(({ verdict }) => verdict !== 'ok');
  return bad.map((episode) => {
    const found = tally(countOf(episode, 'error'), countOf(episode, 'warn'));
    const level = episode.level === undefined ? '' : `, ${shortProof({ level: episode.level })}`;
    const line = oneLine(episode, found + level, style, width);
    return repeated.has(episode.episode)
      ? `${line}  ${escapeText(shortPath(episode.path, relativeTo))}`
      : line;
  });
}

/** What the lines of good episodes leave out, and how to see it. */
function keptBack({ episodes }: VerifyReport, { style, width, relativeTo }: PrettyOptions): string[] {
  const isMore = (episode: EpisodeReport): boolean =>
    episode.verdict === 'ok' && (countOf(episode, 'info') > 0 || skippedOf(episode).size > 0);
  const first = episodes.length > 1 ? episodes.find(isMore) : undefined;
  if (first === undefined) return [];
  const target = escapeText(plainShellWord(shortPath(first.path, relativeTo)));
  return withCommand('To see the infos and skipped stages of one run', `noesis verify ${target}`, width).map(
    style.dim,
  );
}

/** A text and its command, which is on a separate line if both do not fit on one, so that it can be copied. */
const withCommand = (text: string, command: string, width: number): string[] => {
  const line = `${text}: ${command}`;
  return displayWidth(line) <= width ? [line] : [...wrap(`${text}:`, width), `  ${command}`];
};

/** What the verdicts of several runs that did not fail leave open, with the number of runs; one run says it in its own lines. */
function caveatLines({ episodes }: VerifyReport, { style, width }: PrettyOptions): string[] {
  const open = episodes.length > 1 ? episodes.filter(isOpen) : [];
  return [...grouped(open, ({ notProven = '' }) => notProven)]
    .sort(([, a], [, b]) => b.length - a.length)
    .flatMap(([text, runs]) => wrap(`${plural(runs.length, 'run')}: ${escapeText(text)}`, width, 0, true))
    .map(style.dim);
}

/** The logs among several runs that are parts of sessions, which one run says in its own lines. */
function partLines({ episodes }: VerifyReport, { style, width }: PrettyOptions): string[] {
  const alone = episodes.length > 1 ? episodes.filter(({ partOf }) => partOf !== undefined) : [];
  if (alone.length === 0) return [];
  const text =
    alone.length === 1
      ? '1 run is a part of a session that was not verified with it'
      : `${alone.length} runs are parts of sessions that were not verified with them`;
  return wrap(text, width, 0, true).map(style.dim);
}

/** Whether a report counts findings, including those that it does not list. */
const hasFindings = ({ findings, omitted = [] }: EpisodeReport): boolean =>
  findings.length > 0 || omitted.length > 0;

const isOpen = (episode: EpisodeReport): boolean =>
  episode.verdict !== 'fail' && episode.notProven !== undefined && filesNotVerified(episode) === 0;

/** The effect of a configuration file, which readers of `ok` must know. */
function configurationLines(report: VerifyReport, { style, width, relativeTo }: PrettyOptions): string[] {
  const text = configurationLine(report, relativeTo);
  return text === undefined ? [] : wrap(text, width, 0, true).map(style.yellow);
}

/** That warnings alone leave the exit code at 0, which a gate must know. */
const strictLines = ({ verdict }: VerifyReport, { style, width, unchecked }: PrettyOptions): string[] =>
  verdict === 'warn' && unchecked === undefined
    ? wrap('exit code 0, because warnings fail only with --strict', width).map(style.dim)
    : [];

/** Of more good runs, each with a line, the end says how to leave the lines out. */
const MANY_GOOD = 20;

/** How to see only the runs that need a look. Those that failed are shown last, so they need no other output. */
function quietHint({ verdict, episodes }: VerifyReport, { style, width }: PrettyOptions): string[] {
  const good = episodes.filter((episode) => episode.verdict === 'ok').length;
  if (verdict === 'fail' || good <= MANY_GOOD) return [];
  return wrap('-q prints only the runs that are not ok', width).map(style.dim);
}

function footer(report: VerifyReport, options: PrettyOptions): string[] {
  const { style, width, maxWarnings, explainCommand = 'noesis explain' } = options;
  const [first] = worstOf(report, 1, ['error', 'warn']).worst;
  const unchecked = report.episodes.filter(isUnchecked).length;
  const lines = wrap(summaryLine(report, maxWarnings, unchecked), width).map((line) =>
    verdictPaint(style, report.verdict)(line),
  );
  const remarks = [
    ...keptBack(report, options),
    ...lines,
    ...strictLines(report, options),
    ...caveatLines(report, options),
    ...partLines(report, options),
    ...configurationLines(report, options),
    ...quietHint(report, options),
  ];
  if (first === undefined) return remarks;
  const explained = `${explainCommand} ${escapeText(first.finding.code)}`;
  return [...withCommand('What a finding means', explained, width).map(style.dim), ...remarks];
}

/** Of several runs, those without a problem come first, so that the findings of the others are next to the summary. */
function inOrder(episodes: readonly EpisodeReport[]): readonly EpisodeReport[] {
  const isGood = ({ verdict }: EpisodeReport): boolean => verdict === 'ok';
  return [...episodes.filter(isGood), ...episodes.filter((episode) => !isGood(episode))];
}

/**
 * The report for people: good episodes as one line, unless there is only one; findings of the others, worst
 * first and folded; finally a summary.
 */
export function renderPretty(report: VerifyReport, options: PrettyOptions): string {
  const wide = { ...options, width: Math.max(MIN_WIDTH, options.width) };
  if (options.quiet === true) {
    return [...quietLines(report, wide), ...configurationLines(report, wide)]
      .map((line) => `${line}\n`)
      .join('');
  }
  const repeated = repeatedIds(report.episodes);
  const lines: string[] = codeLines(report, wide);
  const space = (): void => {
    if (lines.length > 0 && lines.at(-1) !== '') lines.push('');
  };
  for (const episode of inOrder(report.episodes)) {
    if (episode.verdict === 'ok' && report.episodes.length > 1) {
      lines.push(filesNotVerified(episode) > 0 ? notVerifiedLine(episode, wide) : okLine(episode, wide));
      if (repeated.has(episode.episode)) pushAll(lines, pathLines(episode, wide));
    } else {
      space();
      pushAll(lines, episodeLines(episode, wide, report.episodes.length === 1));
      lines.push('');
    }
  }
  space();
  pushAll(lines, footer(report, wide));
  return `${lines.join('\n')}\n`;
}
