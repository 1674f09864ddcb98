import type { JsonObject } from '../../../base/json/value.ts';
import type { Evidence } from '../../../findings/projection/evidence.ts';
import { type NamedStep, PlanFold } from '../plan/plan-fold.ts';

/** An event that changes the plan or the actions of later states, or that says that a state was written. */
export interface Moment {
  /** `action`: an act that state.json lists. `act`: any other, which may still change a step. */
  readonly kind: 'plan' | 'act' | 'action' | 'resume' | 'persisted';
  /** The event, reduced to what the plan needs; absent for an act. */
  readonly event?: JsonObject;
  /** The step that an act names. */
  readonly named?: NamedStep | undefined;
  readonly source: Evidence;
}

/** A state lags behind its log by only a few acts, so older moments are merged. */
const MAX_MOMENTS = 20_000;
const MAX_PLANS = 200;

/** Adds a moment to a plan. Returns the index of the step whose status an act changed. */
export function addMoment(fold: PlanFold, { event, named, source }: Moment): number | undefined {
  if (event !== undefined) return fold.add(event, source);
  return named && fold.update(named, source);
}

/** The last moments of a log. They show what a state that lags behind could know. */
export class Journal {
  #moments: Moment[] = [];
  #plans = 0;
  readonly #before = new PlanFold();
  /** The number of actions before {@link moments}. */
  actionsBefore = 0;

  addPlan(event: JsonObject, source: Evidence): void {
    this.#push({ kind: 'plan', event, source });
    this.#plans += 1;
  }

  /** Adds a runtime event; only its type is kept. */
  addRuntime(kind: 'resume' | 'persisted', type: string, source: Evidence): void {
    this.#push({ kind, event: { phase: 'runtime', event_type: type }, source });
  }

  addAct(kind: 'act' | 'action', named: NamedStep | undefined, source: Evidence): void {
    this.#push({ kind, named, source });
  }

  #push(moment: Moment): void {
    this.#moments.push(moment);
    if (this.#moments.length > MAX_MOMENTS || this.#plans > MAX_PLANS) this.#mergeOlder();
  }

  get moments(): readonly Moment[] {
    return this.#moments;
  }

  /** A copy of the plan before {@link moments}. */
  planBefore(): PlanFold {
    return this.#before.copy();
  }

  #mergeOlder(): void {
    const kept = this.#moments.splice(0, Math.ceil(this.#moments.length / 2));
    for (const moment of kept) {
      addMoment(this.#before, moment);
      if (moment.kind === 'action') this.actionsBefore += 1;
      if (moment.kind === 'plan') this.#plans -= 1;
    }
  }
}
