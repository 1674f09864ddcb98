import type { Corruption } from '../../src/log/corruption.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';

/** The result of a parser for a log, as plain data. */
export interface Parsed {
  /** Records in short: line, byteStart-byteEnd, value. */
  readonly records: { line: number; byteStart: number; byteEnd: number; value: unknown; raw: string }[];
  readonly corruptions: Corruption[];
  /** The calls in order: lines of records, codes of corruptions. */
  readonly order: (number | string)[];
  readonly counts: { lines: number; blankLines: number; bytes: number; missingFinalNewline: boolean };
}

/** Feeds a log to a parser in pieces of the given sizes, repeated; by default in one piece. */
export function parseLog(
  content: string | Uint8Array,
  sizes: readonly number[] = [Infinity],
  capacity?: number,
) {
  const bytes = Buffer.from(content as string);
  const parsed: Omit<Parsed, 'counts'> = { records: [], corruptions: [], order: [] };
  const parser = new LogParser(
    AS_STORED,
    {
      record: ({ line, byteStart, byteEnd, value, raw }) => {
        parsed.records.push({ line, byteStart, byteEnd, value, raw: raw.toString() });
        parsed.order.push(line);
      },
      corrupt: (corruption) => {
        parsed.corruptions.push(corruption);
        parsed.order.push(corruption.code);
      },
    },
    capacity === undefined ? {} : { capacity },
  );
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const room = parser.room();
    const size = sizes[piece % sizes.length] ?? 1;
    const count = bytes.copy(room, 0, at, Math.min(bytes.length, at + size));
    parser.filled(count);
    at += count;
  }
  parser.end();
  const { lines, blankLines, missingFinalNewline } = parser;
  return {
    ...parsed,
    counts: { lines, blankLines, bytes: parser.bytes, missingFinalNewline },
  } satisfies Parsed;
}
