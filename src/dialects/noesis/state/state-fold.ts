import { defined } from '../../../base/json/defined.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { type Evidence, type EvidenceMap, sourceOf } from '../../../findings/projection/evidence.ts';
import type { EventFold, Projection } from '../../../findings/projection/projector.ts';
import { actionOf, type ProjectedAction } from '../act/act-event.ts';
import { Course } from '../course/course.ts';
import { isPause, isPausedWord, isSynthetic, isTerminate } from '../event/kinds.ts';
import { type NamedStep, PlanFold, stepOf } from '../plan/plan-fold.ts';
import { Journal } from './journal.ts';
import { type PersistedOutcome, persistedOutcome } from './persisted-outcome.ts';

/** The parts of state.json that a log may contain evidence for. */
const DERIVABLE_PARTS = ['plan', 'plan.updated_at', 'outcomes', 'links', 'actions', 'started_at'] as const;

export type DerivablePart = (typeof DERIVABLE_PARTS)[number];

/** What a log says about each part of the state. */
export interface NoesisEvidence {
  readonly plan: PlanFold;
  /** The last `run.state_projection`; `outcome` is null if it is malformed. */
  readonly persisted: { readonly outcome: PersistedOutcome | null; readonly source: Evidence } | undefined;
  /** The number of actions at the start that equal the stored ones, and are not in {@link actions}. */
  readonly mirrored: number;
  readonly actions: readonly ProjectedAction[];
  /** The actions of acts without an `action_id`. */
  readonly unnamed: readonly UnnamedAction[];
  readonly hasActions: boolean;
  /** Whether the log has acts, but no act has an `action_id`. */
  readonly actsLackActions: boolean;
  /** The paths of state.json that the start and the observe event contain: the task, seed, tags and adapter. */
  readonly said: ReadonlySet<string>;
  /** Whether an act gave the status of a step. */
  readonly hasStatuses: boolean;
  /** Whether tools ran by contract. Their actions have no act events. */
  readonly byContract: boolean;
  readonly start: { readonly time: string | undefined; readonly source: Evidence } | undefined;
  /** The id in the first event that has one, else in the event at the end. */
  readonly episode: { readonly id: string; readonly source: Evidence } | undefined;
  /** The line of the last `run.resume`. */
  readonly resumedAt: number | undefined;
  /** The event that ended the run, and its status. */
  readonly ended: { readonly status: JsonValue | undefined; readonly source: Evidence } | undefined;
  /** Whether events follow the end of the run, so that its last state was written before them. */
  readonly hasLaterEvents: boolean;
  /** Whether the state changed after the last `run.state_projection`, other than by the end of the run. */
  readonly hasChangedSince: boolean;
  readonly journal: Journal;
  readonly sources: EvidenceMap;
}

/** The action of an act without an id. */
export interface UnnamedAction extends ProjectedAction {
  /** The number of actions with an id before it. */
  readonly after: number;
}

/** The members of start and observe that state.json repeats, with their paths there. */
const SAID: Readonly<Record<string, readonly (readonly [key: string, path: string])[]>> = {
  start: [
    ['task', 'goal.task'],
    ['seed', 'episode.seed'],
    ['using', 'episode.using'],
  ],
  observe: [
    ['task', 'goal.task'],
    ['tags', 'episode.tags'],
  ],
};

/** Rebuilds the derivable parts of state.json from the events of a Noēsis log (noesis.md §5). */
export class NoesisFold implements EventFold {
  /** Its own course gets rows by their phase alone, so only places are asked: start, end, resume, the id of the episode. */
  readonly #course: Course;
  readonly #isOwnCourse: boolean;
  readonly #plan = new PlanFold();
  readonly #journal = new Journal();
  #persisted: NoesisEvidence['persisted'];
  readonly #actions: ProjectedAction[] = [];
  readonly #unnamed: UnnamedAction[] = [];
  readonly #said = new Set<string>();
  #observed = false;
  #actsSeen = false;
  #hasStatuses = false;
  #byContract = false;
  #hasChangedSince = false;

  /** `course`: that of the run, if somebody else adds each event to it. */
  constructor(course?: Course) {
    this.#course = course ?? new Course();
    this.#isOwnCourse = course === undefined;
  }

  protected get knowsEpisode(): boolean {
    return this.#course.episode !== undefined;
  }

  /** Adds an event to the course of the run, unless somebody else does. */
  protected follow(event: JsonObject, line: number): void {
    if (this.#isOwnCourse) this.#course.take(event, line);
  }

  /** Adds the event on `line`. */
  addEvent(event: JsonObject, line: number): void {
    const { id, phase, event_type: type, payload } = event;
    const source = sourceOf(typeof id === 'string' ? id : undefined, line);
    this.follow(event, line);
    if (phase === 'act') return this.addAct(actionOf(event), stepOf(payload), isSynthetic(payload), source);
    if (phase === 'start' || phase === 'observe') this.#see(phase, payload, line);
    this.#plan.add(event, source);
    if (phase === 'plan') this.#addPlan(event, source);
    else if (phase === 'tool') this.#byContract = true;
    else if (phase === 'runtime') this.#addRuntime(event, type, source);
  }

  /** Whether an observe event was added. Only the first counts. */
  protected get hasObserved(): boolean {
    return this.#observed;
  }

  #see(phase: 'start' | 'observe', payload: JsonValue | undefined, line: number): void {
    const isFirst = phase === 'start' ? this.#course.start?.line === line : !this.#observed;
    if (phase === 'observe') this.#observed = true;
    if (!isFirst || !isObject(payload)) return;
    for (const [key, path] of SAID[phase] ?? []) if ((payload[key] ?? null) !== null) this.#said.add(path);
  }

  #addPlan(event: JsonObject, source: Evidence): void {
    this.#hasChangedSince = true;
    this.#journal.addPlan(event, source);
  }

  /** Adds an act: its action if it has one, its step, and whether it is a roll-up. */
  protected addAct(
    action: JsonObject | undefined,
    named: NamedStep | undefined,
    isRollUp: boolean,
    source: Evidence,
  ): void {
    const isNamed = action !== undefined && Object.hasOwn(action, 'id');
    if (isNamed) this.keep(action, source);
    else if (action !== undefined && this.keepsUnnamed)
      this.#unnamed.push({ action, source, after: this.keptElsewhere + this.#actions.length });
    this.noteAct(isNamed ? 'action' : 'act', named, isRollUp, source);
  }

  /** Whether actions without an id are kept, because a state may list them. */
  protected get keepsUnnamed(): boolean {
    return true;
  }

  /** Keeps the next action of the log. */
  protected keep(action: JsonObject, source: Evidence): void {
    this.#actions.push({ action, source });
  }

  /** The number of actions at the start that are stored elsewhere. */
  protected get keptElsewhere(): number {
    return 0;
  }

  /** All actions as in the state; undefined if there are none. */
  protected get listed(): unknown {
    return this.#actions.length > 0 ? this.#actions.map(({ action }) => action) : undefined;
  }

  /** Adds an act without its action, which `keep` has added. */
  protected noteAct(
    kind: 'act' | 'action',
    named: NamedStep | undefined,
    isRollUp: boolean,
    source: Evidence,
  ): void {
    if (named) this.#plan.update(named, source);
    this.#journal.addAct(kind, named, source);
    this.#actsSeen ||= !isRollUp;
    this.#hasStatuses ||= named?.status !== undefined;
    this.#hasChangedSince = true;
  }

  get #isPersistedAsPaused(): boolean {
    return isPausedWord(this.#persisted?.outcome?.outcomes.status);
  }

  #addRuntime(event: JsonObject, type: unknown, source: Evidence): void {
    if (type === 'run.state_projection') {
      this.#persisted = { outcome: persistedOutcome(event), source };
      this.#hasChangedSince = false;
      this.#journal.addRuntime('persisted', type, source);
      return;
    }
    const isKnown = isTerminate(event) || (isPause(type) && this.#isPersistedAsPaused);
    this.#hasChangedSince ||= !isKnown;
    if (typeof type === 'string' && type.startsWith('tool.')) this.#byContract = true;
    if (type !== 'run.resume') return;
    this.#journal.addRuntime('resume', type, source);
  }

  /** The evidence so far. */
  evidence(): NoesisEvidence {
    const sources = this.#plan.evidence;
    if (this.#persisted) {
      sources.set('outcomes', this.#persisted.source);
      sources.set('links', this.#persisted.source);
    }
    const { start: first, end, firstEpisode: named, resumedAt, hasLaterEvents } = this.#course;
    const start = first && { time: first.time, source: sourceOf(first.id, first.line) };
    const episode = named && { id: named.value, source: sourceOf(named.id, named.line) };
    if (start) sources.set('episode.started_at', start.source);
    if (episode) sources.set('episode.id', episode.source);
    const hasActions = this.keptElsewhere + this.#actions.length > 0;
    return {
      plan: this.#plan,
      persisted: this.#persisted,
      mirrored: this.keptElsewhere,
      actions: this.#actions,
      unnamed: this.#unnamed,
      said: this.#said,
      hasActions,
      actsLackActions: this.#actsSeen && !hasActions,
      hasStatuses: this.#hasStatuses,
      byContract: this.#byContract,
      start,
      episode,
      resumedAt: resumedAt === 0 ? undefined : resumedAt,
      ended: end && { status: end.status, source: sourceOf(end.id, end.line) },
      hasLaterEvents,
      hasChangedSince: this.#hasChangedSince,
      journal: this.#journal,
      sources,
    };
  }

  result(): Projection {
    const evidence = this.evidence();
    const { sources } = evidence;
    for (const [index, { source }] of this.#actions.entries())
      sources.set(`outcomes.actions[${index}]`, source);
    const { persisted, start, episode: said } = evidence;
    const actions = this.listed;
    const episode = defined({ id: said?.id, started_at: start?.time });
    const outcome = persisted?.outcome;
    const outcomes = { ...outcome?.outcomes, ...defined({ actions }) };
    return {
      value: {
        ...(Object.keys(episode).length > 0 && { episode }),
        plan: this.#plan.result(),
        ...(Object.keys(outcomes).length > 0 && { outcomes }),
        ...(outcome && { links: outcome.links }),
      },
      evidence: evidence.sources,
      underivable: underivableParts(evidence),
    };
  }
}

/**
 * Whether an older runtime wrote the log: it wrote plans as labels without a planner, and statuses, actions and outcomes
 * only to state.json.
 */
export const isOfOlderRuntime = ({ plan, hasStatuses, hasActions, persisted }: NoesisEvidence): boolean =>
  plan.fromLabels && !plan.namesSource && !hasStatuses && !hasActions && persisted === undefined;

/**
 * The parts that this log has no evidence for, because of the runtime that wrote it (noesis.md §14). `isPersisted`:
 * whether the last `run.state_projection` describes the state.
 */
export function underivableParts(
  { plan, persisted, start, actsLackActions }: NoesisEvidence,
  isPersisted = persisted?.outcome !== undefined && persisted.outcome !== null,
): DerivablePart[] {
  return DERIVABLE_PARTS.filter((part) => {
    switch (part) {
      case 'plan':
        return plan.isMalformed;
      case 'plan.updated_at':
        return plan.result() !== null && plan.result()?.updated_at === undefined;
      case 'actions':
        return actsLackActions;
      case 'started_at':
        return start?.time === undefined;
      default:
        return !isPersisted;
    }
  });
}
