import type { CallKeys } from './call-key.ts';
import type { FieldDifference } from './content.ts';
import type { Incidental } from './incidental.ts';
import { reasonOf } from './reason.ts';
import { resultsOf } from './results.ts';
import type { ComparedStep, RunCall, RunContent } from './run-content.ts';

/** A step that only one run has, or that differs. At least one side is present. */
export interface StepDifference {
  readonly a?: ComparedStep;
  readonly b?: ComparedStep;
  /** If both runs have the step: where its inputs or its results differ. */
  readonly fields?: readonly FieldDifference[];
}

/** The first step at which two runs are not the same. A run without the step ended before it. */
export interface PartingPoint {
  /** The number of steps before it. */
  readonly after: number;
  /** Whether there are such steps, and all are prompts. */
  readonly afterPrompts?: true;
  /** `result`: the steps are the same, their results differ. `end`: one of the runs has no more steps. */
  readonly kind: 'step' | 'result' | 'end';
  readonly a?: ComparedStep;
  readonly b?: ComparedStep;
  /** If both runs have the call: where its inputs or its results differ. */
  readonly fields?: readonly FieldDifference[];
}

/** A step as both runs have it, or not. */
interface Keyed {
  readonly step: ComparedStep;
  readonly key: string;
  readonly result: string;
  /** What the program wrote about the run. */
  readonly isRemark?: boolean;
  readonly isPrompt?: boolean;
}

/** How a call and its result are compared. */
interface KeyedCall extends Omit<Keyed, 'step' | 'isRemark' | 'isPrompt'> {
  /** Its result with ids and times. */
  readonly exact: string;
}

/** How each call of a run is compared. */
export function keyedCalls(
  { calls }: RunContent,
  keys: CallKeys,
  incidental: Incidental,
): Map<RunCall, KeyedCall> {
  return new Map(
    calls.map((call) => {
      const { exact, loose } = resultsOf(call, incidental);
      return [call, { key: `call\n${keys.of(call.item)}`, result: loose, exact }] as const;
    }),
  );
}

/** The steps of a run in order. */
interface Sequence {
  readonly steps: readonly Keyed[];
  /** Whether damaged lines are left out before a step, or after the last one. */
  isGapBefore(at: number): boolean;
}

/** All steps of a run in order, with the keys by which they are compared. */
export function sequenceOf(
  content: RunContent,
  keyed: ReadonlyMap<RunCall, KeyedCall>,
  keyOfText: (step: ComparedStep) => string,
  hasCalls: boolean,
): Sequence {
  const calls = content.calls.flatMap((call): Keyed[] => {
    const known = keyed.get(call);
    return known ? [{ step: call.step, ...known }] : [];
  });
  const texts = content.said.map(
    (step): Keyed => ({
      step,
      key: keyOfText(step),
      result: '',
      isRemark: content.remarks.has(step),
      isPrompt: content.prompts.has(step),
    }),
  );
  const notes = hasCalls
    ? []
    : content.notes.map((step): Keyed => ({ step, key: `note\n${step.what}`, result: '' }));
  const placeOf = ({ step }: Keyed): number => content.order.get(step) ?? 0;
  const steps = [...calls, ...texts, ...notes].sort((a, b) => placeOf(a) - placeOf(b));
  const place = (at: number, other: number): number => {
    const step = steps[at];
    return step === undefined ? other : placeOf(step);
  };
  return {
    steps,
    isGapBefore: (at) => content.gaps.some((gap) => gap > place(at - 1, -1) && gap < place(at, Infinity)),
  };
}

/** Returns a function that makes the key by which a text is compared. */
export const textKeys =
  (incidental: Incidental, isOne: boolean) =>
  ({ what, text }: ComparedStep): string =>
    `${reasonOf(what, isOne)}\n${incidental.text(text.trim())}`;

const isSameStep = (one: Keyed | undefined, other: Keyed | undefined): boolean =>
  one?.key === other?.key && one?.result === other?.result;

/**
 * The number of remarks from a step on, if the step that the other run has there follows them: not all programs write them at
 * the same moment. 0 if another step follows.
 */
function remarksBefore({ steps }: Sequence, from: number, other: Keyed | undefined): number {
  if (other === undefined) return 0;
  let at = from;
  while (steps[at]?.isRemark && steps[at]?.key !== other.key) at += 1;
  return steps[at]?.key === other.key ? at - from : 0;
}

/** Where two sequences part; undefined if they do not, apart from steps that one of them may have lost with damaged lines. */
export function partingOf(a: Sequence, b: Sequence): PartingPoint | undefined {
  // Where one run has lost lines, the steps of the other one up to the next that both have may have been in them.
  const after = (from: number, { steps }: Sequence, next: Keyed | undefined): number | undefined => {
    if (next === undefined) return steps.length;
    const at = steps.findIndex((step, index) => index > from && isSameStep(step, next));
    return at === -1 ? undefined : at;
  };
  let [atA, atB, same] = [0, 0, 0];
  let onlyPrompts = true;
  // Where only a remark differs. It counts if nothing else does.
  let remark: PartingPoint | undefined;
  while (atA < a.steps.length || atB < b.steps.length) {
    const [one, other] = [a.steps[atA], b.steps[atB]];
    if (isSameStep(one, other)) {
      onlyPrompts &&= one?.isPrompt === true;
      [atA, atB, same] = [atA + 1, atB + 1, same + 1];
      continue;
    }
    const nextA = b.isGapBefore(atB) ? after(atA, a, other) : undefined;
    const nextB = a.isGapBefore(atA) ? after(atB, b, one) : undefined;
    if (nextA !== undefined) atA = nextA;
    else if (nextB !== undefined) atB = nextB;
    else {
      const kind = !one || !other ? 'end' : one.key === other.key ? 'result' : 'step';
      const here = {
        after: same,
        ...(same > 0 && onlyPrompts && { afterPrompts: true as const }),
        kind,
        ...(one && { a: one.step }),
        ...(other && { b: other.step }),
      } as const;
      const [remarksA, remarksB] = [remarksBefore(a, atA, other), remarksBefore(b, atB, one)];
      if (remarksA === 0 && remarksB === 0) return here;
      remark ??= here;
      if (remarksA > 0) atA += remarksA;
      else atB += remarksB;
    }
  }
  return remark;
}

/** Adds what differs in the step, if both runs have it. */
export function withFields(parting: PartingPoint, known: readonly StepDifference[]): PartingPoint {
  const { a, b } = parting;
  const fields = known.find((one) => a && b && one.a === a && one.b === b)?.fields;
  return fields === undefined ? parting : { ...parting, fields };
}
