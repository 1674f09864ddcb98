import { displayWidth } from './width.ts';
import { wrap } from './wrap.ts';

/** A term, such as an option, and what stands beside it. */
const BESIDE = /^(\s*\S.*?\s{2,})(\S.*)$/;
/** A narrower column of explanations is hard to read: they go below their terms. */
const MIN_BESIDE = 24;
const BELOW = ' '.repeat(6);

function hanging(text: string, width: number, indent: string): string[] {
  return wrap(text, width - indent.length, 0, true).map((line) => indent + line);
}

function fitLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const [, term, text] = BESIDE.exec(line) ?? [];
  if (term === undefined || text === undefined) {
    const indent = /^ */.exec(line)?.[0] ?? '';
    return hanging(line.trimStart(), width, indent);
  }
  if (width - term.length < MIN_BESIDE) return [term.trimEnd(), ...hanging(text, width, BELOW)];
  const [first = '', ...rest] = hanging(text, width, ' '.repeat(term.length));
  return [term + first.trimStart(), ...rest];
}

/** Help, each term on a line with its explanation, broken at the width of a terminal. */
export function fitHelp(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => fitLine(line, width))
    .join('\n');
}
