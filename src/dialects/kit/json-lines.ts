/** Which of these file names are JSON Lines. */
export const jsonLinesAmong = (names: readonly string[]): string[] =>
  names.filter((name) => /\.(?:jsonl|ndjson)$/i.test(name));
