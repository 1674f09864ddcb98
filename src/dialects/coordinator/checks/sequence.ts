import { type LogEnd, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { lastFrom } from '../../kit/last-from.ts';
import { Stretch } from '../../sessions/kit/stretch.ts';
import { COLUMN } from '../rows.ts';

interface Gap {
  from: number;
  to: number;
  readonly draft: FindingDraft;
}

/** A repeated or late number. */
interface Fault {
  readonly code: 'sequence/duplicate' | 'sequence/backwards';
  readonly value: number;
  readonly line: number;
  /** The highest number before, and its line. */
  readonly top: number;
  readonly topLine: number;
}

const span = (from: number, to: number): string => (from === to ? `${from}` : `${from} to ${to}`);

/**
 * Checks that numbers rise over the whole file, or start at 1 again with a new session (coordinator.md §8). The
 * documents allow gaps, so a gap is an info. Consecutive faults make one finding.
 */
export class SequenceCheck extends ReportingCheck {
  #first: number | undefined;
  #top = 0;
  #topLine = 0;
  #session: unknown;
  /** The numbers between the first and the highest that have not come yet. */
  #gaps: Gap[] = [];
  readonly #closed: Gap[] = [];
  readonly #stretch = new Stretch<Fault>(this.report, {
    continues: (last, next) => last.code === next.code && next.value === last.value + 1,
    message: messageOf,
  });

  row(row: Row): void {
    const value = row.number(COLUMN.sequence);
    const session = row.isAccepted ? row.text(COLUMN.session_id) : row.event['session_id'];
    const changed = session !== this.#session;
    this.#session = session;
    if (!Number.isInteger(value)) return;
    if (this.#first === undefined || (changed && value === 1 && this.#top >= 1))
      return this.#begin(value, row.line);
    if (value > this.#top) {
      this.#stretch.close();
      if (value > this.#top + 1) this.#gap(row, this.#top + 1, value - 1);
      this.#top = value;
      this.#topLine = row.line;
    } else this.#malformed(row, value, value >= this.#first && !this.#fill(value));
  }

  end({ whole }: LogEnd): void {
    this.#stretch.close();
    if (!whole) return;
    for (const { from, to, draft } of [...this.#closed, ...this.#gaps]) {
      const numbers = from === to ? `the number ${from} is` : `the numbers ${from} to ${to} are`;
      this.report.report({
        ...draft,
        message: `${numbers} missing before this event, which the documents allow`,
      });
    }
  }

  #begin(value: number, line: number): void {
    this.#stretch.close();
    for (const gap of this.#gaps) this.#closed.push(gap);
    this.#gaps = [];
    this.#first = value;
    this.#top = value;
    this.#topLine = line;
  }

  #gap(logged: LoggedEvent, from: number, to: number): void {
    const draft = this.report.draft(logged, {
      code: 'sequence/gap',
      severity: 'info',
      message: '',
      path: ['sequence'],
    });
    this.#gaps.push({ from, to, draft });
  }

  /** Removes a late number from its gap. Returns whether it was in one. */
  #fill(value: number): boolean {
    const index = lastFrom(this.#gaps, value);
    const gap = this.#gaps[index];
    if (gap === undefined || value > gap.to) return false;
    const parts = [
      { ...gap, to: value - 1 },
      { ...gap, from: value + 1 },
    ].filter(({ from, to }) => from <= to);
    this.#gaps.splice(index, 1, ...parts);
    return true;
  }

  #malformed(logged: LoggedEvent, value: number, duplicate: boolean): void {
    const code = duplicate ? 'sequence/duplicate' : 'sequence/backwards';
    const fault = { code, value, line: logged.line, top: this.#top, topLine: this.#topLine } as const;
    this.#stretch.add(logged, fault, { code, path: ['sequence'], actual: String(value) });
  }
}

function messageOf({ code, value, line, top, topLine }: Fault, last: Fault): string {
  const lines = last.line === line ? '' : `, down to line ${last.line},`;
  const what = code === 'sequence/duplicate' ? 'is repeated' : 'comes late';
  const numbers = `sequence ${span(value, last.value)}${lines} ${what}`;
  return `${numbers}: the highest so far is ${top}, on line ${topLine}`;
}
