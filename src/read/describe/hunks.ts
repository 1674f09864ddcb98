import { linesOf } from '../../dialects/kit/file-change.ts';

/** Lines of a file, and what a call put in their place. `context`: a line before them, which a patch names. */
export interface Hunk {
  readonly context: string | undefined;
  /** Lines with the sign of a diff before each. */
  readonly lines: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The line in the header of a hunk, if it is neither empty nor has numbers. */
const contextIn = (header: string): string | undefined =>
  /^@@ -\d/.test(header) ? undefined : header.replace(/^@@ ?/, '') || undefined;

/** The lines without their signs, except those with one of a sign. */
const without = (sign: string, lines: readonly string[]): string[] =>
  lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));

/** The hunks of a unified diff without its header. */
export function hunksOf(diff: string): Hunk[] {
  const hunks: { context: string | undefined; lines: string[] }[] = [];
  for (const line of linesOf(diff)) {
    const isHeader = line.startsWith('@@');
    if (isHeader || hunks.length === 0)
      hunks.push({ context: isHeader ? contextIn(line) : undefined, lines: [] });
    // The remark that the file has no newline at its end is no line of it.
    if (!isHeader && !line.startsWith('\\')) hunks.at(-1)?.lines.push(line);
  }
  return hunks
    .filter(({ lines }) => lines.length > 0)
    .map((hunk) => ({ ...hunk, before: without('+', hunk.lines), after: without('-', hunk.lines) }));
}
