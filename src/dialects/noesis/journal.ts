import type { JsonObject } from '../../json/value.ts';
import type { Evidence } from '../../projection/evidence.ts';
import { PlanFold, type ToldStep } from './plan-projection.ts';

/** Something in the log that changes what a state written after it holds, or says that a state was written. */
export interface Moment {
  /** An `action` is an act that state.json lists; another act may still change a step. */
  readonly kind: 'plan' | 'act' | 'action' | 'resume' | 'persisted';
  /** What the plan needs of an event that is no act. */
  readonly event?: JsonObject;
  /** What an act tells of a step, where it does. */
  readonly told?: ToldStep | undefined;
  readonly source: Evidence;
}

/** A state.json lags behind its log by an act or a few: older moments are folded into one. */
const MAX_MOMENTS = 20_000;
const MAX_PLANS = 200;

/** Takes a moment into a plan. Gives the index of the step whose status an act told. */
export function addMoment(fold: PlanFold, { event, told, source }: Moment): number | undefined {
  if (event !== undefined) return fold.add(event, source);
  return told && fold.tell(told, source);
}

/** The last moments of a log, so that a state that lags behind it can be held against what it could know. */
export class Journal {
  #moments: Moment[] = [];
  #plans = 0;
  readonly #before = new PlanFold();
  /** Actions that are older than {@link moments}. */
  actionsBefore = 0;

  addPlan(event: JsonObject, source: Evidence): void {
    this.#push({ kind: 'plan', event, source });
    this.#plans += 1;
  }

  /** Takes in an event of the runtime, of which the type alone is kept. */
  addRuntime(kind: 'resume' | 'persisted', type: string, source: Evidence): void {
    this.#push({ kind, event: { phase: 'runtime', event_type: type }, source });
  }

  /** Takes in an act. */
  addAct(kind: 'act' | 'action', told: ToldStep | undefined, source: Evidence): void {
    this.#push({ kind, told, source });
  }

  #push(moment: Moment): void {
    this.#moments.push(moment);
    if (this.#moments.length > MAX_MOMENTS || this.#plans > MAX_PLANS) this.#forget();
  }

  get moments(): readonly Moment[] {
    return this.#moments;
  }

  /** The plan as it was before {@link moments}, to be folded on. */
  planBefore(): PlanFold {
    return this.#before.copy();
  }

  #forget(): void {
    const kept = this.#moments.splice(0, Math.ceil(this.#moments.length / 2));
    for (const moment of kept) {
      addMoment(this.#before, moment);
      if (moment.kind === 'action') this.actionsBefore += 1;
      if (moment.kind === 'plan') this.#plans -= 1;
    }
  }
}
