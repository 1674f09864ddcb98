import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { parseInstant } from '../../../time/instant.ts';
import { type LedgerEvent, timeText } from '../loose.ts';
import type { RunCheck } from './ledger-check.ts';

const LONG_LINE = 64 * 1024;

/** Lines that do not fit into a buffer of 64 KiB, told once a ledger (fishbowl.md §6, §11). */
export class LongLineCheck implements EventCheck {
  readonly #report: EventReporter;
  #first: FindingDraft | undefined;
  #lines = 0;
  #longest = 0;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { byteStart, byteEnd } = logged.record;
    const length = byteEnd - byteStart;
    if (length <= LONG_LINE) return;
    this.#first ??= this.#report.draft(logged, { code: 'event/long-line', message: '' });
    this.#lines += 1;
    this.#longest = Math.max(this.#longest, length);
  }

  end(): void {
    if (this.#first === undefined) return;
    const lines = this.#lines === 1 ? 'a line is' : `${this.#lines} lines are`;
    const message = `${lines} longer than 64 KiB, the longest ${this.#longest} bytes; this is the first`;
    this.#report.report({ ...this.#first, message });
  }
}

interface Salvaged {
  readonly first: FindingDraft;
  count: number;
}

/** Texts that were salvaged from a malformed answer, told once a run (fishbowl.md §6). */
export class SalvageCheck implements RunCheck {
  readonly #report: EventReporter;
  readonly #runs = new Map<string, Salvaged>();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent, { runId, payload }: LedgerEvent): void {
    if (payload['_raw_fallback'] !== true) return;
    const run = this.#runs.get(runId);
    if (run) run.count += 1;
    else {
      const remark = { code: 'event/salvaged', message: '', path: ['payload', '_raw_fallback'] } as const;
      this.#runs.set(runId, { first: this.#report.draft(logged, remark), count: 1 });
    }
  }

  end(): void {
    for (const { first, count } of this.#runs.values()) {
      const events =
        count === 1
          ? 'the text of one event of this run was'
          : `the texts of ${count} events of this run were`;
      this.#report.report({ ...first, message: `${events} salvaged from answers without the expected form` });
    }
  }
}

/** Times that go backwards inside a run; without an offset they are UTC (fishbowl.md §4, §5). */
export class TimeCheck implements RunCheck {
  readonly #report: EventReporter;
  readonly #runs = new Map<
    string,
    { readonly instant: number; readonly line: number; readonly text: string }
  >();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent, { runId, createdAt }: LedgerEvent): void {
    const text = timeText(createdAt);
    const instant = text === null ? undefined : parseInstant(text);
    if (instant === undefined || text === null) return;
    const before = this.#runs.get(runId);
    if (before !== undefined && instant < before.instant) {
      this.#report.at(logged, {
        code: 'event/time-order',
        severity: 'info',
        message: `created at ${text}, before the event of this run on line ${before.line} (${before.text}); the order of the file counts`,
        path: ['created_at'],
      });
    }
    this.#runs.set(runId, { instant, line: logged.line, text });
  }
}
