import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Difference, differences } from '../../projection/difference.ts';
import { EvidenceMap } from '../../projection/evidence.ts';
import type { Comparison } from '../../projection/projector.ts';
import { parseInstant } from '../../time/instant.ts';
import type { ProjectedAction } from './outcome-projection.ts';
import { type NoesisEvidence, underivableParts } from './projection.ts';

const TERMINAL = new Set(['ok', 'error', 'vetoed', 'aborted']);

function member(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) ? value[key] : undefined;
}

function sameInstant(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const [left, right] = [parseInstant(a), parseInstant(b)];
  return left !== undefined && left === right;
}

function comparePlan(evidence: NoesisEvidence, stored: unknown): Difference[] {
  const plan = member(stored, 'plan');
  const steps = member(plan, 'steps');
  if (evidence.plan === null && (plan === undefined || (Array.isArray(steps) && steps.length === 0)))
    return [];
  return differences(evidence.plan, plan, ['plan'], evidence.sources).filter(
    // A resumed run keeps its plan without a new plan event and calls the source planner.resume.
    (difference) =>
      !(evidence.resumed && difference.path === 'plan.source' && difference.stored === 'planner.resume'),
  );
}

/** A paused or interrupted run is persisted as `partial`. */
const persistedWord = (status: unknown) =>
  status === 'interrupted' || status === 'paused' ? 'partial' : status;

function compareOutcomes(evidence: NoesisEvidence, stored: unknown): Difference[] {
  const { persisted, sources } = evidence;
  if (!persisted) return [];
  const kept = member(stored, 'outcomes');
  const projected = persisted.outcome?.outcomes;
  const status = member(kept, 'status');
  const same = persistedWord(projected?.status) === persistedWord(status);
  return [
    ...differences(same ? status : projected?.status, status, ['outcomes', 'status'], sources),
    ...differences(
      projected?.summary ?? null,
      member(kept, 'summary') ?? null,
      ['outcomes', 'summary'],
      sources,
    ),
    ...differences(projected?.metrics ?? {}, member(kept, 'metrics') ?? {}, ['outcomes', 'metrics'], sources),
  ];
}

function compareLinks({ persisted, sources }: NoesisEvidence, stored: unknown): Difference[] {
  if (!persisted) return [];
  return differences(persisted.outcome?.links, member(stored, 'links'), ['links'], sources);
}

/** What a run loses of an action when it is resumed: parts of its provenance and its `x-` keys. */
function survivesResume({ path, stored }: Difference): boolean {
  const lost = /\.provenance(\.(policy_id|adapter_id))?$|\.x-[^.]*|\["x-/.test(path);
  return !(lost && stored === undefined);
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
  if (sameInstant(projected['timestamp'], mirrored['timestamp'])) {
    mirrored['timestamp'] = projected['timestamp'] ?? null;
    if (projected['timestamp'] === undefined) delete mirrored['timestamp'];
  }
  return differences(projected, mirrored, ['outcomes', 'actions', index], sources);
}

/** Pairs stored actions with projected ones by id; of several with one id, in their order. */
function compareActions(evidence: NoesisEvidence, stored: unknown): Difference[] {
  const { actions, resumed, terminated } = evidence;
  const outcomes = member(stored, 'outcomes');
  const kept = member(outcomes, 'actions');
  const storedActions = Array.isArray(kept) ? kept : [];
  if (actions.length === 0) return [];
  const terminal = terminated || TERMINAL.has(String(member(outcomes, 'status')));
  if (!terminal && storedActions.length === 0) return [];

  const waiting = new Map<unknown, ProjectedAction[]>();
  for (const projected of actions) {
    const { id = null } = projected.action;
    const same = waiting.get(id);
    if (same) same.push(projected);
    else waiting.set(id, [projected]);
  }
  for (const same of waiting.values()) same.reverse();
  const found: Difference[] = [];
  const compareOne = (
    index: number,
    pair: ProjectedAction | undefined,
    storedAction: JsonValue | undefined,
  ) => {
    const source = new EvidenceMap();
    if (pair) source.set(`outcomes.actions[${index}]`, pair.source);
    // Never spread: an action may have more differences than a call has room for arguments.
    for (const one of compareAction(pair?.action, storedAction, index, source)) found.push(one);
  };
  storedActions.forEach((storedAction, index) => {
    compareOne(index, waiting.get(member(storedAction, 'id') ?? null)?.pop(), storedAction);
  });
  let index = storedActions.length;
  for (const projected of actions) {
    const left = waiting.get(projected.action['id'] ?? null);
    if (left?.at(-1) !== projected) continue;
    left.pop();
    compareOne(index++, projected, undefined);
  }
  return resumed ? found.filter(survivesResume) : found;
}

function compareStartedAt({ start, sources }: NoesisEvidence, stored: unknown): Difference[] {
  const kept = member(member(stored, 'episode'), 'started_at');
  if (start?.time === undefined || sameInstant(start.time, kept)) return [];
  return differences(start.time, kept, ['episode', 'started_at'], sources);
}

const COMPARE = {
  plan: comparePlan,
  outcomes: compareOutcomes,
  links: compareLinks,
  actions: compareActions,
  started_at: compareStartedAt,
} as const;

/** The differences of one derivable part, or of all parts the log holds evidence for. */
export function compareParts(evidence: NoesisEvidence, stored: unknown) {
  const underivable = underivableParts(evidence);
  const parts = (Object.keys(COMPARE) as (keyof typeof COMPARE)[]).filter(
    (part) => !underivable.includes(part),
  );
  return parts.map((part) => ({ part, differences: COMPARE[part](evidence, stored) }));
}

/** Compares what the log gives with a stored state.json; parts without evidence are listed, not compared. */
export function compareWithState(evidence: NoesisEvidence, stored: unknown): Comparison {
  return {
    differences: compareParts(evidence, stored).flatMap((part) => part.differences),
    underivable: underivableParts(evidence),
  };
}
