import type { LogRecord } from '../log/record.ts';
import { copyLines } from './copy-lines.ts';
import type { LineRanges } from './line-ranges.ts';
import { recordsOf } from './taken-lines.ts';

/** The records on selected lines, read again one after the other in one window. Throws `log-changed` when they are gone. */
export async function* recordsAt(path: string, lines: LineRanges): AsyncGenerator<LogRecord> {
  for await (const taken of copyLines(path, lines)) yield* recordsOf(taken);
}
