import { pushAll } from '../../base/files/push-all.ts';
import { largest } from '../../base/text/largest.ts';
import { escapeText } from './escape.ts';
import { endsFence, type Fence, fenceIn } from './fence.ts';

// Renderers detect URLs, mentions and issue numbers even in escaped text.
const LOOKED_FOR = /(?<=@)(?=\w)|(?<=#)(?=\d)|(?<=:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=\bGH)(?=-\d)/i;

/** Escapes trace text part by part so that nothing in it becomes a link. */
export const unlinked = (text: string, escaped: (part: string) => string): string =>
  escapeText(text).split(LOOKED_FOR).map(escaped).join('&#8203;');

/** Trace text for a line of Markdown: no marks, links, images, entities or HTML. */
export const inertLine = (text: string): string =>
  unlinked(text, (part) => part.replace(/[\\`*_<>[\]#|~$&]/g, '\\$&'))
    .replace(/^(\s*)([-+=])/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])/, '$1\\$2');

/** The escaped lines of a text. */
export const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => escapeText(line.replaceAll('\t', '    ')));

/** A code block whose fence is longer than any in its lines. */
export function fencedLines(lines: readonly string[], language: string): string[] {
  const longest = largest(
    lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}

/**
 * Trace text of several lines as a quotation with plain text and code blocks. Nesting in the text does not
 * matter: each line is either escaped, or in a fence that it cannot end. Blocks get no language, because some
 * languages are drawn or run.
 */
export function quotedText(text: string): string[] {
  const quoted: string[] = [];
  let code: string[] = [];
  let fence: Fence | undefined;
  const endCode = (): void => {
    if (fence !== undefined) pushAll(quoted, fencedLines(code, ''));
    fence = undefined;
  };
  for (const line of linesOf(text)) {
    if (fence === undefined) {
      fence = fenceIn(line);
      code = [...(fence?.rest ?? [])];
      // Keeps indentation without making a code block.
      if (fence === undefined)
        quoted.push(inertLine(line).replace(/^ +/, (spaces) => '\u00a0'.repeat(spaces.length)));
    } else if (endsFence(line, fence)) endCode();
    else code.push(line);
  }
  endCode();
  return quoted.map((line) => `> ${line}`.trimEnd());
}
