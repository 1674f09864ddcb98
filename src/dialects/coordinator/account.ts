import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import {
  type Account,
  type AccountBuilder,
  type EventSpan,
  type SpanStatus,
  SubjectTimes,
} from '../kit/account.ts';
import { describeEvent } from './describe.ts';
import type { CoordinatorProjector } from './projection.ts';
import { readEvent, textsIn } from './read.ts';
import { RunReader } from './run-reader.ts';
import { TONES } from './status.ts';
import { TROUBLE } from './trouble.ts';

function statusOf(type: string): SpanStatus {
  if (type === 'signal_rejected') return 'veto';
  return TROUBLE.has(type) || type === 'critic_timeout' ? 'error' : 'ok';
}

/** The time and status of an event. */
export function spanOf(stored: JsonObject): EventSpan {
  const event = readEvent(stored);
  const { type = '', taskId: subject, timestamp: time } = event ?? {};
  const seconds = event?.detail('duration_seconds');
  const status = statusOf(type);
  const said = event && textsIn(event, TROUBLE.get(type)?.detail ?? 'reason');
  return {
    name: type,
    // An event with a duration was written at the end of the work.
    ...(typeof seconds === 'number' ? { end: time, durationMs: seconds * 1000 } : { start: time }),
    status,
    subject,
    reason: said ?? (status === 'ok' ? undefined : describeEvent(stored) || undefined),
  };
}

/** Makes the account of a plan: its tasks, what paused or ended it, and what is still wrong. */
export class CoordinatorAccount implements AccountBuilder {
  readonly #projector: CoordinatorProjector;
  readonly #times = new SubjectTimes();
  readonly #reader = new RunReader();

  constructor(projector: CoordinatorProjector) {
    this.#projector = projector;
  }

  add(record: LogRecord): void {
    this.#projector.add(record);
    const { value: stored, line } = record;
    const { subject, durationMs } = spanOf(stored);
    if (subject !== undefined) this.#times.add(subject, line, durationMs);
    this.#reader.take(stored, line);
  }

  result(): Account {
    const { task, status, tone, isOver, end, troubles } = this.#reader.run;
    return {
      task,
      status,
      tone,
      isOver,
      ...troubles.account(end),
      steps: this.#projector.tasks().map(([id, { status: stage, agent, attempts }]) => {
        const text = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${agent === undefined ? '' : `, ${agent}`}`;
        return { id, status: stage, tone: TONES.get(stage), text, ...this.#times.of(id) };
      }),
    };
  }
}
