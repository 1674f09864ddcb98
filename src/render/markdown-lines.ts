import { escapeText } from './escape.ts';
import type { Paint, Style } from './style.ts';
import { wrap } from './wrap.ts';

// Markdown as a terminal can show it: the words stay as they are, marks become paint. What is not understood is printed
// as it is stored. Nothing here is nested, so the work grows with the text alone.

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^#{1,6} +(.*)$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)]) +(.*)$/;
const QUOTE = /^> ?(.*)$/;
const INLINE = /(`[^`]+`)|(\*\*[^*]+\*\*)|(__[^_]+__)/g;

/** The words of a line with their paint. A mark that a line break tore apart stays as it is. */
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

/** Text with its first line behind `head` and the others below it. */
function hanging(head: string, text: string, width: number, style: Style, paint: Paint = asIs): string[] {
  const indent = ' '.repeat(head.length);
  return wrap(text, width - head.length).map(
    (line, index) => (index === 0 ? head : indent) + inline(line, style, paint),
  );
}

/** A text that a trace calls Markdown as lines of a terminal, escaped and wrapped. */
export function markdownLines(text: string, width: number, style: Style): string[] {
  const lines: string[] = [];
  let isCode = false;
  for (const stored of text.trimEnd().split(/\r?\n/)) {
    const line = escapeText(stored.replaceAll('\t', '  '));
    if (FENCE.test(line)) {
      isCode = !isCode;
      continue;
    }
    if (isCode) {
      lines.push(...wrap(line, width - 2).map((part) => `  ${style.cyan(part)}`));
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
