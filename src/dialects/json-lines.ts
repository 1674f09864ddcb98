/** Of the file names in one directory, those of JSON lines. */
export const jsonLinesAmong = (names: readonly string[]): string[] =>
  names.filter((name) => /\.(?:jsonl|ndjson)$/i.test(name));
