import type { JsonValue } from '../../../json/value.ts';
import type { CoordinatorEvent } from '../read.ts';

/** A question to the user and what came of it. */
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

/** As many questions of one task are waited for at a time. */
const MOST_OPEN = 99;

/** Questions in the order in which they were asked (coordinator.md §3, guidance). */
export class GuidanceFold {
  readonly #rows: GuidanceRow[] = [];
  /** By task, the questions nobody has gone on from: few at any time. */
  readonly #open = new Map<string | undefined, number[]>();

  /** Takes in an event; the index of the question it is about. */
  add(event: CoordinatorEvent): number | undefined {
    const { type, taskId, timestamp, detail } = event;
    switch (type) {
      case 'agent_seeks_guidance':
        return this.#ask(event, detail('question'));
      case 'expansion_needs_clarification':
        return this.#ask(event, detail('questions'));
      case 'coordinator_prays': {
        const open = this.#find(taskId, detail('question'), (row) => row.response === null);
        const index = open ?? this.#ask(event, detail('question'));
        this.#stamp(index, 'prayed_at', timestamp);
        return index;
      }
      case 'divine_response_received': {
        // The reference answers the first question of the task, again and again; the one that is open is meant.
        const open = this.#find(taskId, detail('question'), (row) => row.response === null);
        const index = open ?? this.#ask(event, detail('question'));
        const row = this.#rows[index];
        if (row) row.response = detail('response') ?? '';
        this.#stamp(index, 'answered_at', timestamp);
        return index;
      }
      case 'agent_resumes_with_guidance': {
        const index = this.#find(
          taskId,
          undefined,
          (row) => row.response !== null && row.resumed_at === undefined,
        );
        if (index !== undefined) {
          this.#stamp(index, 'resumed_at', timestamp);
          this.#open.set(
            taskId,
            (this.#open.get(taskId) ?? []).filter((open) => open !== index),
          );
        }
        return index;
      }
      default:
        return undefined;
    }
  }

  rows(): GuidanceRow[] {
    return this.#rows.map((row) => ({ ...row }));
  }

  #ask({ taskId, agentId, timestamp, detail }: CoordinatorEvent, question: JsonValue | undefined): number {
    const options = detail('options');
    const row: GuidanceRow = {
      ...(taskId !== undefined && { task: taskId }),
      ...(agentId !== undefined && { agent: agentId }),
      question: question ?? null,
      ...(options !== undefined && { options }),
      ...(timestamp !== undefined && { asked_at: timestamp }),
      response: null,
    };
    const index = this.#rows.push(row) - 1;
    // Of more than a few that nobody ever answered, the oldest are given up.
    this.#open.set(taskId, [...(this.#open.get(taskId) ?? []).slice(-MOST_OPEN), index]);
    return index;
  }

  /** The first fitting question of a task: the one with these words, else any. */
  #find(
    task: string | undefined,
    question: JsonValue | undefined,
    fits: (row: GuidanceRow) => boolean,
  ): number | undefined {
    const fitting = (this.#open.get(task) ?? []).filter((index) => {
      const row = this.#rows[index];
      return row !== undefined && fits(row);
    });
    return fitting.find((index) => this.#rows[index]?.question === question) ?? fitting[0];
  }

  #stamp(index: number, key: 'prayed_at' | 'answered_at' | 'resumed_at', at: string | undefined): void {
    const row = this.#rows[index];
    if (row && at !== undefined) row[key] = at;
  }
}
