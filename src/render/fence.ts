/** The line before a code block in Markdown. */
export interface Fence {
  readonly mark: string;
  /** The text after the mark, unless it only names a language. A reader must see it, and no renderer shows it. */
  readonly rest: readonly string[];
}

/** After backticks there may be no other: such a line has inline code. */
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
