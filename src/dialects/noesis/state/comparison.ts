import { formatPath, type JsonPath, parsePath } from '../../../base/json/path.ts';
import { isObject } from '../../../base/json/value.ts';
import type { Difference } from '../../../findings/projection/difference.ts';
import { leftOut, type Reason } from '../../../findings/projection/left-out.ts';
import { type Comparison, NOT_COMPARED, type NotCompared } from '../../../findings/projection/projector.ts';
import { member, NOT_SAID, NOTHING_COMPARED, type PartAnswer } from '../part-answer.ts';
import { comparePlan } from '../plan/plan-comparison.ts';
import { actionsOf, compareActions } from './action-comparison.ts';
import type { Compared, Known } from './compared.ts';
import { compareId, compareStartedAt } from './episode-comparison.ts';
import { compareLinks, compareOutcomes, whyNotPersisted } from './outcome-comparison.ts';
import { type DerivablePart, isOfOlderRuntime, type NoesisEvidence, underivableParts } from './state-fold.ts';
import { knownTo } from './state-lag.ts';

/**
 * What the state could know if it may lag behind the log; undefined if it must be current. The runtime writes the last
 * state after the end of the run and before any other event, and with its final links (noesis.md §5.3).
 */
function knowledge(evidence: NoesisEvidence, stored: unknown, finished: boolean): Known | undefined {
  const isLast = member(member(stored, 'links'), 'summary') !== undefined;
  if (finished || (evidence.ended && (evidence.hasLaterEvents || isLast))) return undefined;
  return knownTo(evidence.journal, member(stored, 'plan'), listedActs(evidence, stored));
}

/** The number of acts with an id that a state lists. Actions of tools that run by contract have no acts. */
function listedActs({ mirrored, actions, unnamed, byContract }: NoesisEvidence, stored: unknown): number {
  const listed = actionsOf(stored);
  if (!byContract && unnamed.length === 0) return listed.length;
  const same = listed.slice(0, mirrored).map((action) => member(action, 'id'));
  const acts = new Set([...same, ...actions.map(({ action }) => action['id'])]);
  return listed.filter((action) => acts.has(member(action, 'id'))).length;
}

const older = ({ path, evidence }: Difference): NotCompared => ({
  path,
  reason: 'the state may be older than this event',
  ...(evidence && { line: evidence.line }),
});

/** Compares the plans. A state that may lag is compared with the plan that it could know. */
function comparePlans(sides: Compared): PartAnswer {
  const { plan, known } = sides;
  if (plan.isMalformed) return NOTHING_COMPARED;
  const stored = member(sides.stored, 'plan');
  const isOlder = isOfOlderRuntime(sides);
  const now = comparePlan(plan, stored, isOlder);
  if (known === undefined) return now;
  const found = known.plan ? comparePlan(known.plan, stored, isOlder).differences : [];
  const wrong = new Set(found.map(({ path }) => path));
  const lagging = now.differences.filter(({ path }) => !wrong.has(path)).map(older);
  return { ...now, differences: found, notCompared: [...now.notCompared, ...lagging] };
}

const COMPARE = {
  plan: comparePlans,
  outcomes: compareOutcomes,
  links: compareLinks,
  actions: compareActions,
  started_at: compareStartedAt,
  id: compareId,
} as const;

/** A part of the state that is compared separately. */
export type ComparedPart = keyof typeof COMPARE;

/**
 * Members that events contain but projections do not; other checks compare them. They are listed apart from their
 * neighbours, which nothing compares.
 */
const CHECKED_BY_VERIFY: ReadonlySet<string> = new Set([
  'goal.task',
  'episode.using',
  'episode.seed',
  'episode.tags',
]);

const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);

/** The stored members that start and observe do not contain. */
function unsaidIn(stored: unknown, said: ReadonlySet<string>): string[] {
  return [...CHECKED_BY_VERIFY].filter((path) => {
    const [root = '', key = ''] = path.split('.');
    const value = member(member(stored, root), key) ?? null;
    const isThere = value !== null && !(isObject(value) && Object.keys(value).length === 0);
    return isThere && !said.has(path);
  });
}

/** Why a part was not compared. */
function reasonFor(path: string, sides: Compared): Reason {
  if (CHECKED_BY_VERIFY.has(path)) return { reason: sides.said.has(path) ? NOT_COMPARED.byVerify : NOT_SAID };
  const [root = '', key = ''] = path.split('.');
  if (root === 'links' || (root === 'outcomes' && ['', 'status', 'summary', 'metrics'].includes(key)))
    return whyNotPersisted(sides) ?? { reason: 'no event of the log contains it' };
  if (root === 'plan') {
    const line = sides.plan.isMalformed ? sides.plan.evidence.of('plan')?.line : undefined;
    return line === undefined
      ? { reason: 'the log has no plan event' }
      : { reason: 'the last plan event has no list of steps', line };
  }
  if (path === 'episode.started_at')
    return sides.start
      ? { reason: 'the start event has no time', line: sides.start.source.line }
      : { reason: 'the log has no start event' };
  return { reason: 'no event of the log contains it' };
}

/** The comparison of the parts of a stored state that follow from the log. */
interface ComparedParts {
  readonly sides: Compared;
  readonly parts: readonly (PartAnswer & { readonly part: ComparedPart })[];
  readonly underivable: readonly DerivablePart[];
  /** The paths in the state that start and observe should contain, and do not. */
  readonly unsaid: readonly string[];
  /** The last `run.state_projection`, if it is too old for a comparison. */
  readonly tooOld: number | undefined;
}

/**
 * Compares the parts of a stored state.json that follow from the log. `finished`: whether the run has certainly written
 * its last state.
 */
export function compareParts(evidence: NoesisEvidence, stored: unknown, finished: boolean): ComparedParts {
  const known = knowledge(evidence, stored, finished);
  const sides: Compared = { ...evidence, stored, known, isInLog: finished || evidence.hasLaterEvents };
  const parts = (Object.keys(COMPARE) as ComparedPart[]).map((part) => ({ ...COMPARE[part](sides), part }));
  const why = whyNotPersisted(sides);
  const tooOld = evidence.persisted?.outcome ? why?.line : undefined;
  // Acts without an action_id are compared by position.
  const underivable = underivableParts(evidence, why === undefined).filter((part) => part !== 'actions');
  return { sides, parts, underivable, unsaid: unsaidIn(stored, evidence.said), tooOld };
}

/** Compares a stored state.json with the log, and lists every part that was not compared with the reason. */
export function compareState(evidence: NoesisEvidence, stored: unknown, finished: boolean): Comparison {
  const { sides, parts, underivable } = compareParts(evidence, stored, finished);
  const compared: JsonPath[] = parts.flatMap((answer) => answer.compared);
  const excused = parts.flatMap(({ notCompared }) => notCompared);
  for (const root of ['goal', 'episode'])
    for (const key of keysOf(member(stored, root))) {
      const path = `${root}.${key}`;
      if (CHECKED_BY_VERIFY.has(path)) excused.push({ path, ...reasonFor(path, sides) });
    }
  // Paths in comparisons can always be parsed.
  const named = [...compared, ...excused.map(({ path }) => parsePath(path) as JsonPath)];
  return {
    compared: compared.map(formatPath),
    differences: parts.flatMap((answer) => answer.differences),
    not_compared: [...excused, ...leftOut(stored, named, (path) => reasonFor(path, sides))],
    underivable,
  };
}
