import { ReportingCheck } from '../../../../findings/check.ts';
import type { FindingDraft } from '../../../../findings/findings.ts';
import type { Row } from '../../../../log/row.ts';
import { numbersIn, objectIn } from '../../../kit/members.ts';
import { type Item, itemOf } from '../records.ts';
import { eventIn } from '../rows.ts';
import { COUNTS, type Counted, type TokenCounts } from '../usage.ts';

/** What a record says of tokens, and where. */
interface Stated extends Counted {
  readonly line: number;
  readonly path: readonly string[];
}

/** The members that have the total of the thread and the tokens of the last request. */
const MEMBERS = {
  token_count: { of: ['payload', 'info'], total: 'total_token_usage', last: 'last_token_usage' },
  token_usage_record: { of: ['payload'], total: 'thread_token_usage', last: 'usage' },
} as const;

type Kind = keyof typeof MEMBERS;

/** Which of them a record has. */
function kindOf({ type, kind }: Item): Kind | undefined {
  if (type === 'token_usage_record') return type;
  return type === 'event_msg' && kind === 'token_count' ? kind : undefined;
}

function statedIn(row: Row, kind: Kind): Stated | undefined {
  const { of, total, last } = MEMBERS[kind];
  const object = of.reduce(objectIn, row.event);
  const counts = numbersIn(objectIn(object, total), COUNTS);
  if (counts['total_tokens'] === undefined) return undefined;
  return {
    total: counts,
    last: numbersIn(objectIn(object, last), COUNTS),
    line: row.line,
    path: [...of, total],
  };
}

const count = (counts: TokenCounts, name: string): number => counts[name] ?? 0;

/** Only a total, as the program assumes it if the context is full or was compacted. */
const isAssumed = (counts: TokenCounts): boolean =>
  count(counts, 'input_tokens') === 0 && count(counts, 'output_tokens') === 0;

/** The total before the last request, as a text. */
const before = ({ total, last }: Counted): string =>
  COUNTS.map((name) => count(total, name) - count(last, name)).join();

const after = ({ total }: Counted): string => before({ total, last: {} });

const NOTHING = after({ total: {}, last: {} });

const isSame = (one: TokenCounts, other: TokenCounts): boolean =>
  COUNTS.every((name) => count(one, name) === count(other, name));

const isSameSize = (one: Stated, other: Stated): boolean =>
  count(one.total, 'total_tokens') === count(other.total, 'total_tokens');

/** The totals of one kind of record. Each is the one before it and a request. */
class RunningTotal {
  /** A program that continues a thread may go on from an earlier total, or from nothing. */
  readonly #earlier = new Set([NOTHING]);
  #previous: Stated | undefined;

  /** Takes a total. Returns the total before it if it does not go on from any. */
  take(stated: Stated): Stated | undefined {
    const previous = this.#previous;
    const goesOn =
      previous === undefined ||
      isAssumed(stated.total) ||
      isAssumed(stated.last) ||
      (after(stated) === after(previous) && isSame(stated.last, previous.last)) ||
      (this.#earlier.has(before(stated)) && !isSameSize(stated, previous));
    this.#previous = stated;
    this.#earlier.add(after(stated));
    return goesOn ? undefined : previous;
  }

  /** The last total is wrong, so the next one need not go on from it. */
  forget(): void {
    this.#previous = undefined;
  }
}

/** Checks that the tokens of requests add up to the totals of the thread (codex.md §7, §9). */
export class UsageCheck extends ReportingCheck {
  readonly #running = { token_count: new RunningTotal(), token_usage_record: new RunningTotal() };
  /** The usage record whose event comes next. */
  #record: Stated | undefined;
  #total: { readonly tokens: number; readonly line: number } | undefined;
  /** Whether input and output add up to some total. Those of some providers never do. */
  #addsUp = false;
  /** What is wrong if they do, and nothing else is. */
  #held: FindingDraft | undefined;
  #isAnyWrong = false;

  row(row: Row): void {
    const kind = kindOf(itemOf(eventIn(row)));
    const stated = kind === undefined ? undefined : statedIn(row, kind);
    if (kind === undefined || stated === undefined) return;
    const previous = this.#running[kind].take(stated);
    const isEvent = kind === 'token_count';
    const held = this.#held;
    // One wrong number contradicts several others: only the nearest is named.
    const isWrong =
      this.#parts(row, stated) ||
      (isEvent && this.#differsFromRecord(row, stated)) ||
      this.#goesOn(row, stated, previous);
    this.#isAnyWrong ||= isWrong;
    if (isWrong) this.#running[kind].forget();
    else if (isEvent && this.#held === held) this.#decreases(row, stated);
    this.#record = isEvent || isWrong ? undefined : stated;
  }

  end(): void {
    if (this.#held !== undefined && this.#addsUp && !this.#isAnyWrong) this.report.report(this.#held);
  }

  /** Input includes what is cached, and output what was thought. */
  #parts(row: Row, { total, last, path }: Stated): boolean {
    for (const counts of [total, last]) {
      const [stated, sum] = [
        counts['total_tokens'],
        count(counts, 'input_tokens') + count(counts, 'output_tokens'),
      ];
      if (stated === undefined || isAssumed(counts)) continue;
      if (stated === sum) {
        this.#addsUp = true;
        continue;
      }
      const what = counts === total ? 'the total of the thread' : 'the total of the last request';
      const draft = this.report.draft(row, {
        code: 'usage/total',
        message: `${what} is ${stated} tokens, but input and output add up to ${sum}`,
        path,
        expected: String(sum),
        actual: String(stated),
      });
      if (this.#addsUp) this.report.report(draft);
      else this.#held ??= draft;
      return this.#addsUp;
    }
    return false;
  }

  #goesOn(row: Row, { total, last, path }: Stated, previous: Stated | undefined): boolean {
    const larger =
      isAssumed(total) || isAssumed(last)
        ? undefined
        : COUNTS.find((one) => count(last, one) > count(total, one));
    if (larger !== undefined) {
      this.report.at(row, {
        code: 'usage/session-total',
        message: `\`${larger}\` of the last request is ${count(last, larger)}, but that of the whole thread is ${count(total, larger)}`,
        path: [...path, larger],
      });
      return true;
    }
    if (previous === undefined) return false;
    const sum = (name: string) => count(previous.total, name) + count(last, name);
    const name = COUNTS.find((one) => count(total, one) !== sum(one)) ?? 'total_tokens';
    this.report.ifWhole.at(row, {
      code: 'usage/session-total',
      message: `\`${name}\` of the thread is ${count(total, name)}, but that of line ${previous.line} and of the last request add up to ${sum(name)}`,
      path: [...path, name],
      expected: String(sum(name)),
      actual: String(count(total, name)),
    });
    return true;
  }

  /** The program writes the tokens of a request in a record, and at once in an event. */
  #differsFromRecord(row: Row, { last }: Stated): boolean {
    const record = this.#record;
    if (record === undefined || isAssumed(last)) return false;
    const name = COUNTS.find((one) => count(last, one) !== count(record.last, one));
    if (name === undefined) return false;
    this.report.at(row, {
      code: 'session/copy-differs',
      message: `\`${name}\` of the request is ${count(last, name)}, not ${count(record.last, name)} as on line ${record.line}`,
      path: ['payload', 'info', 'last_token_usage', name],
    });
    return true;
  }

  #decreases(row: Row, { total, path }: Stated): void {
    const tokens = count(total, 'total_tokens');
    const earlier = this.#total;
    this.#total = { tokens, line: row.line };
    if (earlier === undefined || tokens >= earlier.tokens) return;
    this.report.at(row, {
      code: 'usage/decreasing',
      message: `the total is ${tokens}, but was ${earlier.tokens} on line ${earlier.line}`,
      path: [...path, 'total_tokens'],
    });
  }
}
