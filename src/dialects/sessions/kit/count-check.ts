import { type EventReporter, type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import type { Row } from '../../../log/row.ts';
import { numberIn } from '../../kit/members.ts';
import { inputTokens, NO_TOKENS, plusTokens, type Tokens, totalTokens } from '../../kit/tokens.ts';
import type { Said, SessionFormat, SessionRules } from './format.ts';
import { textAt } from './member.ts';

type SaidUsage = NonNullable<Said['usage']>;

/** The tokens of an answer or a request, and their place. */
interface Counted {
  readonly tokens: Tokens;
  readonly line: number;
}

/** A request, and the id of its record. */
interface Asked extends Counted {
  readonly id: string | undefined;
}

/** The request is the parent of its answer, and the record before it. */
const isAnswerTo = ({ id }: Asked, row: Row, { members }: SessionFormat): boolean =>
  id !== undefined && members.parent !== undefined && textAt(row.event, members.parent) === id;

const COMPARED = ['cached', 'input', 'output', 'reasoning'] as const;

/**
 * Checks the counters in a log: the numbers of records, the tokens of each answer, the totals of the session.
 */
export class CountCheck extends ReportingCheck {
  readonly #format: SessionFormat;
  readonly #counts: string;
  /** The answers by id, if a message may be written again. */
  readonly #answers = new Map<string, Counted>();
  /** The request of the record before. */
  #asked: Asked | undefined;
  #number = 0;
  #sum = NO_TOKENS;
  #totals: NonNullable<Said['totals']> | undefined;
  /** Reports a finding at the record that has the totals. */
  #about: ((code: FindingCode, message: string) => void) | undefined;
  #records = 0;
  #isPart = false;
  /** Whether a record came that is not a copy. */
  #isBegun = false;

  constructor(format: SessionFormat, { counts = '' }: SessionRules, report: EventReporter) {
    super(report);
    this.#format = format;
    this.#counts = counts;
  }

  row(row: Row): void {
    const { isHead, usage, requested, totals, isPart, isCopy } = this.#format.said(row.event);
    this.#count(row, isHead);
    if (totals) this.#take(row, totals);
    this.#isPart ||= isPart === true;
    if (!isHead) this.#copied(row, isCopy === true);
    const asked = this.#asked;
    this.#asked = requested && {
      ...requested,
      id: textAt(row.event, this.#format.members.id),
      line: row.line,
    };
    if (usage === undefined || isCopy) return;
    if (asked !== undefined && isAnswerTo(asked, row, this.#format))
      this.#compareCounts(row, usage, asked, 'its request');
    this.#compareWithEarlier(row, usage);
    const { prompt = Infinity } = usage;
    if (usage.tokens.cached > prompt)
      this.report.at(row, {
        code: 'usage/cached',
        message: `${usage.tokens.cached} tokens are from the cache, but the whole input is ${prompt} tokens`,
      });
    this.#sum = plusTokens(this.#sum, usage.tokens);
    const sum = totalTokens(usage.tokens);
    if (usage.stated !== undefined && usage.stated !== sum)
      this.report.at(row, {
        code: 'usage/total',
        message: `the total is ${usage.stated} tokens, but its parts add up to ${sum}`,
        expected: String(sum),
        actual: String(usage.stated),
      });
  }

  end({ whole }: LogEnd): void {
    this.#compare('input', inputTokens);
    this.#compare('output', ({ output }) => output);
    const { records } = this.#totals ?? {};
    // The totals of a part may include the parts before it.
    if (!whole || this.#isPart || records === undefined || records === this.#records) return;
    this.#about?.('usage/steps', `the total is ${records} steps, but the log has ${this.#records}`);
  }

  /** Drafts the finding now, because the place of a record is only known while it is read. */
  #take(row: Row, totals: NonNullable<Said['totals']>): void {
    this.#totals = totals;
    const draft = this.report.draft(row, { code: 'usage/steps', message: '', path: totals.path });
    this.#about = (code, message) => this.report.report({ ...draft, code, message });
  }

  #copied(row: Row, isCopy: boolean): void {
    this.#records += 1;
    if (isCopy && this.#isBegun) {
      const message = 'a record that was copied from another log follows one that was not';
      this.report.at(row, { code: 'lineage/copied', message });
    }
    this.#isBegun ||= !isCopy;
  }

  #count(row: Row, isHead: true | undefined): void {
    const number = isHead ? 0 : numberIn(row.event, this.#counts);
    const before = this.#number;
    this.#number = number ?? before;
    if (isHead || number === undefined || number === before + 1) return;
    const what = number > before ? 'gap' : number === before ? 'duplicate' : 'backwards';
    this.report.ifWhole.at(row, {
      code: `sequence/${what}`,
      severity: 'error',
      message: `\`${this.#counts}\` is ${number}, but ${before} in the previous record`,
      path: [this.#counts],
      expected: String(before + 1),
      actual: String(number),
    });
  }

  /** A message that is written again has the tokens of its answer again. */
  #compareWithEarlier(row: Row, usage: SaidUsage): void {
    const id = this.#format.isEdited && textAt(row.event, this.#format.members.id);
    if (!id) return;
    const earlier = this.#answers.get(id);
    if (earlier !== undefined) this.#compareCounts(row, usage, earlier, 'the same answer');
    this.#answers.set(id, { tokens: usage.tokens, line: row.line });
  }

  #compareCounts(row: Row, { tokens }: SaidUsage, other: Counted, what: string): void {
    if (totalTokens(tokens) === 0 || totalTokens(other.tokens) === 0) return;
    const name = COMPARED.find((one) => tokens[one] !== other.tokens[one]);
    if (name === undefined) return;
    this.report.at(row, {
      code: 'session/copy-differs',
      message: `the answer has ${tokens[name]} ${name} tokens, but ${what} on line ${other.line} has ${other.tokens[name]}`,
    });
  }

  /** The total may exceed the sum of all answers, but never be smaller. 0 means that there is no total. */
  #compare(what: string, of: (tokens: Tokens) => number): void {
    if (this.#totals === undefined) return;
    const [total, sum] = [of(this.#totals.tokens), of(this.#sum)];
    if (total === 0 || total >= sum) return;
    const message = `the total of ${what} tokens is ${total}, but the answers have ${sum}`;
    this.#about?.('usage/total-too-small', message);
  }
}
