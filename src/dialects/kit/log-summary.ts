import type { JsonObject } from '../../base/json/value.ts';
import type { NumberedEvent } from '../../log/read.ts';
import type { Tokens } from './tokens.ts';
import type { LogUsage } from './usage.ts';

/**
 * Reads the values for a list from the beginning of a line (one character per byte) and its number, so that the line is
 * not parsed. `has`: whether a text is anywhere in the line; `after`: the text of ASCII between the first or the last mark in the
 * line and the next quotation mark. Undefined if that needs the whole record.
 */
export type Abridge = (
  start: string,
  line: number,
  has: (text: string) => boolean,
  after: (mark: string, which: 'first' | 'last') => string | undefined,
) => JsonObject | undefined;

/** What {@link Abridge} finds after a mark in a line. */
export function textAfter(line: Buffer, mark: string, which: 'first' | 'last'): string | undefined {
  const at = which === 'first' ? line.indexOf(mark) : line.lastIndexOf(mark);
  if (at < 0) return undefined;
  const from = at + mark.length;
  const to = line.indexOf('"', from);
  return to < 0 ? undefined : line.toString('latin1', from, to);
}

/** A line with its record; without one, it is damaged, and whole records on it follow. */
export type LineOfLog = NumberedEvent | { readonly line: number; readonly event?: undefined };

/** Both ends of a log, parsed on demand. In a short log they overlap. */
export interface LogEnds {
  /** The size of the log. */
  readonly bytes: number;
  readonly head: readonly JsonObject[];
  readonly tail: readonly JsonObject[];
  /**
   * The records from last to first, read on demand. `most`: ends after this many bytes, but not after a few long records.
   * Records of lines that are not wanted may be left out, because they need not be parsed then.
   */
  readonly backwards: (most?: number, isWanted?: (line: string) => boolean) => Iterable<JsonObject>;
  /**
   * The records from first to last with their lines, abridged if possible, and the lines that are no records. Returns the
   * number of the latter; damage of a line that is abridged may go unnoticed.
   */
  readonly forwards: (abridge: Abridge) => Generator<LineOfLog, number, void>;
  /** The first record that is wanted, of the lines that contain a text: only they are parsed, because a log may be long. */
  readonly first: (text: string, isWanted: (event: JsonObject) => boolean) => JsonObject | undefined;
  /** Reads the stored state; undefined if it is missing or unreadable. */
  readonly state: () => JsonObject | undefined;
}

/** A list entry for a log. Unknown values are undefined. */
export interface LogSummary {
  readonly task?: string | undefined;
  readonly status?: string | undefined;
  /** The outcome in a few words, such as the winner. */
  readonly result?: string | undefined;
  /** The most used model. */
  readonly model?: string | undefined;
  /** The number of prompts. */
  readonly turns?: number | undefined;
  /** The tokens of all models together. */
  readonly tokens?: Tokens | undefined;
  readonly tokens_by_model?: Readonly<Record<string, Tokens>> | undefined;
  /** What the log says about usage, from which the tokens are counted. */
  readonly usage?: LogUsage | undefined;
  /** Why it did not succeed, in one line. */
  readonly why?: string | undefined;
  /** The agent's working directory. */
  readonly cwd?: string | undefined;
  /** Whether the log has records of another session, so that its first time may not be that of the session. */
  readonly hasCopies?: boolean | undefined;
  /** The id of the session that this one was forked from. */
  readonly forked_from?: string | undefined;
  /** The time of the first record that has one, if that is not the first record. */
  readonly started_at?: string | undefined;
  /** The time of the last record that has one, if known without reading the log again. */
  readonly written_at?: string | undefined;
  /** The latest time of a record. The last record may be older, because a program writes records again. */
  readonly ended_at?: string | undefined;
  /** When the run ended, if a record says so. Records may follow, which are not part of its duration. */
  readonly over_at?: string | undefined;
}

/** One run in a log with many, as a list entry. */
export interface RunEntry extends LogSummary {
  readonly id: string;
  /** The size of its lines in the log. */
  readonly bytes: number;
}
