import { pushAll } from '../../base/files/push-all.ts';
import { escapeCode } from './escape.ts';
import { endsFence, type Fence, fenceIn } from './fence.ts';
import { asIs, type Paint, type Style } from './style.ts';
import { hanging, wrap } from './wrap.ts';

// Shows Markdown on a terminal: words are kept, marks become colours. Unknown syntax is printed as stored.
// There is no nesting, so the work is linear.

const HEADING = /^#{1,6} +(.*)$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)]) +(.*)$/;
const QUOTE = /^> ?(.*)$/;
const MARK = /`|\*\*|__/;
const INLINE = /(`[^`]+`)|(\*\*[^*]+\*\*)|(__[^_]+__)/g;

/** Paints the words of a line. A mark that is not closed on the line is printed. */
function inline(line: string, style: Style, paint: Paint): string {
  if (!MARK.test(line)) return line === '' ? '' : paint(line);
  return line
    .split(INLINE)
    .filter((part) => part !== undefined && part !== '')
    .map((part) => {
      if (/^`[^`]+`$/.test(part)) return style.cyan(part.slice(1, -1));
      if (/^(?:\*\*[^*]+\*\*|__[^_]+__)$/.test(part)) return style.bold(part.slice(2, -2));
      return paint(part);
    })
    .join('');
}

/** The number of bold marks in a line, outside of code. */
const countOfBold = (line: string): number =>
  line.includes('**') ? line.replace(/`[^`]+`/g, '').split('**').length - 1 : 0;

/** Bold text that does not end on its line. */
const OPENS_BOLD = /\*\*[^*]+$/;

/** Closes bold text at the end of a wrapped line, and opens it again on the next one if it continues there. */
function carryBold(lines: string[]): void {
  if (!lines.some((line) => line.includes('**'))) return;
  let left = countOfBold(lines.join(' '));
  let isOpen = false;
  for (const [at, line] of lines.entries()) {
    const own = countOfBold(line);
    left -= own;
    const begun: string = isOpen ? '**' : '';
    isOpen = (own % 2 === 1) !== isOpen && left > 0 && OPENS_BOLD.test(begun + line);
    lines[at] = `${begun}${line}${isOpen ? '**' : ''}`;
  }
}

/** Whether the next line continues the paragraph and may end bold text. */
const endsBold = (next: string | undefined): boolean =>
  next?.includes('**') === true && ![HEADING, ITEM, QUOTE, /^\s*(?:```|~~~)/].some((mark) => mark.test(next));

/** A text with `head` before its first line; the others are indented. */
function inlineLines(head: string, text: string, width: number, style: Style, paint: Paint = asIs): string[] {
  const lines = wrap(text, width - head.length);
  carryBold(lines);
  return hanging(
    head,
    lines.map((line) => inline(line, style, paint)),
  );
}

/** Markdown from a trace as terminal lines, escaped and wrapped. */
export function markdownLines(text: string, width: number, style: Style): string[] {
  const lines: string[] = [];
  let fence: Fence | undefined;
  const addCode = (line: string): void => {
    for (const part of wrap(line, width - 2)) lines.push(`  ${style.cyan(part)}`);
  };
  const all = text.trimEnd().split(/\r?\n/);
  let isBold = false;
  for (const [at, stored] of all.entries()) {
    let line = escapeCode(stored);
    if (fence !== undefined) {
      if (endsFence(line, fence)) fence = undefined;
      else addCode(line);
      continue;
    }
    fence = fenceIn(line);
    if (fence !== undefined) {
      for (const rest of fence.rest) addCode(rest);
      continue;
    }
    if (isBold) line = line.replace(/^ */, '$&**');
    isBold = countOfBold(line) % 2 === 1 && OPENS_BOLD.test(line) && endsBold(all[at + 1]);
    if (isBold) line += '**';
    const [, heading] = HEADING.exec(line) ?? [];
    const [, indent = '', mark, item = ''] = ITEM.exec(line) ?? [];
    const [, quote] = QUOTE.exec(line) ?? [];
    if (heading !== undefined) pushAll(lines, wrap(heading, width).map(style.bold));
    else if (mark !== undefined) {
      const bullet = /^[-*+]$/.test(mark) ? '•' : mark;
      pushAll(lines, inlineLines(`${indent.slice(0, 12)}${bullet} `, item, width, style));
    } else if (quote !== undefined) pushAll(lines, inlineLines('│ ', quote, width, style, style.dim));
    else {
      const [indent = ''] = /^ {0,12}/.exec(line) ?? [];
      pushAll(lines, inlineLines(indent, line.slice(indent.length), width, style));
    }
  }
  return lines;
}
