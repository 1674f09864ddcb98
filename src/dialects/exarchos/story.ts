import { defined } from '../../base/json/defined.ts';
import type { LogRecord } from '../../log/record.ts';
import { type EventSpan, NOT_YET, placeOf } from '../kit/account.ts';
import { objectIn, textIn } from '../kit/members.ts';
import type { CallItem, Story, StoryBuilder } from '../kit/story.ts';
import { noteOfSpan, type OpenTurn, storyOf } from '../kit/story-notes.ts';
import type { ExarchosAccount } from './account.ts';
import { CallSpans } from './call-spans.ts';
import { describeEvent } from './describe.ts';

/** Makes the story of a workflow, phase by phase (exarchos.md §7). */
export class ExarchosStory implements StoryBuilder {
  readonly #account: ExarchosAccount;
  readonly #turns: OpenTurn[] = [];
  readonly #spans = new CallSpans();
  /** The turns with calls that have no result so far, by the line of the call. */
  readonly #open = new Map<number, OpenTurn>();

  constructor(account: ExarchosAccount) {
    this.#account = account;
  }

  add(record: LogRecord): void {
    this.#account.add(record);
    const { value: event, line } = record;
    const type = textIn(event, 'type') ?? 'event';
    const data = objectIn(event, 'data');
    const phase = type === 'workflow.transition' ? textIn(data, 'to') : undefined;
    const time = textIn(event, 'timestamp');
    if (phase !== undefined) this.#begin(phase, line, time);
    else if (this.#turns.length === 0) this.#begin('Start', line, time);
    const turn = this.#turns.at(-1);
    if (turn === undefined) return;
    turn.end = time ?? turn.end;
    const span = this.#spans.span(event, line);
    if (span.spanLine !== undefined && span.spanLine !== NOT_YET) return;
    if (span.operation?.kind === 'tool') this.#call(turn, span, line);
    else turn.items.push(noteOfSpan(type, describeEvent(event), span, line));
  }

  /** Adds a call, or the result to its call. */
  #call(turn: OpenTurn, span: EventSpan, line: number): void {
    const item = callOf(span, line);
    const begun = this.#open.get(item.line);
    if (span.spanLine === NOT_YET) this.#open.set(line, turn);
    if (begun === undefined) return void turn.items.push(item);
    this.#open.delete(item.line);
    begun.items[begun.items.findIndex((one) => one.line === item.line)] = item;
  }

  result(): Story {
    return storyOf(this.#account.result(), this.#turns);
  }

  #begin(title: string, line: number, time: string | undefined): void {
    const before = this.#turns.at(-1);
    if (before) before.end = time ?? before.end;
    this.#turns.push({ line, title, time, items: [], end: time });
  }
}

function callOf(span: EventSpan, at: number): CallItem {
  const { operation, start, end, durationMs, status, reason, spanLine } = span;
  const { line, resultLine } = placeOf(span, at);
  const failed = status === 'error';
  return defined({
    kind: 'call',
    line,
    time: start ?? end,
    tool: operation?.kind === 'tool' ? operation.tool : '',
    input: '',
    status: spanLine === NOT_YET ? 'open' : failed ? 'error' : 'ok',
    duration_ms: durationMs,
    result_line: resultLine,
    output: failed ? reason : undefined,
  });
}
