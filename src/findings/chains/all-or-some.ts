import type { EventRemark, EventReporter, LoggedEvent } from '../check.ts';
import type { FindingDraft } from '../findings.ts';

/**
 * Reports what is wrong with some records. If all of them are wrong, reports it once: then the program or the key is
 * probably another one.
 */
export class AllOrSome {
  readonly #report: EventReporter;
  readonly #words: (count: number) => string;
  readonly #many: number;
  #held: EventReporter;
  #first: FindingDraft | undefined;
  #right = 0;
  #wrong = 0;

  /** `words`: the message for all. `many`: fewer wrong records are reported one by one. */
  constructor(report: EventReporter, words: (count: number) => string, many = 2) {
    this.#report = report;
    this.#words = words;
    this.#many = many;
    this.#held = report.later();
  }

  get isAllRight(): boolean {
    return this.#wrong === 0;
  }

  right(): void {
    if (this.#right === 0) this.#release();
    this.#right += 1;
  }

  wrong(row: LoggedEvent, remark: EventRemark): void {
    this.#wrong += 1;
    if (this.#first === undefined) this.#first = this.#report.draft(row, remark);
    (this.#right === 0 ? this.#held : this.#report).at(row, remark);
  }

  /** Counts a wrong record whose finding follows with {@link held}. */
  counted(): void {
    this.#wrong += 1;
  }

  held(draft: FindingDraft): void {
    if (this.#first === undefined || (draft.line ?? 0) < (this.#first.line ?? 0)) this.#first = draft;
    (this.#right === 0 ? this.#held : this.#report).report(draft);
  }

  end(): void {
    if (this.#right === 0 && this.#wrong >= this.#many && this.#first !== undefined) {
      const { expected: _, actual: __, ...first } = this.#first;
      this.#report.report({ ...first, message: this.#words(this.#wrong) });
    } else this.#release();
  }

  #release(): void {
    this.#report.confirm(this.#held);
    this.#held = this.#report.later();
  }
}
