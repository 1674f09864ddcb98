/** The line before a code block in Markdown. */
export interface Fence {
  readonly mark: string;
  /** The text after the mark, unless it only names a language. Renderers hide it, so it must be shown separately. */
  readonly rest: readonly string[];
}

/** A line with further backticks is inline code. */
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})\s*(.*)$/;
const LANGUAGE = /^[\w+#.-]{0,20}$/;

/** The fence that a line is; undefined if it is another line. */
export function fenceIn(line: string): Fence | undefined {
  const [, mark, rest = ''] = FENCE.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, rest: LANGUAGE.test(rest.trim()) ? [] : [rest] };
}

/** Whether a line ends a code block: marks alone, at least as many. A line with more text is part of the block. */
export function endsFence(line: string, { mark }: Fence): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}
