import { named, writeJson } from '../../../../base/json/write.ts';
import { firstFrom } from '../../../../base/text/first-from.ts';
import { type LogEnd, ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { type PairedCall, ToolPairs } from '../../kit/tool-pairs.ts';
import { callIdOf, type Item, isCall, isOutput, isTurnStart, itemOf, toolOf } from '../records.ts';
import { COLUMN, eventIn } from '../rows.ts';

/** A record after a call that shows whether the thread continued: the start of a turn, a message, or a call of a later answer. */
interface Mark {
  readonly line: number;
  readonly is: 'turn' | 'prompt' | 'answer' | 'call';
}

function markOf(item: Item): Mark['is'] | undefined {
  const { type, kind, payload } = item;
  if (isTurnStart(item)) return 'turn';
  if (type !== 'response_item' || (kind !== 'message' && kind !== 'reasoning')) return undefined;
  return payload['role'] === 'user' ? 'prompt' : 'answer';
}

/** What a call is given. */
const inputOf = (row: Row, { payload }: Item): string =>
  row.kind(COLUMN.payload) === 'object'
    ? (row.text(COLUMN.given) ?? row.text(COLUMN.input) ?? '')
    : writeJson(payload);

/** Pairs calls and outputs (codex.md §4, §9). */
export class ToolCheck extends ReportingCheck {
  readonly #pairs = new ToolPairs<PairedCall>(this.report);
  readonly #marks: Mark[] = [];
  #hasTurns = false;
  /** Whether an output came after the last call. The calls of one answer all come before their outputs. */
  #isAfterOutput = false;
  /** The line of the last message, or call of a later answer. */
  #lastSaid = 0;
  /** The inputs of the calls since the last output or prompt, which are those of one answer, by id; and where it begins. */
  readonly #ofAnswer = new Map<string, string>();
  #answer = 0;

  row(row: Row): void {
    const { line } = row;
    const event = eventIn(row);
    const item = itemOf(event);
    const is = markOf(item) ?? (this.#isAfterOutput && isCall(item) ? 'call' : undefined);
    if (is) this.#marks.push({ line, is });
    if (isOutput(item)) this.#isAfterOutput = true;
    else if (is !== undefined) this.#isAfterOutput = false;
    if (is === 'turn') this.#hasTurns = true;
    else if (is) this.#lastSaid = line;
    if (is === 'turn' || is === 'prompt' || isOutput(item)) {
      this.#ofAnswer.clear();
      this.#answer = line;
    }
    const id = callIdOf(item);
    if (id === undefined) return;
    const path = item.payload === event ? ['call_id'] : ['payload', 'call_id'];
    if (isCall(item)) {
      const first = this.#pairs.calls.has(id) ? undefined : this.#pairs.results.get(id);
      if (first !== undefined)
        this.report.onLine(first, id, {
          code: 'tool/result-first',
          message: `its call is on line ${line}`,
        });
      // A call that is in the log twice is no other call of the answer.
      const input = inputOf(row, item);
      const answer = this.#ofAnswer.get(id) === input ? undefined : this.#answer;
      this.#ofAnswer.set(id, input);
      this.#pairs.call(row, { id, tool: toolOf(item), line, answer }, path);
    } else if (isOutput(item)) this.#pairs.result(row, id, path);
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    this.#pairs.reportOrphans();
    for (const call of this.#pairs.unanswered()) this.#reportOpen(call);
  }

  #reportOpen({ tool, id, line }: PairedCall): void {
    const name = `${named(tool)} (${named(id)}) has no output`;
    if (this.#lastSaid <= line) {
      this.report.onLine(line, id, { code: 'tool/open', message: `${name}: the log ends before it` });
      return;
    }
    // Old versions do not write when a turn begins. There, a prompt shows it.
    const marks = this.#marks;
    const next = marks[firstFrom(marks.length, (index) => (marks[index]?.line ?? 0) > line)];
    const isCutOff = next?.is === (this.#hasTurns ? 'turn' : 'prompt');
    this.report.onLine(line, id, {
      code: 'tool/unanswered',
      ...(!isCutOff && { severity: 'warn' as const }),
      message: isCutOff
        ? `${name}: its turn was cut off, and another one begins`
        : `${name}, but the thread continues`,
    });
  }
}
