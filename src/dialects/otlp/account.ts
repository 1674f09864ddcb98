import { pushAll } from '../../base/files/push-all.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import { type Account, type AccountBuilder, type EndingReason, endingOf } from '../kit/account.ts';
import { textIn } from '../kit/members.ts';
import { type Tokens, withoutCache } from '../kit/tokens.ts';
import type { UsageEntry } from '../sessions/kit/session.ts';
import {
  attribute,
  isRoot,
  isSpan,
  modelOf,
  nanosOfStart,
  outcomeOf,
  reasonOf,
  statusOf,
  toneOf,
  toolOf,
} from './spans.ts';

/** At most this many failed spans are listed: the last ones. */
const MOST_REASONS = 10;

/** A count in a span; undefined if absent or invalid. */
function countOf(span: JsonObject, ...keys: string[]): number | undefined {
  const count = Number(attribute(span, ...keys) ?? Number.NaN);
  return Number.isSafeInteger(count) ? count : undefined;
}

/** By convention, the input includes cached tokens. */
const tokensOf = (span: JsonObject): Tokens =>
  withoutCache({
    input: countOf(span, 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens') ?? 0,
    cached: countOf(span, 'gen_ai.usage.cache_read.input_tokens') ?? 0,
    cache_write: countOf(span, 'gen_ai.usage.cache_creation.input_tokens') ?? 0,
    output: countOf(span, 'gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens') ?? 0,
    reasoning: 0,
  });

/** Operations whose spans sum up other spans. Their tokens would count twice. */
const SUMS: ReadonlySet<string | undefined> = new Set(['invoke_agent', 'create_agent', 'execute_tool']);

function usageOf(span: JsonObject): UsageEntry[] {
  const model = modelOf(span);
  const tool = toolOf(span);
  if (tool !== undefined) return [{ model: model ?? 'unknown', tool }];
  if (model === undefined || SUMS.has(attribute(span, 'gen_ai.operation.name'))) return [];
  return [{ model, answers: 1, tokens: tokensOf(span) }];
}

/** The account of a trace: its first root span, and the failed spans. */
export class TraceAccount implements AccountBuilder {
  readonly #why: EndingReason[] = [];
  readonly #usage: UsageEntry[] = [];
  #root: { readonly span: JsonObject; readonly start: bigint; readonly line: number } | undefined;

  add({ value: span, line }: LogRecord): void {
    if (!isSpan(span)) return;
    this.#takeRoot(span, line);
    pushAll(this.#usage, usageOf(span));
    if (statusOf(span) !== 'error') return;
    const text = reasonOf(span) ?? 'no reason given';
    this.#why.push({ kind: textIn(span, 'name') ?? 'span', text, tone: 'bad', line });
    if (this.#why.length > MOST_REASONS) this.#why.shift();
  }

  result(): Account {
    const root = this.#root?.span;
    const status = root === undefined ? 'unknown' : outcomeOf(root);
    const how = { tone: toneOf(status), isOver: root === undefined ? undefined : true };
    return {
      task: root && textIn(root, 'name'),
      status,
      ...how,
      ...endingOf(how, [...this.#why, ...this.#end(status)]),
      steps: [],
      usage: this.#usage,
    };
  }

  /** The end of the root, unless its failure is already listed. */
  #end(status: string): EndingReason[] {
    if (this.#root === undefined || (status === 'failed' && this.#why.length > 0)) return [];
    const { span, line } = this.#root;
    return [
      { kind: 'ended', text: `${textIn(span, 'name') ?? 'the root span'}: ${status}`, tone: 'good', line },
    ];
  }

  /** Keeps the root span that started first. */
  #takeRoot(span: JsonObject, line: number): void {
    if (!isRoot(span)) return;
    const start = nanosOfStart(span);
    if (this.#root === undefined || start < this.#root.start) this.#root = { span, start, line };
  }
}
