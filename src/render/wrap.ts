import { displayWidth, headOfWidth } from './width.ts';

/** Where a long word, such as a path, an id or a document, is best cut: behind the last of these. */
const SEPARATOR = /^.*(?:[/,_-]|\.(?=[A-Za-z]))/su;

/** As much of a long word as has room: up to its last separator where that is not far. */
function headOf(word: string, columns: number): string {
  const head = headOfWidth(word, columns);
  const [best = ''] = SEPARATOR.exec(head) ?? [];
  return best.length * 2 > head.length ? best : head;
}

/**
 * Breaks a text at spaces into lines of at most `width` columns, the first one `indent` columns shorter. A word that
 * is longer than a line is cut, or stands alone in a longer line where words are to stay whole.
 */
export function wrap(text: string, width: number, indent = 0, whole = false): string[] {
  const room = Math.max(2, width);
  const lines: string[] = [];
  let line = '';
  let left = Math.max(2, room - indent);
  const feed = (): void => {
    lines.push(line);
    line = '';
    left = room;
  };
  for (const word of text.split(' ')) {
    let rest = word;
    const wide = displayWidth(word);
    const fresh = line === '';
    if (left < room && wide + (fresh ? 0 : 1) > left && (whole || wide <= room || left < 8)) feed();
    else if (!fresh) {
      line += ' ';
      left -= 1;
    }
    while (!whole && displayWidth(rest) > left) {
      const head = headOf(rest, left);
      line += head;
      rest = rest.slice(head.length);
      feed();
    }
    line += rest;
    left -= displayWidth(rest);
  }
  return [...lines, line];
}

/** At most `units` of a text, so that one finding cannot fill a screen or a report. */
export function clip(text: string, units: number): string {
  if (text.length <= units) return text;
  return `${text.slice(0, units - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
