import { isObject, type JsonValue } from '../../../base/json/value.ts';
import { comparePlan, STEP_STATUS } from '../plan/plan-comparison.ts';
import type { PlanFold } from '../plan/plan-fold.ts';
import type { Known } from './compared.ts';
import { addMoment, type Journal, type Moment } from './journal.ts';

/** Compares a stored plan with the log's plan after each event. */
class PlanMatch {
  readonly #fold: PlanFold;
  readonly #stored: JsonValue | undefined;
  readonly #steps: readonly JsonValue[];
  /** Whether everything except the statuses of steps is equal, and the steps whose status differs. */
  #rest = false;
  readonly #off = new Set<number>();

  constructor(fold: PlanFold, stored: JsonValue | undefined) {
    this.#fold = fold;
    this.#stored = stored;
    const steps = isObject(stored) ? stored['steps'] : undefined;
    this.#steps = Array.isArray(steps) ? steps : [];
    this.#compareAll();
  }

  /** Compares everything only after a plan event or a resume, because a long log has many acts. */
  add(moment: Moment): void {
    const { kind, named } = moment;
    const index = addMoment(this.#fold, moment);
    // A label gives no id, so the act may name a step by the id that the state gives it.
    const mayBeLabel = index === undefined && named !== undefined && this.#fold.fromLabels;
    if (kind === 'plan' || kind === 'resume' || mayBeLabel) this.#compareAll();
    else if (index !== undefined) this.#compareStep(index);
  }

  get fits(): boolean {
    return this.#rest && this.#off.size === 0;
  }

  #compareAll(): void {
    this.#off.clear();
    this.#rest = this.#steps.length === (this.#fold.result()?.steps.length ?? 0);
    if (!this.#rest) return;
    for (const { path } of comparePlan(this.#fold, this.#stored).differences) {
      const index = STEP_STATUS.exec(path)?.[1];
      if (index === undefined) this.#rest = false;
      else this.#off.add(Number(index));
    }
  }

  #compareStep(index: number): void {
    const stored = this.#steps[index];
    const isSame = isObject(stored) && stored['status'] === this.#fold.result()?.steps[index]?.status;
    if (isSame) this.#off.delete(index);
    else this.#off.add(index);
  }
}

/** The plan after a moment of the log. */
function planAt(journal: Journal, end: number | undefined): PlanFold {
  const fold = journal.planBefore();
  for (const moment of journal.moments.slice(0, end)) addMoment(fold, moment);
  return fold;
}

/**
 * What a state that lags behind its log could know. The runtime writes the state at the start of the run and after acts
 * (noesis.md §5.3), so the number of its actions shows when it was written: after the last listed act, and before the
 * next one. It knows everything before a `run.state_projection`. A state without actions may be from any time, because a
 * paused run need not list them.
 */
export function knownTo(journal: Journal, plan: JsonValue | undefined, listed: number): Known {
  const match = new PlanMatch(journal.planBefore(), plan);
  let actions = journal.actionsBefore;
  let known = listed;
  let end: number | undefined;
  let fits = actions >= known && match.fits;
  for (const [index, moment] of journal.moments.entries()) {
    if (moment.kind === 'action') {
      if (actions === known && known > 0) end ??= index;
      actions += 1;
    }
    match.add(moment);
    if (moment.kind === 'persisted') {
      if (actions > known && known > 0) [known, end] = [actions, undefined];
      fits = false;
    }
    if (end === undefined && actions >= known) fits ||= match.fits;
  }
  // More actions than the log has: no event explains them. Compare the plan with the whole log.
  if (actions < known) fits = match.fits;
  return { actions: known, plan: fits ? undefined : planAt(journal, end) };
}
