import type { JsonObject } from '../../json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Evidence, EvidenceMap } from '../../projection/evidence.ts';
import type { Comparison, Projection, Projector } from '../../projection/projector.ts';
import { compareWithState } from './comparison.ts';
import { isSynthetic, isTerminate } from './event-kinds.ts';
import {
  type ActTexts,
  isStateProjection,
  type PersistedOutcome,
  type ProjectedAction,
  persistedOutcome,
  projectAction,
  projectActTexts,
  timeOf,
} from './outcome-projection.ts';
import { PlanFold, type PlanState } from './plan-projection.ts';

/** The parts of state.json that a log may hold the evidence for. */
export const DERIVABLE_PARTS = ['plan', 'outcomes', 'links', 'actions', 'started_at'] as const;

export type DerivablePart = (typeof DERIVABLE_PARTS)[number];

/** What the events of a log say about the state, part by part. */
export interface NoesisEvidence {
  readonly plan: PlanState | null;
  readonly planSeen: boolean;
  readonly planDerivable: boolean;
  /** The last `run.state_projection`; `outcome` is null where it is malformed. */
  readonly persisted: { readonly outcome: PersistedOutcome | null; readonly source: Evidence } | undefined;
  readonly actions: readonly ProjectedAction[];
  readonly actsSeen: boolean;
  readonly start: { readonly time: string | undefined; readonly source: Evidence } | undefined;
  readonly episodeId: string | undefined;
  readonly resumed: boolean;
  readonly terminated: boolean;
  readonly sources: EvidenceMap;
}

/** Rebuilds the derivable parts of state.json from a Noēsis log (noesis.md §5). */
export class NoesisProjector implements Projector {
  readonly #plan = new PlanFold();
  #persisted: NoesisEvidence['persisted'];
  readonly #actions: ProjectedAction[] = [];
  #actsSeen = false;
  #start: NoesisEvidence['start'];
  #episodeId: string | undefined;
  #resumed = false;
  #terminated = false;

  add(record: LogRecord): void {
    this.addEvent(record.exact, record.line);
  }

  /** Takes in the next event of the log, which stands on `line`. */
  addEvent(event: JsonObject, line: number): void {
    const { id, phase, episode_id: episode, event_type: type } = event;
    const source: Evidence = typeof id === 'string' ? { eventId: id, line } : { line };
    if (this.#episodeId === undefined && typeof episode === 'string') this.#episodeId = episode;
    this.#plan.add(event, source);
    this.#terminated ||= isTerminate(event);
    if (phase === 'act') {
      const action = projectAction(event);
      if (action) this.#actions.push({ action, source });
      this.#actsSeen ||= !isSynthetic(event['payload']);
    } else if (phase === 'start') {
      this.#start ??= { time: timeOf(event), source };
    } else if (phase === 'runtime') {
      if (isStateProjection(event)) this.#persisted = { outcome: persistedOutcome(event), source };
      if (type === 'run.resume') this.#resumed = true;
    }
  }

  /** Takes in an act of which all that counts has been read already. */
  addAct(act: ActTexts, line: number): void {
    const source: Evidence = act.id === undefined ? { line } : { eventId: act.id, line };
    this.#plan.applyStatus(act.step_id, act.step_status, source);
    const action = projectActTexts(act);
    if (action) this.#actions.push({ action, source });
    this.#actsSeen = true;
  }

  /** What has been gathered, for the comparison and for verification. */
  evidence(): NoesisEvidence {
    const sources = this.#plan.evidence;
    for (const [index, { source }] of this.#actions.entries())
      sources.set(`outcomes.actions[${index}]`, source);
    if (this.#persisted) {
      sources.set('outcomes', this.#persisted.source);
      sources.set('links', this.#persisted.source);
    }
    if (this.#start) sources.set('episode.started_at', this.#start.source);
    return {
      plan: this.#plan.result(),
      planSeen: this.#plan.seen,
      planDerivable: this.#plan.hasStepRecords,
      persisted: this.#persisted,
      actions: this.#actions,
      actsSeen: this.#actsSeen,
      start: this.#start,
      episodeId: this.#episodeId,
      resumed: this.#resumed,
      terminated: this.#terminated,
      sources,
    };
  }

  result(): Projection {
    const evidence = this.evidence();
    const { plan, persisted, actions, start, episodeId } = evidence;
    const episode = {
      ...(episodeId !== undefined && { id: episodeId }),
      ...(start?.time !== undefined && { started_at: start.time }),
    };
    const outcome = persisted?.outcome;
    const outcomes = {
      ...outcome?.outcomes,
      ...(actions.length > 0 && { actions: actions.map(({ action }) => action) }),
    };
    return {
      value: {
        ...(Object.keys(episode).length > 0 && { episode }),
        plan,
        ...(Object.keys(outcomes).length > 0 && { outcomes }),
        ...(outcome && { links: outcome.links }),
      },
      evidence: evidence.sources,
      underivable: underivableParts(evidence),
    };
  }

  compare(stored: unknown): Comparison {
    return compareWithState(this.evidence(), stored);
  }
}

/** The parts that this log, written by an older runtime, holds no evidence for (findings.md, projection). */
export function underivableParts(evidence: NoesisEvidence): DerivablePart[] {
  const { planSeen, planDerivable, persisted, actions, actsSeen } = evidence;
  return DERIVABLE_PARTS.filter((part) => {
    switch (part) {
      case 'plan':
        return planSeen && !planDerivable;
      case 'actions':
        return actsSeen && actions.length === 0;
      default:
        return persisted === undefined;
    }
  });
}
