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

/** The logs of a thread that are verified together. */
export interface LogsOfThread {
  readonly first: string | undefined;
  /** By the ids with which others name them. */
  readonly byId: ReadonlyMap<string, string>;
}

/** Compares the start of a fork, or of a further log of a thread, with the log that it goes on from (codex.md §6). */
export const checkHistoryBase = (report: EventReporter, log: string, thread: LogsOfThread): EventCheck =>
  firstOf('session_meta', (logged) => {
    const payload = objectIn(logged.event, 'payload');
    const base = objectIn(payload, 'history_base');
    const [id, end] = [textIn(base, 'thread_id'), numberIn(base, 'end_ordinal_exclusive')];
    const offset = numberIn(base, 'end_byte_offset');
    if (id === undefined || end === undefined || offset === undefined || offset < 1) return;
    const path = ['payload', 'history_base', 'end_byte_offset'];
    const before = thread.byId.get(id) ?? rolloutOf(id, log);
    if (before === undefined) {
      // A fork may be kept without the thread that it comes from, and a log alone without the others of its thread.
      const isFork = textIn(payload, 'forked_from_id') !== undefined;
      if (isFork || log === thread.first) return;
      const message = `the thread goes on here after record ${end - 1} of its log ${named(id)}, which is missing`;
      report.at(logged, { code: 'session/missing-log', message, path: path.with(-1, 'thread_id') });
      return;
    }
    const ordinal = ordinalBefore(before, offset);
    if (ordinal === end - 1) return;
    const there = ordinal === undefined ? 'no record ends there' : `record ${ordinal} ends there`;
    report.at(logged, {
      code: 'consistency/history-base',
      message: `record ${end - 1} of ${named(basename(before))} should end at byte ${offset}: ${there}`,
      path,
      expected: String(end - 1),
      ...(ordinal !== undefined && { actual: String(ordinal) }),
    });
  });
