import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { EventCheck, EventReporter } from '../../../findings/check.ts';
import { NEWLINE } from '../../../json/ascii.ts';
import { numberIn, objectIn, textIn } from '../../excerpt.ts';
import { firstOf } from '../../session-envelope.ts';
import { rolloutOf } from '../files.ts';
import { parsedText } from '../records.ts';

/** The ordinal of the record that ends before an offset of a log; undefined where none ends there. */
function ordinalBefore(log: string, offset: number): number | undefined {
  const bytes = readFileSync(log).subarray(0, offset);
  if (bytes.length < offset || bytes[offset - 1] !== NEWLINE) return undefined;
  const start = bytes.subarray(0, -1).lastIndexOf(NEWLINE) + 1;
  return numberIn(parsedText(bytes.toString('utf8', start, offset - 1)), 'ordinal');
}

/** Holds where a fork begins against the log of its parent, where that is at hand (codex.md §6). */
export const checkHistoryBase = (report: EventReporter, log: string): EventCheck =>
  firstOf('session_meta', (logged) => {
    const base = objectIn(objectIn(logged.event, 'payload'), 'history_base');
    const [thread, end] = [textIn(base, 'thread_id'), numberIn(base, 'end_ordinal_exclusive')];
    const offset = numberIn(base, 'end_byte_offset');
    if (thread === undefined || end === undefined || offset === undefined || offset < 1) return;
    const parent = rolloutOf(thread, log);
    if (parent === undefined) return;
    const ordinal = ordinalBefore(parent, offset);
    if (ordinal === end - 1) return;
    const there =
      ordinal === undefined ? 'no record ends there' : `the record that ends there has ${ordinal}`;
    report.at(logged, {
      code: 'consistency/history-base',
      message: `record ${end - 1} of ${basename(parent)} should end at byte ${offset}: ${there}`,
      path: ['payload', 'history_base', 'end_byte_offset'],
      expected: String(end - 1),
      ...(ordinal !== undefined && { actual: String(ordinal) }),
    });
  });
