import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import { type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { NO_TOKENS, type Tokens, totalTokens } from '../../kit/tokens.ts';
import { callsIn, isHead, partsOf, tokensOf, typeOf } from './records.ts';

/** A prompt, and what its answers so far are. */
interface Prompt {
  /** How its last answer ended. */
  finish: string | undefined;
  finals: number;
  readonly unfinished: FindingDraft;
}

/** Counts of tokens as they are stored. */
const COUNTS = ['input', 'output', 'reasoning'] as const;

const stored = (tokens: JsonObject): number[] => {
  const cache = objectIn(tokens, 'cache');
  return [
    ...COUNTS.map((name) => numberIn(tokens, name) ?? 0),
    numberIn(cache, 'read') ?? 0,
    numberIn(cache, 'write') ?? 0,
  ];
};

const plus = (a: readonly number[], b: readonly number[]): number[] =>
  b.map((count, at) => count + (a[at] ?? 0));

/** Whether two sums of dollars are equal but for the order in which they were added up. */
const isEqualCost = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

const isEqual = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((count, at) => count === (b[at] ?? 0));

const inWords = (counts: readonly number[]): string => {
  const [input = 0, output = 0, reasoning = 0, read = 0, write = 0] = counts;
  return `input ${input}, output ${output}, reasoning ${reasoning}, cache ${read} read and ${write} written`;
};

/** Checks whether prompts were answered, and the tokens of answers. */
export class AnswerCheck extends ReportingCheck {
  readonly #prompts = new Map<string, Prompt>();
  readonly #seen = new Set<string>();
  /** The errors of subagents, by session. */
  readonly #failed = new Map<string, string>();
  #before: { readonly draft: FindingDraft } | undefined;
  #sum: number[] = [];
  #cost = 0;
  #isWhole = true;
  #stated: { readonly counts: number[]; readonly cost: number; readonly draft: FindingDraft } | undefined;

  row(row: Row): void {
    const { event } = row;
    if (isHead(event)) return this.#head(row);
    const type = typeOf(event);
    // A message that is lost explains a total that is too large.
    if (type === 'parts' || type === 'damaged') this.#isWhole = false;
    if (type?.startsWith('message/') !== true) return;
    const id = textIn(event['info'], 'id');
    if (id !== undefined && this.#seen.has(id)) return;
    if (id !== undefined) this.#seen.add(id);
    // An answer that is not the last was left by a killed program.
    if (this.#before) this.report.ifWhole.report(this.#before.draft);
    this.#before = undefined;
    if (type === 'message/user') this.#prompt(row, id);
    else if (type === 'message/assistant') this.#answer(row);
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    // With two writers, the answers to a prompt may come after the next one.
    for (const { finish, unfinished } of [...this.#prompts.values()].slice(0, -1))
      if (finish === 'tool-calls') this.report.report(unfinished);
    const { counts, cost, draft } = this.#stated ?? {};
    if (!this.#isWhole || counts === undefined || cost === undefined || draft === undefined) return;
    // A session that was imported has no totals.
    if (cost === 0 && counts.every((count) => count === 0)) return;
    if (!isEqual(counts, this.#sum))
      this.report.report({
        ...draft,
        message: `the session has ${inWords(counts)}, but its answers have ${inWords(this.#sum)}`,
      });
    else if (!isEqualCost(cost, this.#cost))
      this.report.report({
        ...draft,
        message: `the session cost ${cost}, but its answers cost ${this.#cost}`,
      });
  }

  #head(row: Row): void {
    const info = objectIn(row.event, 'info');
    const { tokens } = info;
    for (const child of objectsIn(row.event, 'failed_children'))
      this.#failed.set(textIn(child, 'id') ?? '', textIn(child, 'error') ?? 'error');
    if (this.#stated || !isObject(tokens)) return;
    const draft = this.report.draft(row, {
      code: 'usage/session-total',
      severity: 'warn',
      message: '',
      path: ['info', 'tokens'],
    });
    this.#stated = { counts: stored(tokens), cost: numberIn(info, 'cost') ?? 0, draft };
  }

  #prompt(row: Row, id: string | undefined): void {
    if (id === undefined) return;
    const message = 'the last answer to this prompt ends with calls, and another prompt follows';
    const unfinished = this.report.draft(row, { code: 'session/unfinished-turn', message });
    this.#prompts.set(id, { finish: undefined, finals: 0, unfinished });
  }

  #answer(row: Row): void {
    const info = objectIn(row.event, 'info');
    const [finish, parent] = [textIn(info, 'finish'), textIn(info, 'parentID')];
    const hasFailed = isObject(info['error']);
    const isCompleted = numberIn(objectIn(info, 'time'), 'completed') !== undefined;
    const parts = partsOf(row.event);
    if (!isCompleted) {
      const message = 'the answer was never completed, and the session continues after it';
      this.#before = {
        draft: this.report.draft(row, { code: 'session/unfinished-answer', message, path: ['info', 'time'] }),
      };
    }
    const used: Tokens = isObject(info['tokens']) ? tokensOf(info['tokens']) : NO_TOKENS;
    if (isCompleted && !hasFailed && Array.isArray(row.event['parts']) && row.event['parts'].length === 0) {
      const isLost = finish === 'stop' && totalTokens(used) > 0;
      this.report.at(row, {
        code: 'session/answer-without-parts',
        severity: isLost ? 'warn' : 'info',
        message: isLost
          ? `the answer used ${totalTokens(used)} tokens, but has no parts: they are lost`
          : 'the answer has no parts',
        path: ['parts'],
      });
    }
    const prompt = parent === undefined ? undefined : this.#prompts.get(parent);
    if (prompt) {
      prompt.finish = finish;
      if (isCompleted && !hasFailed && finish !== undefined && finish !== 'tool-calls') prompt.finals += 1;
      if (prompt.finals === 2) {
        const message = `the prompt ${named(parent ?? '')} has a final answer already`;
        this.report.at(row, { code: 'session/double-answer', message, path: ['info', 'parentID'] });
        prompt.finals += 1;
      }
    }
    this.#count(row, info, parts);
    this.#hidden(row);
  }

  /** Reports calls that look as if their subagent had succeeded. */
  #hidden(row: Row): void {
    for (const { part, path } of this.#failed.size === 0 ? [] : callsIn(row.event)) {
      const state = objectIn(part, 'state');
      const child = textIn(objectIn(state, 'metadata'), 'sessionId') ?? '';
      const error = this.#failed.get(child);
      if (error === undefined || state['status'] !== 'completed') continue;
      const message = `the subagent ${named(child)} failed (${error}), but its call is completed (part ${textIn(part, 'id') ?? '?'})`;
      this.report.at(row, { code: 'tool/hidden-failure', message, path });
    }
  }

  /** Compares the tokens and the cost of an answer with those of its steps. */
  #count(row: Row, info: JsonObject, parts: readonly JsonObject[]): void {
    const { tokens } = info;
    const counts = isObject(tokens) ? stored(tokens) : [];
    const cost = numberIn(info, 'cost') ?? 0;
    this.#sum = plus(this.#sum, counts.length === 0 ? this.#sum.map(() => 0) : counts);
    this.#cost += cost;
    const steps = parts.filter((part) => part['type'] === 'step-finish');
    if (steps.length === 0 || counts.length === 0) return;
    const sum = steps.map((step) => stored(objectIn(step, 'tokens'))).reduce(plus, []);
    const spent = steps.reduce((all, step) => all + (numberIn(step, 'cost') ?? 0), 0);
    if (!isEqual(counts, sum))
      this.report.at(row, {
        code: 'usage/steps',
        severity: 'warn',
        message: `the answer has ${inWords(counts)}, but its steps have ${inWords(sum)}`,
        path: ['info', 'tokens'],
      });
    else if (!isEqualCost(cost, spent))
      this.report.at(row, {
        code: 'usage/steps',
        severity: 'warn',
        message: `the answer cost ${cost}, but its steps cost ${spent}`,
        path: ['info', 'cost'],
      });
  }
}
