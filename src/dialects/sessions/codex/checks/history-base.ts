import { basename } from 'node:path';
import { named } from '../../../../base/json/write.ts';
import type { EventCheck, EventReporter } from '../../../../findings/check.ts';
import { linesBackwards } from '../../../../log/backwards.ts';
import { numberIn, objectIn, textIn } from '../../../kit/members.ts';
import { firstOf } from '../../kit/envelope.ts';
import { rolloutOf } from '../files.ts';
import { parsedText } from '../records.ts';

/** The ordinal of the record that ends at an offset; undefined if none does. */
function ordinalBefore(log: string, offset: number): number | undefined {
  if (!Number.isInteger(offset)) return undefined;
  const [after, line] = linesBackwards(log, offset);
  return after === '' && line !== undefined ? numberIn(parsedText(line), 'ordinal') : undefined;
}

/** Compares the start of a fork with the log of its parent, if available (codex.md §6). */
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
    const there = ordinal === undefined ? 'no record ends there' : `record ${ordinal} ends there`;
    report.at(logged, {
      code: 'consistency/history-base',
      message: `record ${end - 1} of ${named(basename(parent))} should end at byte ${offset}: ${there}`,
      path: ['payload', 'history_base', 'end_byte_offset'],
      expected: String(end - 1),
      ...(ordinal !== undefined && { actual: String(ordinal) }),
    });
  });
