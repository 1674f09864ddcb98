import type { CopiedRecords } from '../../dialects/kit/account.ts';
import type { SessionCall, UsageEntry } from '../../dialects/sessions/kit/session.ts';

/** What shows which records of a log are in another log of the run too. */
export interface Repeats {
  /** The calls among them are compared. */
  readonly entries?: readonly UsageEntry[] | undefined;
  /** What the log says itself. */
  readonly copies?: CopiedRecords | undefined;
}

/** Identifies a call with its time. A program that copies a record into another log keeps both. */
const callIn = ({ key, call, time }: UsageEntry): string[] =>
  call && key !== undefined && time !== undefined ? [JSON.stringify([key, time])] : [];

/** For each part of a run: the lines that repeat the log of the run or an earlier part. */
export function repeatedLines(run: Repeats, parts: readonly Repeats[]): ReadonlySet<number>[] {
  const known = new Set(run.entries?.flatMap(callIn));
  return parts.map(({ entries = [], copies }) => {
    const again = entries.filter((entry) => callIn(entry).some((one) => known.has(one)));
    for (const entry of entries) for (const one of callIn(entry)) known.add(one);
    return new Set([...(copies?.lines ?? []), ...again.flatMap(({ call }) => call?.line ?? [])]);
  });
}

/** The calls of a log without those on lines that repeat another log of the run. */
export const ownCalls = ({ entries = [] }: Repeats, repeated?: ReadonlySet<number>): SessionCall[] =>
  entries.flatMap(({ call }) => (call && !repeated?.has(call.line) ? [call] : []));
