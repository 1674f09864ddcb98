import type { LogForm } from '../../log/log-form.ts';
import type { LogRecord } from '../../log/record.ts';
import { copyLines } from './copy-lines.ts';
import type { LineRanges } from './line-ranges.ts';
import { recordsOf } from './taken-lines.ts';

/** Reads the records on selected lines again, in one reused window. Throws `log-changed` if they are gone. */
export async function* recordsAt(path: string, lines: LineRanges, form: LogForm): AsyncGenerator<LogRecord> {
  for await (const taken of copyLines(path, lines)) yield* recordsOf(taken, form);
}
