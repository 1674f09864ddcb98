import { isObject, type JsonObject } from '../../base/json/value.ts';
import type { EndingReason } from '../kit/account.ts';
import { textIn } from '../kit/members.ts';
import type { Run } from '../kit/run.ts';
import type { Tone } from '../kit/state-view.ts';
import { isPausedWord, isSynthetic, isTerminate, RUNNING, statusIn, WORK_PHASES } from './event/kinds.ts';
import { errorOf, isFailure, resultOf, toneOf } from './event/outcome.ts';
import { isOneOf } from './event/vocabulary.ts';

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

/** The phases that may follow an error without showing that the run went on. */
const AFTER_ERROR = ['error', 'insight', 'memory', 'learn', 'runtime', 'terminate'] as const;

/**
 * Whether the status of a run after an event is the same whatever came before, unless the run has ended. So the last such
 * event of a log and those after it give its status.
 */
function decidesStatus(event: JsonObject): boolean {
  const status = statusIn(event);
  return status === undefined
    ? isOneOf(WORK_PHASES, event['phase'])
    : event['phase'] === 'error' || isTerminate(event) || goesOn(status);
}

/** Whether a run with this status is not over. */
const goesOn = (status: string): boolean => status === RUNNING || isPausedWord(status);

/**
 * The last events that give the status and the end of a run, in log order, from its events backwards: its end, if it has
 * one, else those since one that decides. `backwards` gets a test of lines: those that fail it need not be read.
 */
export function decidingEvents(
  backwards: (isWanted: (line: string) => boolean) => Iterable<JsonObject>,
): readonly JsonObject[] {
  const events: JsonObject[] = [];
  let isDecided = false;
  let end: JsonObject | undefined;
  // Work may follow the end by mistake, so the search for an end goes on after an event that decides.
  for (const event of backwards((line) => !isDecided || line.includes('terminate'))) {
    if (isTerminate(event)) end = event;
    else if (!isDecided) events.push(event);
    isDecided ||= decidesStatus(event);
  }
  return end === undefined ? events.reverse() : [end];
}

/**
 * A run after its events so far: its task, its status, and what explains it (noesis.md §2.2, §9, §11). Its first end is
 * final: nothing that follows it changes the run.
 */
export class NoesisRun implements Run<JsonObject> {
  task: string | undefined;
  /** The last status that a runtime event, an error or the end gives; undefined before the first event. */
  #status: string | undefined;
  #veto: EndingReason | undefined;
  #failure: EndingReason | undefined;
  #failures = 0;
  #interrupt: EndingReason | undefined;
  #error: EndingReason | undefined;
  /** Whether nothing but the end has followed the last error. */
  #hasFailed = false;
  #end: EndingReason | undefined;

  take(event: JsonObject, line: number): void {
    if (this.#end !== undefined) return;
    const { phase } = event;
    const said = statusIn(event);
    // The runtime lets a run work on that interrupted itself (noesis.md §9).
    if (isOneOf(WORK_PHASES, phase) || (this.#hasFailed && !isOneOf(AFTER_ERROR, phase))) this.#goOn();
    else if (said !== undefined && goesOn(said)) this.#hasFailed = false;
    const status = said ?? this.#status ?? RUNNING;
    this.#status = status;
    const payload = isObject(event['payload']) ? event['payload'] : {};
    if (phase === 'error') this.#fail(payload, line);
    if (isTerminate(event)) this.#terminate(payload, status, line);
    if (!isObject(event['payload']) || isTerminate(event)) return;
    if (phase === 'start' || phase === 'observe') this.task ??= textIn(payload, 'task');
    if (phase === 'governance' && payload['decision'] === 'veto') this.#veto = vetoOf(payload, line);
    else if (phase === 'act') this.#act(payload, line);
    else if (phase === 'runtime') this.#runtime(event, payload, line);
  }

  /** Whether the event that ends the run has come. An error may still be followed by work. */
  get hasEnd(): boolean {
    return this.#end !== undefined;
  }

  get isOver(): boolean {
    return this.hasEnd || this.#hasFailed;
  }

  get status(): string {
    return this.#status ?? 'unknown';
  }

  get tone(): Tone | undefined {
    return toneOf(this.status);
  }

  get reasons(): readonly EndingReason[] {
    const interrupt = this.isOver ? undefined : this.#interrupt;
    return [this.#failure, this.#veto, interrupt, this.#error, this.#end].filter(
      (reason) => reason !== undefined,
    );
  }

  /** What the event that ended the run says; undefined if it says nothing. */
  get lastWord(): string | undefined {
    const last = this.#end ?? (this.isOver ? this.#error : undefined);
    return last?.text === this.status ? undefined : last?.text;
  }

  #goOn(): void {
    this.#hasFailed = false;
    this.#status = RUNNING;
    this.#interrupt = undefined;
  }

  /** An error ends the run unless the run goes on (noesis.md §11). */
  #fail(payload: JsonObject, line: number): void {
    const text = textIn(payload, 'message') ?? errorOf(payload) ?? textIn(payload, 'reason');
    this.#error = {
      kind: 'error',
      text: text ?? 'no reason given',
      tone: 'bad',
      line,
      facts: [['type', payload['type']]],
    };
    this.#hasFailed = true;
  }

  #terminate(payload: JsonObject, status: string, line: number): void {
    this.#hasFailed = false;
    const text = textIn(payload, 'message') ?? status;
    this.#end = { kind: 'terminate', text, tone: toneOf(status) ?? 'muted', line };
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
    if (type === 'run.checkpoint') {
      const text = `paused at ${textIn(payload, 'checkpoint_id') ?? 'a checkpoint'}`;
      this.#interrupt ??= { kind: 'pause', text, tone: 'doubtful', line };
    }
    if (type === 'run.resume') this.#interrupt = undefined;
  }
}
