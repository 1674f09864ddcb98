import { isObject } from '../../../base/json/value.ts';
import type { LogRecord } from '../../../log/record.ts';
import {
  type Account,
  type AccountBuilder,
  type AccountStep,
  endingOf,
  SubjectTimes,
} from '../../kit/account.ts';
import { isSynthetic } from '../event/kinds.ts';
import { toneOf } from '../event/outcome.ts';
import { PlanFold } from '../plan/plan-fold.ts';
import { NoesisRun } from '../run.ts';
import { spanOf } from './span.ts';

/** Makes the account of a run: its task, how it ended, and the events that explain it (noesis.md §2.2, §9). */
export class NoesisAccount implements AccountBuilder {
  readonly #run = new NoesisRun();
  readonly #plan = new PlanFold();
  readonly #times = new SubjectTimes();

  add({ value: event, line }: LogRecord): void {
    this.#run.take(event, line);
    this.#plan.add(event, { line });
    const { phase, payload } = event;
    if (phase !== 'act' || !isObject(payload) || isSynthetic(payload)) return;
    const { subject, durationMs } = spanOf(event);
    if (subject !== undefined) this.#times.add(subject, line, durationMs);
  }

  result(): Account {
    const { task, status, tone, isOver, reasons } = this.#run;
    const how = { tone, isOver };
    return { task, status, ...how, ...endingOf(how, reasons), steps: this.#steps() };
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
