import type { SessionCall, UsageEntry } from '../../dialects/sessions/kit/session.ts';

/** The answers and calls of a log. The calls show which records are in another log of the run too. */
type Entries = readonly UsageEntry[] | undefined;

/** Identifies a call with its time. A program that copies a record into another log keeps both. */
const callIn = ({ key, call, time }: UsageEntry): string[] =>
  call && key !== undefined && time !== undefined ? [JSON.stringify([key, time])] : [];

/**
 * For each part of a run: the lines with calls of the log of the run or of an earlier part. What a log itself says was copied is not
 * among its entries.
 */
export function repeatedLines(run: Entries, parts: readonly Entries[]): ReadonlySet<number>[] {
  const known = new Set(run?.flatMap(callIn));
  return parts.map((entries = []) => {
    const again = entries.filter((entry) => callIn(entry).some((one) => known.has(one)));
    for (const entry of entries) for (const one of callIn(entry)) known.add(one);
    return new Set(again.flatMap(({ call }) => call?.line ?? []));
  });
}

/** The calls of a log without those on lines that repeat another log of the run. */
export const ownCalls = (entries: Entries = [], repeated?: ReadonlySet<number>): SessionCall[] =>
  entries.flatMap(({ call }) => (call && !repeated?.has(call.line) ? [call] : []));
