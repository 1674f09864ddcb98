import type { JsonValue } from '../../../../base/json/value.ts';
import { countText } from '../../../../base/text/count.ts';
import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { numberIn, objectIn, objectsIn } from '../../../kit/members.ts';
import { OF_ANTHROPIC } from '../answers.ts';
import { COLUMN, SAID } from '../rows.ts';

/** The counts that all records of an answer have in common. The output grows until the answer ends. */
const SHARED = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

const COUNTS = [...SHARED, 'output_tokens'] as const;

const countOf = (usage: JsonValue | undefined, name: string): number => numberIn(usage, name) ?? 0;

/** Whether a record has counts. Some records of an answer only have zeros. */
const isCounted = (usage: JsonValue | undefined): boolean => COUNTS.some((name) => countOf(usage, name) > 0);

const hasInput = (usage: JsonValue): boolean => SHARED.some((name) => countOf(usage, name) > 0);

/** The tokens of an answer in one of its records. */
interface Counted {
  readonly line: number;
  readonly usage: JsonValue;
}

/**
 * Compares the tokens of an answer with those in its other records, with its iterations and with the parts of what was written to
 * the cache (claude-code.md §7).
 */
export class AnswerCheck extends ReportingCheck {
  readonly types = SAID;
  /** The first record with tokens of each answer, by its request and its id. */
  readonly #answers = new Map<string, Counted>();

  row(row: Row): void {
    const usage = row.value(COLUMN.usage);
    if (usage === undefined || !isCounted(usage)) return;
    const [request, answer] = [row.text(COLUMN.request), row.text(COLUMN.answer)];
    // Relays may count at the start of an answer otherwise than at its end.
    if (request === undefined || !OF_ANTHROPIC.test(request)) return;
    this.#parts(row, usage);
    if (answer === undefined) return;
    const key = `${request} ${answer}`;
    const before = this.#answers.get(key);
    if (before === undefined) this.#answers.set(key, { line: row.line, usage });
    else this.#compare(row, usage, before);
  }

  #compare(row: Row, usage: JsonValue, before: Counted): void {
    // The first records of an answer may have no input yet.
    if (!hasInput(usage) || !hasInput(before.usage)) return;
    for (const name of SHARED) {
      const [count, other] = [countOf(usage, name), countOf(before.usage, name)];
      if (count === other) continue;
      this.report.at(row, {
        code: 'session/copy-differs',
        message: `\`${name}\` of the answer is ${countText(count)}, but ${countText(other)} in its record on line ${before.line}`,
        path: ['message', 'usage', name],
      });
      return;
    }
  }

  #parts(row: Row, usage: JsonValue): void {
    const own = objectsIn(usage, 'iterations').filter(({ type }) => type === 'message');
    const wrong = COUNTS.find(
      (name) =>
        own.length > 0 &&
        this.#isOther(
          row,
          usage,
          name,
          own.map((one) => countOf(one, name)),
          'its iterations',
        ),
    );
    if (wrong !== undefined) return;
    const cached = Object.values(objectIn(usage, 'cache_creation')).filter(
      (count) => typeof count === 'number',
    );
    // Some relays leave the parts at 0.
    if (cached.some((count) => count > 0))
      this.#isOther(row, usage, 'cache_creation_input_tokens', cached, 'the parts of it by time');
  }

  /** Reports a count that is not the sum of its parts. */
  #isOther(row: Row, usage: JsonValue, name: string, parts: readonly number[], what: string): boolean {
    const [count, sum] = [countOf(usage, name), parts.reduce((all, part) => all + part, 0)];
    if (count === sum) return false;
    this.report.at(row, {
      code: 'usage/total',
      message: `\`${name}\` is ${countText(count)}, but ${what} have ${countText(sum)}`,
      path: ['message', 'usage', name],
      expected: String(sum),
      actual: String(count),
    });
    return true;
  }
}
