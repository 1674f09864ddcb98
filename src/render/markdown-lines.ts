import { escapeText } from './escape.ts';
import { endsFence, type Fence, fenceIn } from './fence.ts';
import type { Paint, Style } from './style.ts';
import { wrap } from './wrap.ts';

// Shows Markdown on a terminal: words are kept, marks become colours. Unknown syntax is printed as stored.
// There is no nesting, so the work is linear.

const HEADING = /^#{1,6} +(.*)$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)]) +(.*)$/;
const QUOTE = /^> ?(.*)$/;
const INLINE = /(`[^`]+`)|(\*\*[^*]+\*\*)|(__[^_]+__)/g;

/** Paints the words of a line. A mark without its end on the line is printed. */
function inline(line: string, style: Style, paint: Paint): string {
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

const asIs: Paint = (text) => text;

/** A text with `head` before its first line; the others are indented. */
function hanging(head: string, text: string, width: number, style: Style, paint: Paint = asIs): string[] {
  const indent = ' '.repeat(head.length);
  return wrap(text, width - head.length).map(
    (line, index) => (index === 0 ? head : indent) + inline(line, style, paint),
  );
}

/** Markdown from a trace as terminal lines, escaped and wrapped. */
export function markdownLines(text: string, width: number, style: Style): string[] {
  const lines: string[] = [];
  let fence: Fence | undefined;
  const addCode = (line: string): void => {
    lines.push(...wrap(line, width - 2).map((part) => `  ${style.cyan(part)}`));
  };
  for (const stored of text.trimEnd().split(/\r?\n/)) {
    const line = escapeText(stored.replaceAll('\t', '  '));
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
    const [, heading] = HEADING.exec(line) ?? [];
    const [, indent = '', mark, item = ''] = ITEM.exec(line) ?? [];
    const [, quote] = QUOTE.exec(line) ?? [];
    if (heading !== undefined) lines.push(...wrap(heading, width).map(style.bold));
    else if (mark !== undefined) {
      const bullet = /^[-*+]$/.test(mark) ? '•' : mark;
      lines.push(...hanging(`${indent.slice(0, 12)}${bullet} `, item, width, style));
    } else if (quote !== undefined) lines.push(...hanging('│ ', quote, width, style, style.dim));
    else {
      const [indent = ''] = /^ {0,12}/.exec(line) ?? [];
      lines.push(...hanging(indent, line.slice(indent.length), width, style));
    }
  }
  return lines;
}
