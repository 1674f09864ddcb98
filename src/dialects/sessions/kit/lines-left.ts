/** How often each line is there after a change more than before it. */
export type LinesLeft = ReadonlyMap<string, number>;

/** `form`: the form in which lines are compared. A line without any text in this form does not count. */
export function linesLeft(
  added: readonly string[],
  removed: readonly string[],
  form: (line: string) => string,
): LinesLeft {
  const counts = new Map<string, number>();
  const count = (lines: readonly string[], by: number) => {
    for (const text of lines.map(form)) if (text !== '') counts.set(text, (counts.get(text) ?? 0) + by);
  };
  count(added, 1);
  count(removed, -1);
  return new Map([...counts].filter(([, left]) => left !== 0));
}

export const isSameLeft = (one: LinesLeft, other: LinesLeft): boolean =>
  one.size === other.size && [...one].every(([line, left]) => other.get(line) === left);

/** The lines of a diff with this sign, without it. */
export const linesWith = (sign: '+' | '-', lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
