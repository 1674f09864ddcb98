import { isObject, type JsonObject } from '../../../base/json/value.ts';
import type { LogRecord } from '../../../log/record.ts';
import {
  type Account,
  type AccountBuilder,
  type AccountStep,
  type EndingReason,
  endingOf,
  SubjectTimes,
} from '../../kit/account.ts';
import { textIn } from '../../kit/excerpt.ts';
import { isSynthetic, isTerminate, RUNNING, statusIn } from '../model/event-kinds.ts';
import { PlanFold } from '../projection/plan-projection.ts';
import { toneOf } from './log-summary.ts';
import { errorOf, isFailure, resultOf, spanOf } from './span.ts';

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

/** Makes the account of a run: its task, how it ended, and the events that explain it (noesis.md §2.2, §9). */
export class NoesisAccount implements AccountBuilder {
  readonly #plan = new PlanFold();
  readonly #times = new SubjectTimes();
  #task: string | undefined;
  /** The last status that a runtime event or `terminate` gives. */
  #status: string | undefined;
  #isOver = false;
  #veto: EndingReason | undefined;
  #failure: EndingReason | undefined;
  #failures = 0;
  #interrupt: EndingReason | undefined;
  #end: EndingReason | undefined;

  add(record: LogRecord): void {
    const { value: event, line } = record;
    this.#plan.add(event, { line });
    const status = statusIn(event) ?? this.#status ?? RUNNING;
    this.#status = status;
    const { payload } = event;
    if (!isObject(payload)) return;
    this.#task ??=
      event['phase'] === 'start' || event['phase'] === 'observe' ? textIn(payload, 'task') : undefined;
    if (isTerminate(event)) return this.#terminate(payload, status, line);
    switch (event['phase']) {
      case 'governance':
        if (payload['decision'] === 'veto') this.#veto = vetoOf(payload, line);
        return;
      case 'act':
        return this.#act(event, payload, line);
      case 'runtime':
        return this.#runtime(event, payload, line);
      default:
    }
  }

  result(): Account {
    const status = this.#status ?? 'unknown';
    const reasons = [this.#failure, this.#veto, this.#isOver ? undefined : this.#interrupt, this.#end];
    const how = { tone: toneOf(status), isOver: this.#isOver };
    const ending = endingOf(
      how,
      reasons.filter((reason) => reason !== undefined),
    );
    return { task: this.#task, status, ...how, ...ending, steps: this.#steps() };
  }

  #terminate(payload: JsonObject, status: string, line: number): void {
    this.#isOver = true;
    this.#end = {
      kind: 'terminate',
      text: textIn(payload, 'message') ?? status,
      tone: toneOf(status) ?? 'muted',
      line,
    };
  }

  #act(event: JsonObject, payload: JsonObject, line: number): void {
    if (isSynthetic(payload)) return;
    const { subject, durationMs } = spanOf(event);
    if (subject !== undefined) this.#times.add(subject, line, durationMs);
    if (!isFailure(resultOf(payload))) return;
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

  #steps(): AccountStep[] {
    return (this.#plan.result()?.steps ?? []).map(({ id, kind, description, status }) => ({
      id,
      status,
      tone: toneOf(status),
      text: `${kind}: ${description}`,
      ...this.#times.of(id),
    }));
  }
}
