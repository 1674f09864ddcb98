import { type LogEnd, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { FaultStreak } from '../../kit/fault-streak.ts';
import { lastFrom } from '../../kit/last-from.ts';
import { Numbers } from '../numbers.ts';
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

/** Checks the numbers of events. Consecutive faults make one finding. */
export class SequenceCheck extends ReportingCheck {
  readonly #numbers = new Numbers();
  /** The numbers between the first and the highest that have not come yet. */
  #gaps: Gap[] = [];
  readonly #closed: Gap[] = [];
  readonly #streak = new FaultStreak<Fault>(this.report, {
    continues: (last, next) => last.code === next.code && next.value === last.value + 1,
    message: messageOf,
  });

  row(row: Row): void {
    const value = row.number(COLUMN.sequence);
    const session = row.isAccepted ? row.text(COLUMN.session_id) : row.event['session_id'];
    if (Number.isInteger(value)) this.#check(row, value, session);
    this.#numbers.take(value, session, row.line);
  }

  #check(row: Row, value: number, session: unknown): void {
    const numbers = this.#numbers;
    if (numbers.begins(value, session)) return this.#begin();
    const fault = numbers.fault(value, session);
    if (fault === undefined || fault === 'sequence/gap') {
      this.#streak.close();
      if (fault !== undefined) this.#gap(row, numbers.top + 1, value - 1);
      return;
    }
    const code = fault === 'sequence/duplicate' && this.#fill(value) ? 'sequence/backwards' : fault;
    this.#malformed(row, value, code);
  }

  end({ whole }: LogEnd): void {
    this.#streak.close();
    if (!whole) return;
    for (const { from, to, draft } of [...this.#closed, ...this.#gaps]) {
      const numbers = from === to ? `the number ${from} is` : `the numbers ${from} to ${to} are`;
      this.report.report({
        ...draft,
        message: `${numbers} missing before this event`,
      });
    }
  }

  #begin(): void {
    this.#streak.close();
    for (const gap of this.#gaps) this.#closed.push(gap);
    this.#gaps = [];
  }

  #gap(logged: LoggedEvent, from: number, to: number): void {
    const draft = this.report.draft(logged, {
      code: 'sequence/gap',
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

  #malformed(logged: LoggedEvent, value: number, code: Fault['code']): void {
    const { top, topLine } = this.#numbers;
    const fault = { code, value, line: logged.line, top, topLine };
    this.#streak.add(logged, fault, { code, path: ['sequence'], actual: String(value) });
  }
}

function messageOf({ code, value, line, top, topLine }: Fault, last: Fault): string {
  const lines = last.line === line ? '' : `, down to line ${last.line},`;
  const what = code === 'sequence/duplicate' ? 'is repeated' : 'comes late';
  const numbers = `sequence ${span(value, last.value)}${lines} ${what}`;
  return `${numbers}: the highest so far is ${top}, on line ${topLine}`;
}
