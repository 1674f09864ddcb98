import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { NEWLINE } from '../../../json/ascii.ts';
import type { JsonObject } from '../../../json/value.ts';
import { numberIn, objectIn, textIn } from '../../excerpt.ts';
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
export class HistoryBaseCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #log: string;
  #isAsked = false;

  constructor(report: EventReporter, log: string) {
    this.#report = report;
    this.#log = log;
  }

  event(logged: LoggedEvent): void {
    if (this.#isAsked || logged.event['type'] !== 'session_meta') return;
    this.#isAsked = true;
    this.#compare(logged, objectIn(objectIn(logged.event, 'payload'), 'history_base'));
  }

  #compare(logged: LoggedEvent, base: JsonObject): void {
    const [thread, end] = [textIn(base, 'thread_id'), numberIn(base, 'end_ordinal_exclusive')];
    const offset = numberIn(base, 'end_byte_offset');
    if (thread === undefined || end === undefined || offset === undefined || offset < 1) return;
    const parent = rolloutOf(thread, this.#log);
    if (parent === undefined) return;
    const ordinal = ordinalBefore(parent, offset);
    if (ordinal === end - 1) return;
    const there =
      ordinal === undefined ? 'no record ends there' : `the record that ends there has ${ordinal}`;
    this.#report.at(logged, {
      code: 'consistency/history-base',
      message: `record ${end - 1} of ${basename(parent)} should end at byte ${offset}: ${there}`,
      path: ['payload', 'history_base', 'end_byte_offset'],
      expected: String(end - 1),
      ...(ordinal !== undefined && { actual: String(ordinal) }),
    });
  }
}
