import { pushAll } from '../../base/files/push-all.ts';
import { displayWidth } from './width.ts';
import { wrap } from './wrap.ts';

/** A term, such as an option, and its explanation. */
const TERM_AND_TEXT = /^(\s*\S.*?\s{2,})(\S.*)$/;
/** If the column of explanations would be narrower, they go below their terms. */
const MIN_EXPLANATION = 24;
const BELOW = ' '.repeat(6);

function hanging(text: string, width: number, indent: string): string[] {
  return wrap(text, width - indent.length, 0, true).map((line) => indent + line);
}

function fitLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const [, term, text] = TERM_AND_TEXT.exec(line) ?? [];
  if (term === undefined || text === undefined) {
    const text = line.trimStart();
    return hanging(text, width, line.slice(0, -text.length));
  }
  if (width - term.length < MIN_EXPLANATION) return [term.trimEnd(), ...hanging(text, width, BELOW)];
  const [first = '', ...rest] = hanging(text, width, ' '.repeat(term.length));
  return [term + first.trimStart(), ...rest];
}

const isProse = (line: string | undefined): boolean =>
  line !== undefined && /^\S/.test(line) && !TERM_AND_TEXT.test(line);

/**
 * Joins the lines of a paragraph before wrapping if one is too wide; otherwise single words would be left on
 * lines.
 */
function paragraphs(lines: readonly string[], width: number): string[] {
  const found: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    if (isProse(lines[at])) while (isProse(lines[end])) end += 1;
    const together = lines.slice(at, end);
    if (together.some((line) => displayWidth(line) > width)) found.push(together.join(' '));
    else pushAll(found, together);
    at = end;
  }
  return found;
}

/** Wraps help to the width of a terminal, each term on a line with its explanation. */
export function fitHelp(text: string, width: number): string {
  return paragraphs(text.split('\n'), width)
    .flatMap((line) => fitLine(line, width))
    .join('\n');
}
