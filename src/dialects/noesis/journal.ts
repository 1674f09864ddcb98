import { isObject, type JsonObject } from '../../json/value.ts';
import type { Evidence } from '../../projection/evidence.ts';
import { PlanFold } from './plan-projection.ts';

/** Something in the log that changes what a state written after it holds, or says that a state was written. */
export interface Moment {
  /** An `action` is an act that state.json lists; another act may still change a step. */
  readonly kind: 'plan' | 'act' | 'action' | 'resume' | 'persisted';
  /** What the plan needs of the event. */
  readonly event: JsonObject;
  readonly source: Evidence;
}

/** A state.json lags behind its log by an act or a few: older moments are folded into one. */
const MAX_MOMENTS = 20_000;
const MAX_PLANS = 200;

function inShort(kind: Moment['kind'], event: JsonObject): JsonObject {
  const { phase, payload, event_type } = event;
  if (kind === 'plan') return event;
  if (kind === 'resume') return { phase: phase ?? null, event_type: event_type ?? null };
  const { step_id = null, step_status = null } = isObject(payload) ? payload : {};
  return { phase: phase ?? null, payload: { step_id, step_status } };
}

/** The last moments of a log, so that a state that lags behind it can be held against what it could know. */
export class Journal {
  #moments: Moment[] = [];
  #plans = 0;
  readonly #before = new PlanFold();
  /** Actions that are older than {@link moments}. */
  actionsBefore = 0;

  add(kind: Moment['kind'], event: JsonObject, source: Evidence): void {
    this.#moments.push({ kind, event: inShort(kind, event), source });
    if (kind === 'plan') this.#plans += 1;
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
    for (const { kind, event, source } of kept) {
      this.#before.add(event, source);
      if (kind === 'action') this.actionsBefore += 1;
      if (kind === 'plan') this.#plans -= 1;
    }
  }
}
