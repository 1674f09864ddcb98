import { formatPath, type JsonPath } from '../../json/path.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../json/value.ts';
import { type Difference, differences } from '../../projection/difference.ts';
import { EvidenceMap } from '../../projection/evidence.ts';
import { leftOut } from '../../projection/left-out.ts';
import type { Comparison } from '../../projection/projector.ts';
import type { ProjectedAction } from './outcome-projection.ts';
import { comparePlan } from './plan-comparison.ts';
import { type NoesisEvidence, underivableParts } from './state-fold.ts';
import { type Known, knownTo } from './state-lag.ts';

const TERMINAL = new Set(['ok', 'error', 'vetoed', 'aborted']);

function member(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) ? value[key] : undefined;
}

/** The actions that a state lists. */
export const actionsOf = (stored: unknown): readonly JsonValue[] => {
  const actions = member(member(stored, 'outcomes'), 'actions');
  return Array.isArray(actions) ? actions : [];
};

/**
 * What the state could know where it may lag behind the log; undefined where it must hold all of it. The last state is
 * written after the run has ended, together with the links to its end, and before any other event (noesis.md §5.3).
 */
function knowledge(evidence: NoesisEvidence, stored: unknown, finished: boolean): Known | undefined {
  const isLast = member(member(stored, 'links'), 'summary') !== undefined;
  if (finished || (evidence.terminated && (evidence.wentOn || isLast))) return undefined;
  return knownTo(evidence.journal, member(stored, 'plan'), listedActs(evidence, stored));
}

/** How many acts of the log a state lists: actions of tools that run by contract have none. */
function listedActs({ mirrored, actions, byContract }: NoesisEvidence, stored: unknown): number {
  const listed = actionsOf(stored);
  if (!byContract) return listed.length;
  const same = listed.slice(0, mirrored).map((action) => member(action, 'id'));
  const acts = new Set([...same, ...actions.map(({ action }) => action['id'])]);
  return listed.filter((action) => acts.has(member(action, 'id'))).length;
}

function comparePlans({ plan, known, stored }: Sides): Difference[] {
  const fold = known ? known.plan : plan;
  return fold === undefined ? [] : comparePlan(fold, member(stored, 'plan'));
}

/** A paused or interrupted run is persisted as `partial`. */
const persistedWord = (status: unknown) =>
  status === 'interrupted' || status === 'paused' ? 'partial' : status;

/**
 * A state that was written since the last `run.state_projection` may hold another outcome and other links; the last
 * state is there a moment before the event that tells of it.
 */
const isNewer = ({ known, movedOn, isToldOf }: Sides): boolean =>
  movedOn && (known !== undefined || !isToldOf);

function compareOutcomes(sides: Sides): Difference[] {
  const { persisted, sources, stored } = sides;
  const projected = persisted?.outcome?.outcomes;
  if (projected === undefined || isNewer(sides)) return [];
  const kept = member(stored, 'outcomes');
  const { summary, metrics } = projected;
  const status = member(kept, 'status');
  const same = persistedWord(projected.status) === persistedWord(status);
  return [
    ...differences(same ? status : projected.status, status, ['outcomes', 'status'], sources),
    ...differences(summary, member(kept, 'summary') ?? null, ['outcomes', 'summary'], sources),
    ...differences(metrics, member(kept, 'metrics') ?? {}, ['outcomes', 'metrics'], sources),
  ];
}

function compareLinks(sides: Sides): Difference[] {
  const { persisted, sources, stored } = sides;
  const links = persisted?.outcome?.links;
  if (links === undefined || isNewer(sides)) return [];
  return differences(links, member(stored, 'links'), ['links'], sources);
}

/** Whether a difference is one that a resume makes: parts of an action's provenance and its `x-` keys are lost. */
function isOfResume({ path, stored }: Difference): boolean {
  const lost = /\.provenance(\.(policy_id|adapter_id))?$|\.x-[^.]*|\["x-/.test(path);
  return lost && stored === undefined;
}

/** Keys that only older state files have; no event mirrors them. */
const STATE_ONLY_KEYS = ['input', 'output', 'duration_ms'];

function compareAction(
  projected: JsonObject | undefined,
  stored: JsonValue | undefined,
  index: number,
  sources: EvidenceMap,
): Difference[] {
  if (projected === undefined || !isObject(stored)) {
    return differences(projected, stored, ['outcomes', 'actions', index], sources);
  }
  const mirrored = Object.fromEntries(
    Object.entries(stored).filter(([key, value]) => {
      const optional = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
      return !STATE_ONLY_KEYS.includes(key) && !(optional && !Object.hasOwn(projected, key));
    }),
  );
  return differences(projected, mirrored, ['outcomes', 'actions', index], sources);
}

/** How many actions the state must hold: of a run that has not ended, those it could know, or none at all. */
function expectedActions({ mirrored, actions, known, terminated, stored }: Sides): number {
  const status = member(member(stored, 'outcomes'), 'status');
  const isOver = terminated || (typeof status === 'string' && TERMINAL.has(status));
  const listed = actionsOf(stored).length;
  if (listed === 0 && !isOver) return 0;
  const all = mirrored + actions.length;
  return known === undefined || listed === 0 ? all : Math.min(all, known.actions);
}

/** Pairs stored actions with projected ones by id; of several with one id, in their order. */
function compareActions(sides: Sides): Difference[] {
  const { resumedAt = 0, byContract, stored, mirrored, actions } = sides;
  const expected = expectedActions(sides);
  const listed = actionsOf(stored);
  // As far as both go on in the same way, each is the other's pair: mostly to the end.
  let index = Math.min(mirrored, expected);
  while (
    index < Math.min(expected, listed.length) &&
    jsonEqual(actions[index - mirrored]?.action, listed[index])
  )
    index += 1;
  const projected = actions.slice(Math.max(0, index - mirrored), Math.max(0, expected - mirrored));
  const waiting = new Map<unknown, ProjectedAction[]>();
  for (const action of projected.toReversed()) {
    const { id } = action.action;
    const same = waiting.get(id);
    if (same) same.push(action);
    else waiting.set(id, [action]);
  }
  const found: Difference[] = [];
  const compareOne = (index: number, pair: ProjectedAction | undefined, action: JsonValue | undefined) => {
    // Most are equal: a log may have a hundred thousand.
    if (pair !== undefined && jsonEqual(pair.action, action)) return;
    const source = new EvidenceMap();
    if (pair) source.set(`outcomes.actions[${index}]`, pair.source);
    // Never spread: an action may have more differences than a call has room for arguments.
    for (const difference of compareAction(pair?.action, action, index, source)) {
      const wasReadBack = pair !== undefined && pair.source.line < resumedAt;
      if (!(wasReadBack && isOfResume(difference))) found.push(difference);
    }
  };
  for (const action of listed.slice(index)) {
    const pair = waiting.get(member(action, 'id'))?.pop();
    // Tools that run by contract leave an action and no act.
    if (pair !== undefined || !byContract) compareOne(index, pair, action);
    index += 1;
  }
  for (const left of projected) {
    const same = waiting.get(left.action['id']);
    if (same?.at(-1) !== left) continue;
    same.pop();
    compareOne(index++, left, undefined);
  }
  return found;
}

function compareStartedAt({ start, sources, stored }: Sides): Difference[] {
  if (start?.time === undefined) return [];
  const kept = member(member(stored, 'episode'), 'started_at');
  return differences(start.time, kept, ['episode', 'started_at'], sources);
}

/** What a comparison is made of. */
interface Sides extends NoesisEvidence {
  readonly stored: unknown;
  readonly known: Known | undefined;
  /** Whether the event that tells of the last state must be there. */
  readonly isToldOf: boolean;
}

const COMPARE = {
  plan: comparePlans,
  outcomes: compareOutcomes,
  links: compareLinks,
  actions: compareActions,
  started_at: compareStartedAt,
} as const;

/**
 * The differences of one derivable part, or of all parts the log holds evidence for. `finished`: the run is known to
 * have written its last state, also where the log does not say so.
 */
export function compareParts(evidence: NoesisEvidence, stored: unknown, finished = false) {
  const underivable = underivableParts(evidence);
  const known = knowledge(evidence, stored, finished);
  const sides: Sides = { ...evidence, stored, known, isToldOf: finished || evidence.wentOn };
  const parts = (Object.keys(COMPARE) as (keyof typeof COMPARE)[]).filter(
    (part) => !underivable.includes(part),
  );
  return parts.map((part) => ({ part, differences: COMPARE[part](sides) }));
}

/** Where the state holds each part. */
const PLACES = {
  plan: [['plan']],
  outcomes: [
    ['outcomes', 'status'],
    ['outcomes', 'summary'],
    ['outcomes', 'metrics'],
  ],
  links: [['links']],
  actions: [['outcomes', 'actions']],
  started_at: [['episode', 'started_at']],
} as const satisfies Record<keyof typeof COMPARE, readonly JsonPath[]>;

/** Compares what the log gives with a stored state.json; parts without evidence are listed, not compared. */
export function compareWithState(evidence: NoesisEvidence, stored: unknown): Comparison {
  const parts = compareParts(evidence, stored);
  const places = parts.flatMap(({ part }): readonly JsonPath[] => PLACES[part]);
  return {
    compared: places.map(formatPath),
    differences: parts.flatMap((part) => part.differences),
    not_compared: leftOut(stored, places, () => ({ reason: 'no event of the log tells of it' })),
    underivable: underivableParts(evidence),
  };
}
