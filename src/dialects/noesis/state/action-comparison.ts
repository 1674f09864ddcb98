import { isObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { writeJson } from '../../../base/json/write.ts';
import { type Difference, differences } from '../../../findings/projection/difference.ts';
import { EvidenceMap } from '../../../findings/projection/evidence.ts';
import type { NotCompared } from '../../../findings/projection/projector.ts';
import type { ProjectedAction } from '../act/act-event.ts';
import {
  ACT_WITHOUT_ID,
  ACT_WITHOUT_TIME,
  MAY_BE_LEFT_OUT,
  member,
  type PartAnswer,
  SET_IN_STATE,
  withoutEmpty,
} from '../part-answer.ts';
import type { Compared } from './compared.ts';
import { isOfOlderRuntime, type UnnamedAction } from './state-fold.ts';

/** The actions in a state. */
export const actionsOf = (stored: unknown): readonly JsonValue[] => {
  const actions = member(member(stored, 'outcomes'), 'actions');
  return Array.isArray(actions) ? actions : [];
};

/** The statuses of a finished run in state.json. */
const TERMINAL: ReadonlySet<string> = new Set(['ok', 'error', 'vetoed', 'aborted']);

/** Members that only older state files have. No event contains them. */
const STATE_ONLY_KEYS = ['input', 'output', 'duration_ms'];

/** Members that an act without an id may leave out. */
const UNNAMED_KEYS = ['id', 'kind', 'step_id'];

/** Members of actions that the complete example of a state leaves out. */
const LONG_FORM_KEYS = ['kind', 'input_excerpt', 'result_status', 'step_id'];

const isInShortForm = (action: JsonValue | undefined): boolean =>
  isObject(action) && !LONG_FORM_KEYS.some((key) => Object.hasOwn(action, key));

/** Why a difference is acceptable; undefined if it is not. */
function excuse(
  difference: Difference,
  act: ProjectedAction,
  action: JsonValue | undefined,
  { resumedAt = 0, isOlder }: { readonly resumedAt: number | undefined; readonly isOlder: boolean },
): NotCompared | undefined {
  const { path, stored } = difference;
  const key = path.replace(/^outcomes\.actions\[\d+\]\.?/, '');
  if (STATE_ONLY_KEYS.some((name) => key === name))
    return { path, reason: 'older runtimes wrote it only to the state; no act has it' };
  if (LONG_FORM_KEYS.includes(key) && isInShortForm(action))
    return { path, reason: 'the state has the action in its short form', line: act.source.line };
  if (key === 'timestamp' && act.action['timestamp'] === undefined)
    return { path, reason: ACT_WITHOUT_TIME, line: act.source.line };
  if (key === 'timestamp' && isOlder) return { path, reason: SET_IN_STATE, line: act.source.line };
  if (act.action['id'] === undefined && UNNAMED_KEYS.includes(key) && act.action[key] === undefined)
    return { path, reason: ACT_WITHOUT_ID, line: act.source.line };
  const isLostOnResume = /(^|\.)provenance(\.(policy_id|adapter_id))?$|^x-[^.]*|^\["x-/.test(key);
  if (act.source.line < resumedAt && stored === undefined && isLostOnResume)
    return { path, reason: 'a resume reads the state back without it', line: resumedAt };
  return undefined;
}

/** Whether a state says that the run is over, so it is the last one. */
function isLastState(stored: unknown): boolean {
  const status = member(member(stored, 'outcomes'), 'status');
  return typeof status === 'string' && TERMINAL.has(status);
}

/** How many actions the state must contain. An unfinished run may have written its state before its last acts. */
function expectedActions({ mirrored, actions, known, ended, stored }: Compared): number {
  const listed = actionsOf(stored).length;
  if (listed === 0 && ended === undefined && !isLastState(stored)) return 0;
  const all = mirrored + actions.length;
  return known === undefined || listed === 0 ? all : Math.min(all, known.actions);
}

/** Compares the actions of a state with those of its log. */
class ActionComparison {
  readonly differences: Difference[] = [];
  readonly notCompared: NotCompared[] = [];
  readonly #sides: Compared;
  readonly #listed: readonly JsonValue[];
  readonly #isOlder: boolean;
  /** Stored actions with a match, and its position in the log. */
  readonly #pairs: { readonly index: number; readonly position: number; readonly act: ProjectedAction }[] =
    [];

  constructor(sides: Compared) {
    this.#sides = sides;
    this.#listed = actionsOf(sides.stored);
    this.#isOlder = isOfOlderRuntime(sides);
  }

  /** Pairs stored and projected actions by id. Several with one id are paired in order. */
  run(): void {
    const { byContract, mirrored, actions } = this.#sides;
    const expected = expectedActions(this.#sides);
    const first = this.#equalPrefix(expected);
    const waiting = new Map<unknown, number[]>();
    for (let position = expected - 1; position >= first; position -= 1) {
      const id = actions[position - mirrored]?.action['id'];
      const same = waiting.get(id);
      if (same) same.push(position);
      else waiting.set(id, [position]);
    }
    const positions = this.#listed.slice(first).map((action) => waiting.get(member(action, 'id'))?.pop());
    const acts = positions.map((position) => this.#at(position));
    const alone = pairUnnamed(
      this.#listed.slice(first).flatMap((action, at) => (acts[at] ? [] : [{ action, at }])),
      this.#sides.unnamed,
    );
    let index = first;
    for (const [at, action] of this.#listed.slice(first).entries()) {
      const unnamed = alone.get(at);
      const position = positions[at] ?? (unnamed && unnamed.after - 0.5);
      const act = acts[at] ?? unnamed;
      if (position !== undefined && act) this.#pairs.push({ index, position, act });
      // Actions of tools that run by contract are in the state, but have no act.
      if (act || !byContract) this.#compare(index, act, action);
      index += 1;
    }
    const left = [...waiting.values()].flat().sort((a, b) => a - b);
    for (const position of left) this.#compare(index++, this.#at(position), undefined);
    this.#addLeftOut(new Set(alone.values()));
    this.#compareOrder();
    const later = actions[expected - mirrored];
    if (later)
      this.notCompared.push({
        path: `outcomes.actions[${index}]`,
        reason: 'the state may be older than this act',
        line: later.source.line,
      });
  }

  /** Adds the acts without an id that the state does not have. A state need not list them. */
  #addLeftOut(listed: ReadonlySet<ProjectedAction>): void {
    const { unnamed, stored } = this.#sides;
    if (!isLastState(stored)) return;
    for (const act of unnamed)
      if (!listed.has(act))
        this.notCompared.push({ path: 'outcomes.actions', reason: MAY_BE_LEFT_OUT, line: act.source.line });
  }

  /** Returns how many actions are equal at the same positions; usually all. */
  #equalPrefix(expected: number): number {
    const { mirrored, actions } = this.#sides;
    let index = Math.min(mirrored, expected);
    while (
      index < Math.min(expected, this.#listed.length) &&
      jsonEqual(actions[index - mirrored]?.action, this.#listed[index])
    )
      index += 1;
    return index;
  }

  #at(position: number | undefined): ProjectedAction | undefined {
    return position === undefined ? undefined : this.#sides.actions[position - this.#sides.mirrored];
  }

  #compare(index: number, act: ProjectedAction | undefined, stored: JsonValue | undefined): void {
    // Most actions are equal, and there may be a hundred thousand.
    if (act !== undefined && jsonEqual(act.action, stored)) return;
    const path = ['outcomes', 'actions', index] as const;
    const sources = new EvidenceMap(act && [[`outcomes.actions[${index}]`, act.source]]);
    const own = act && isObject(stored) ? withoutEmpty(stored, act.action) : stored;
    for (const difference of differences(act?.action, own, path, sources)) {
      const { resumedAt } = this.#sides;
      const excused = act && excuse(difference, act, stored, { resumedAt, isOlder: this.#isOlder });
      if (excused) this.notCompared.push(excused);
      else this.differences.push(difference);
    }
  }

  /** Reports the first action that is not in the order of the acts. */
  #compareOrder(): void {
    const inOrder = this.#pairs.toSorted((a, b) => a.position - b.position);
    const wrong = this.#pairs.findIndex(({ position }, at) => position !== inOrder[at]?.position);
    const { index } = this.#pairs[wrong] ?? {};
    const act = inOrder[wrong]?.act;
    if (index === undefined || act === undefined) return;
    this.differences.push({
      path: `outcomes.actions[${index}].id`,
      projected: act.action['id'],
      stored: member(this.#listed[index], 'id'),
      evidence: act.source,
    });
  }
}

/** What acts and actions of equal meaning have in common. */
function contentOf(action: JsonValue | undefined): string {
  return writeJson(['tool', 'input_excerpt', 'result_status'].map((key) => member(action, key) ?? null));
}

/**
 * Pairs stored actions whose id no act has with acts without an id: those of equal content first, in the order of the
 * log, then the others between them by position. An act without an id need not be in the state.
 */
function pairUnnamed(
  stored: readonly { readonly action: JsonValue; readonly at: number }[],
  unnamed: readonly UnnamedAction[],
): ReadonlyMap<number, UnnamedAction> {
  const pairs = new Map<number, UnnamedAction>();
  const places = new Map<string, number[]>();
  if (stored.length > 0)
    // From the last to the first, so that the next one is at the end of a list.
    for (let place = unnamed.length - 1; place >= 0; place -= 1) {
      const content = contentOf(unnamed[place]?.action);
      const same = places.get(content);
      if (same) same.push(place);
      else places.set(content, [place]);
    }
  let next = 0;
  let between: number[] = [];
  const pairBetween = (end: number): void => {
    for (const at of between) {
      const act = next < end ? unnamed[next] : undefined;
      if (act) pairs.set(at, act);
      next += 1;
    }
    between = [];
  };
  for (const { action, at } of stored) {
    const same = places.get(contentOf(action));
    while (same !== undefined && (same.at(-1) ?? next) < next) same.pop();
    const place = same?.pop();
    const act = place === undefined ? undefined : unnamed[place];
    if (place === undefined || act === undefined) {
      between.push(at);
      continue;
    }
    pairBetween(place);
    pairs.set(at, act);
    next = place + 1;
  }
  pairBetween(unnamed.length);
  return pairs;
}

/** Compares the actions of acts with those in state.json. */
export function compareActions(sides: Compared): PartAnswer {
  const compared = [['outcomes', 'actions']];
  const kept = member(member(sides.stored, 'outcomes'), 'actions');
  if (kept !== undefined && !Array.isArray(kept) && !sides.hasActions)
    return { compared, differences: [{ path: 'outcomes.actions', stored: kept }], notCompared: [] };
  const comparison = new ActionComparison(sides);
  comparison.run();
  const { differences: found, notCompared } = comparison;
  return { compared, differences: found, notCompared };
}
