import { largest } from '../../base/text/largest.ts';
import type { ResumeCommand } from '../../dialects/resume.ts';
import type { Match, SearchedLog } from '../../read/select/search-log.ts';
import { escapeCode, escapeText } from './escape.ts';
import { copiedFirst, hasAdvice, lacking, refusedText, seeMore, whereContinued } from './resume-words.ts';
import type { Style } from './style.ts';
import { plural } from './tally.ts';
import { displayWidth, padToWidth, truncateToWidth } from './width.ts';
import { wrap } from './wrap.ts';

/** The log of some matches. */
interface MatchedLog {
  readonly name: string;
  readonly dialect: string;
  /** The day it started. */
  readonly day?: string | undefined;
  readonly title?: string | undefined;
  /** The command that continues the session. */
  readonly resume?: ResumeCommand | undefined;
  /** Why continuing it would not go well. */
  readonly refused?: string | undefined;
  /** Whether `doctor` examines it. */
  readonly isExamined: boolean;
}

interface SearchLayout {
  /** The width of the terminal; Infinity: do not cut. */
  readonly width: number;
  readonly style: Style;
}

/** The share of a row for the text before a match. */
const SHARE_BEFORE = 0.3;
const LEAST_WIDTH = 20;

/** The end of a text, `width` columns wide. */
function tailOfWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = [...text];
  let left = width - 1;
  let at = characters.length;
  for (; at > 0 && left > 0; at -= 1) left -= displayWidth(characters[at - 1] as string);
  return `…${characters.slice(at).join('')}`;
}

/** The rows of a match: the line with it, between its context. */
function rowsOf(
  match: Match,
  widths: readonly [line: number, kind: number, tool: number],
  layout: SearchLayout,
): string[] {
  const { style, width } = layout;
  const [line, kind, tool] = widths;
  const head = [`${match.line}`.padStart(line), padToWidth(escapeText(match.kind), kind)];
  if (tool > 0) head.push(padToWidth(escapeText(match.tool ?? ''), tool));
  const prefix = `  ${head.join('  ')}  `;
  const room = Math.max(LEAST_WIDTH, width - displayWidth(prefix));
  const found = truncateToWidth(escapeText(match.match), room);
  const rest = escapeText(match.after);
  const left = room - displayWidth(found);
  const most = Math.min(left, Math.max(Math.ceil(room * SHARE_BEFORE), left - displayWidth(rest)));
  const before = tailOfWidth(escapeText(match.before), most);
  const after = truncateToWidth(rest, left - displayWidth(before));
  const context = (lines: readonly string[] = []) =>
    lines.map((one) => {
      const text = truncateToWidth(escapeCode(one), room);
      return style.dim(`${' '.repeat(displayWidth(prefix))}${text}`.trimEnd());
    });
  return [
    ...context(match.linesBefore),
    `${style.dim(prefix)}${before}${style.bold(style.red(found))}${after}`.trimEnd(),
    ...context(match.linesAfter),
  ];
}

/** The matches one below the other; those with context are apart. */
const rowsOfAll = (blocks: readonly (readonly string[])[]): readonly string[] => {
  const isApart = blocks.some(({ length }) => length > 1);
  return blocks.flatMap((rows, at) => (isApart && at > 0 ? ['', ...rows] : rows));
};

const widest = (texts: readonly string[]): number => largest(texts.map(displayWidth));

/** The matches in a log below its name: line, kind, tool, and the text around the match. */
export function matchLines(
  { name, dialect, day, title, resume, refused, isExamined }: MatchedLog,
  { matches, more }: SearchedLog,
  layout: SearchLayout,
): string[] {
  const { style, width } = layout;
  const about = [dialect, day, title].filter((text) => text !== undefined).map((text) => escapeText(text));
  const shown = escapeText(name);
  const room = Math.max(LEAST_WIDTH, width - displayWidth(shown) - 2);
  const widths = [
    widest(matches.map(({ line }) => `${line}`)),
    widest(matches.map(({ kind }) => escapeText(kind))),
    widest(matches.map(({ tool = '' }) => escapeText(tool))),
  ] as const;
  const where = resume && whereContinued(resume);
  const wrapped = (text: string) => wrap(escapeText(text), width - 2);
  const continuing = [
    // Commands stay on one line, so that they can be copied.
    ...(resume === undefined ? [] : [...copiedFirst(resume), resume.command].map((text) => escapeText(text))),
    ...(resume === undefined ? [] : lacking(resume).flatMap(wrapped)),
    ...(where === undefined ? [] : wrapped(`(${where})`)),
    ...(refused === undefined ? [] : wrapped(`resume ${refusedText(refused)}`)),
    ...(refused !== undefined || (resume && hasAdvice(resume))
      ? [escapeText(seeMore(name, isExamined))]
      : []),
  ];
  return [
    `${style.bold(shown)}  ${style.dim(truncateToWidth(about.join('  '), room))}`,
    ...rowsOfAll(matches.map((match) => rowsOf(match, widths, layout))),
    ...(more > 0 ? [style.dim(`  and ${plural(more, 'more event')} (--limit 0 shows all)`)] : []),
    ...continuing.map((text) => style.dim(`  ${text}`)),
  ];
}
