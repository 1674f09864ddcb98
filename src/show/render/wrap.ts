import { displayWidth, headOfWidth, isNarrow } from './width.ts';

/** Long words such as paths and ids are best cut after one of these. */
const SEPARATOR = /^.*(?:[/,_-]|\.(?=[A-Za-z]))/su;

/** Cuts the beginning of a long word at its last separator if that is near. */
function cutAtSeparator(head: string): string {
  const [best = ''] = SEPARATOR.exec(head) ?? [];
  return best.length * 2 > head.length ? best : head;
}

/**
 * Wraps a text at spaces into lines of at most `width` columns; the first is `indent` columns shorter. Longer
 * words are cut, or stay whole on a longer line if requested.
 */
export function wrap(text: string, width: number, indent = 0, whole = false): string[] {
  const room = Math.max(2, width);
  let left = Math.max(2, room - indent);
  const isAllNarrow = isNarrow(text);
  if (isAllNarrow && text.length <= left && !text.startsWith(' ')) return [text];
  const widthOf = (part: string): number => (isAllNarrow ? part.length : displayWidth(part));
  const lines: string[] = [];
  let line = '';
  const feed = (): void => {
    lines.push(line);
    line = '';
    left = room;
  };
  for (const word of text.split(' ')) {
    let rest = word;
    let wide = widthOf(word);
    const fresh = line === '';
    if (left < room && wide + (fresh ? 0 : 1) > left && (whole || wide <= room || left < 8)) feed();
    else if (!fresh) {
      line += ' ';
      left -= 1;
    }
    while (!whole && wide > left) {
      const head = cutAtSeparator(headOfWidth(rest, left));
      line += head;
      rest = rest.slice(head.length);
      wide -= widthOf(head);
      feed();
    }
    line += rest;
    left -= wide;
  }
  return [...lines, line];
}

/** A space at which no line is broken. */
const NO_BREAK = '\u{a0}';

/** Wraps parts with a space between them, so that each part stays on one line if it fits into one. */
export const wrapParts = (parts: readonly string[], width: number): string[] =>
  wrap(parts.map((part) => part.replaceAll(' ', NO_BREAK)).join(' '), width).map((line) =>
    line.replaceAll(NO_BREAK, ' '),
  );

/** The lines of a text, with `head` before the first. The others are indented by its width. */
export const hanging = (
  head: string,
  lines: readonly string[],
  indent = ' '.repeat(displayWidth(head)),
): string[] => lines.map((line, index) => (index === 0 ? head : indent) + line);

/** Cuts a text to `units` UTF-16 units, so that a finding cannot fill a screen or report. */
export function clip(text: string, units: number): string {
  if (text.length <= units) return text;
  return `${text.slice(0, units - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Cuts a value that is longer than anyone reads, and says so. */
export function cutValue(text: string, units: number): string {
  const start = clip(text, units);
  return start === text ? text : `${start} (${text.length - start.length + 1} more characters)`;
}
