import type { EventCheck, EventReporter } from '../../findings/check.ts';
import type { Row } from '../../log/row.ts';
import { numberIn } from '../excerpt.ts';
import { inputTokens, NO_TOKENS, plusTokens, type Tokens, totalTokens } from '../tokens.ts';
import type { SessionFormat, SessionRules } from './session.ts';

/** Checks what a format counts: its records, and tokens of answers and of the session. */
export class CountCheck implements EventCheck {
  readonly #said: SessionFormat['said'];
  readonly #counts: string;
  readonly #report: EventReporter;
  #number = 0;
  #sum = NO_TOKENS;
  #totals: (Tokens & { readonly line: number }) | undefined;

  constructor({ said }: SessionFormat, { counts = '' }: SessionRules, report: EventReporter) {
    this.#said = said;
    this.#counts = counts;
    this.#report = report;
  }

  row(row: Row): void {
    const { isHead, usage, totals } = this.#said(row.event);
    this.#count(row, isHead);
    if (totals) this.#totals = { ...totals.tokens, line: row.line };
    if (usage === undefined) return;
    this.#sum = plusTokens(this.#sum, usage.tokens);
    const sum = totalTokens(usage.tokens);
    if (usage.stated !== undefined && usage.stated !== sum)
      this.#report.at(row, {
        code: 'usage/total',
        message: `says ${usage.stated} tokens in all, and its parts are ${sum}`,
        expected: String(sum),
        actual: String(usage.stated),
      });
  }

  end(): void {
    this.#compare('input', inputTokens);
    this.#compare('output', ({ output }) => output);
  }

  /** Compares the number of a record with that of the record before. */
  #count(row: Row, isHead: true | undefined): void {
    const number = isHead ? 0 : numberIn(row.event, this.#counts);
    const before = this.#number;
    this.#number = number ?? before;
    if (isHead || number === undefined || number === before + 1) return;
    const what = number > before ? 'gap' : number === before ? 'duplicate' : 'backwards';
    this.#report.ifWhole.at(row, {
      code: `sequence/${what}`,
      message: `\`${this.#counts}\` is ${number}, and that of the record before is ${before}`,
      path: [this.#counts],
      expected: String(before + 1),
      actual: String(number),
    });
  }

  /** A total may be larger than the sum of all answers, and never smaller. 0: there is none. */
  #compare(what: string, of: (tokens: Tokens) => number): void {
    if (this.#totals === undefined) return;
    const [total, sum] = [of(this.#totals), of(this.#sum)];
    if (total === 0 || total >= sum) return;
    const message = `the total of ${what} tokens is ${total}, and the answers have ${sum}`;
    this.#report.onLine(this.#totals.line, undefined, { code: 'usage/total-too-small', message });
  }
}
