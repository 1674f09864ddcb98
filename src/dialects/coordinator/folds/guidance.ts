import { defined } from '../../../base/json/defined.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { CoordinatorEvent } from '../read.ts';

/** A question to the user, and its answer. */
export interface GuidanceRow {
  task?: string;
  agent?: string;
  question: JsonValue;
  options?: JsonValue;
  asked_at?: string;
  /** When the coordinator passed it on. */
  prayed_at?: string;
  response: JsonValue;
  answered_at?: string;
  resumed_at?: string;
}

/** A question with its number. */
interface Asked {
  readonly index: number;
  readonly row: GuidanceRow;
}

type Moment = 'prayed_at' | 'answered_at' | 'resumed_at';

function stamp(row: GuidanceRow, moment: Moment, at: string | undefined): void {
  if (at !== undefined) row[moment] = at;
}

/** At most this many open questions are kept per task. */
const MOST_OPEN = 99;

/** The questions, in the order in which they were asked (coordinator.md §3, guidance). */
export class GuidanceFold {
  readonly #rows: GuidanceRow[] = [];
  /** The rows that an agent asked. The state has these; others may be missing there. */
  readonly asked = new Set<number>();
  /** Open questions by task. There are only a few at a time. */
  readonly #open = new Map<string | undefined, readonly Asked[]>();

  /** Adds an event. Returns the index of its question. */
  add(event: CoordinatorEvent): number | undefined {
    const { type, taskId, timestamp, detail } = event;
    switch (type) {
      case 'agent_seeks_guidance': {
        const { index } = this.#ask(event, detail('question'));
        this.asked.add(index);
        return index;
      }
      case 'expansion_needs_clarification':
        return this.#ask(event, detail('questions')).index;
      case 'coordinator_prays': {
        const { row, index } = this.#openOrNew(event);
        stamp(row, 'prayed_at', timestamp);
        return index;
      }
      case 'divine_response_received': {
        // The reference always answers the first question of the task. Here, the open one gets the answer.
        const { row, index } = this.#openOrNew(event);
        row.response = detail('response') ?? '';
        stamp(row, 'answered_at', timestamp);
        return index;
      }
      case 'agent_resumes_with_guidance': {
        const open = this.#openOf(taskId);
        const answered = open.find(({ row }) => row.response !== null && row.resumed_at === undefined);
        if (answered === undefined) return undefined;
        stamp(answered.row, 'resumed_at', timestamp);
        this.#open.set(
          taskId,
          open.filter((asked) => asked !== answered),
        );
        return answered.index;
      }
      default:
        return undefined;
    }
  }

  rows(): GuidanceRow[] {
    return this.#rows.map((row) => ({ ...row }));
  }

  #ask({ taskId, agentId, timestamp, detail }: CoordinatorEvent, question: JsonValue | undefined): Asked {
    const row: GuidanceRow = defined({
      task: taskId,
      agent: agentId,
      question: question ?? null,
      options: detail('options'),
      asked_at: timestamp,
      response: null,
    });
    const asked = { index: this.#rows.push(row) - 1, row };
    // If questions are never answered, the oldest are dropped.
    this.#open.set(taskId, [...this.#openOf(taskId).slice(-MOST_OPEN), asked]);
    return asked;
  }

  #openOf(task: string | undefined): readonly Asked[] {
    return this.#open.get(task) ?? [];
  }

  /** The unanswered question with these words, else the first unanswered one of the task, else a new one. */
  #openOrNew(event: CoordinatorEvent): Asked {
    const question = event.detail('question');
    const unanswered = this.#openOf(event.taskId).filter(({ row }) => row.response === null);
    const same = unanswered.find(({ row }) => row.question === question);
    return same ?? unanswered[0] ?? this.#ask(event, question);
  }
}
