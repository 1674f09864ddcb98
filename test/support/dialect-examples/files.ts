import { createHash } from 'node:crypto';

/** Files by their path below the folder of an example. */
export type ExampleFiles = ReadonlyMap<string, string>;

/** Records as JSONL. */
export function jsonLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Readings of a simulated clock, ISO 8601 with milliseconds: each call moves it on. */
export function clockFrom(start: string): (milliseconds: number) => string {
  let now = Date.parse(start);
  return (milliseconds) => {
    now += milliseconds;
    return new Date(now).toISOString();
  };
}

/** A UUID derived from a name. */
export function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
