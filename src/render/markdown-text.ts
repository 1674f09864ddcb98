import { escapeText } from './escape.ts';

// Programs that show Markdown look for URLs, mentions and issue numbers also in text whose marks are escaped.
const LOOKED_FOR = /(?<=@)(?=\w)|(?<=#)(?=\d)|(?<=:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=\bGH)(?=-\d)/i;

/** Trace text, safe to show and escaped part by part, in which nothing is found to be linked. */
export const unlinked = (text: string, escaped: (part: string) => string): string =>
  escapeText(text).split(LOOKED_FOR).map(escaped).join('&#8203;');

/** Trace text in a line of Markdown: nothing in it is a mark, a link, an image, an entity or HTML. */
export const inertLine = (text: string): string =>
  unlinked(text, (part) => part.replace(/[\\`*_<>[\]#|~$&]/g, '\\$&'))
    .replace(/^(\s*)([-+=])/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])/, '$1\\$2');

/** The lines of a text, escaped but for their breaks. */
export const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => escapeText(line.replaceAll('\t', '    ')));

/** A block of code with a fence that its lines cannot end. */
export function fencedLines(lines: readonly string[], language: string): string[] {
  const longest = Math.max(2, ...lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}

const FENCE = /^\s*(`{3,}|~{3,})/;

/**
 * Trace text of several lines as a quotation of plain text and blocks of code. How the text nests does not matter: each
 * line is either inert, or in a fence that it cannot end. No block gets a language: some languages are drawn or run.
 */
export function quotedText(text: string): string[] {
  const quoted: string[] = [];
  let code: string[] | undefined;
  let fence = '';
  const endCode = (): void => {
    if (code !== undefined) quoted.push(...fencedLines(code, ''));
    code = undefined;
  };
  for (const line of linesOf(text)) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (code === undefined && mark !== undefined) {
      fence = mark;
      code = [];
    } else if (code === undefined) {
      // Indentation is kept, and makes no block of code.
      quoted.push(inertLine(line).replace(/^ +/, (spaces) => '\u00a0'.repeat(spaces.length)));
    } else if (line.trim().length >= fence.length && line.trim() === mark && mark.startsWith(fence))
      endCode();
    else code.push(line);
  }
  endCode();
  return quoted.map((line) => `> ${line}`.trimEnd());
}
