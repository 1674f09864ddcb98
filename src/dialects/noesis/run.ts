import type { JsonObject } from '../../base/json/value.ts';
import type { EndingReason } from '../kit/account.ts';
import { asObject, textIn } from '../kit/members.ts';
import type { Run } from '../kit/run.ts';
import type { Tone } from '../kit/state-view.ts';
import { Course } from './course/course.ts';
import { isSynthetic } from './event/kinds.ts';
import { errorOf, isFailure, resultOf, toneOf } from './event/outcome.ts';

function vetoOf(payload: JsonObject, line: number): EndingReason {
  const enforced = payload['enforced'] === true;
  return {
    kind: enforced ? 'veto' : 'veto, not enforced',
    text: textIn(payload, 'message') ?? 'no reason given',
    tone: enforced ? 'bad' : 'doubtful',
    line,
    facts: [
      ['policy', payload['policy_id']],
      ['rule', payload['rule_id']],
      ['score', payload['score']],
      ['mode', payload['mode']],
    ],
  };
}

function failedAct(payload: JsonObject, line: number, failures: number): EndingReason {
  return {
    kind: 'failed act',
    text: errorOf(payload) ?? textIn(payload, 'input_excerpt') ?? 'no reason given',
    tone: 'bad',
    line,
    facts: [
      ['tool', payload['tool'] ?? payload['adapter']],
      ['step', payload['step_id']],
      ['result', resultOf(payload)],
      ...(failures > 1 ? [['failed acts', failures] as const] : []),
    ],
  };
}

function errorReason(payload: JsonObject, line: number): EndingReason {
  const text = textIn(payload, 'message') ?? errorOf(payload) ?? textIn(payload, 'reason');
  return {
    kind: 'error',
    text: text ?? 'no reason given',
    tone: 'bad',
    line,
    facts: [['type', payload['type']]],
  };
}

function endOf(payload: JsonObject, status: string, line: number): EndingReason {
  const text = textIn(payload, 'message') ?? status;
  return { kind: 'terminate', text, tone: toneOf(status) ?? 'muted', line };
}

/**
 * A run as commands show it: its course, its task, and what explains how it went (noesis.md §2.2, §9, §11). Its first
 * end is final: nothing that follows it changes the run.
 */
export class NoesisRun implements Run<JsonObject> {
  readonly #course = new Course();
  task: string | undefined;
  #veto: EndingReason | undefined;
  #failure: EndingReason | undefined;
  #failures = 0;
  #interrupt: EndingReason | undefined;
  #error: EndingReason | undefined;
  #end: EndingReason | undefined;

  take(event: JsonObject, line: number): void {
    if (this.hasEnd) return;
    this.#course.take(event, line);
    const { phase } = event;
    const payload = asObject(event['payload']);
    if (this.hasEnd) this.#end = endOf(payload, this.status, line);
    else if (phase === 'start' || phase === 'observe') this.task ??= textIn(payload, 'task');
    else if (phase === 'error') this.#error = errorReason(payload, line);
    else if (phase === 'governance' && payload['decision'] === 'veto') this.#veto = vetoOf(payload, line);
    else if (phase === 'act') this.#act(payload, line);
    else if (phase === 'runtime') this.#runtime(event, payload, line);
  }

  /** Whether the event that ends the run has come. An error may still be followed by work. */
  get hasEnd(): boolean {
    return this.#course.end !== undefined;
  }

  get isOver(): boolean {
    return this.hasEnd || this.#course.hasFailed;
  }

  get status(): string {
    return this.#course.status ?? 'unknown';
  }

  get tone(): Tone | undefined {
    return toneOf(this.status);
  }

  get reasons(): readonly EndingReason[] {
    const interrupt = this.isOver ? undefined : this.#openInterrupt;
    return [this.#failure, this.#veto, interrupt, this.#error, this.#end].filter(
      (reason) => reason !== undefined,
    );
  }

  /** What the event that ended the run says; undefined if it says nothing. */
  get lastWord(): string | undefined {
    const last = this.#end ?? (this.isOver ? this.#error : undefined);
    return last?.text === this.status ? undefined : last?.text;
  }

  /** Why the run stopped, unless it went on. */
  get #openInterrupt(): EndingReason | undefined {
    const hasGoneOn = this.#interrupt !== undefined && this.#course.wentOnAt > this.#interrupt.line;
    return hasGoneOn ? undefined : this.#interrupt;
  }

  #act(payload: JsonObject, line: number): void {
    if (isSynthetic(payload) || !isFailure(resultOf(payload))) return;
    this.#failures += 1;
    this.#failure = failedAct(payload, line, this.#failures);
  }

  #runtime(event: JsonObject, payload: JsonObject, line: number): void {
    const type = textIn(event, 'event_type');
    if (type === 'run.interrupt') {
      const text = textIn(payload, 'reason') ?? 'no reason given';
      this.#interrupt = { kind: 'interrupt', text, tone: 'doubtful', line };
    }
    // An interrupt is followed by a checkpoint.
    if (type === 'run.checkpoint' && this.#openInterrupt === undefined) {
      const text = `paused at ${textIn(payload, 'checkpoint_id') ?? 'a checkpoint'}`;
      this.#interrupt = { kind: 'pause', text, tone: 'doubtful', line };
    }
  }
}
