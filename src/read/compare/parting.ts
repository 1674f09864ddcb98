import type { CallKeys } from './call-key.ts';
import type { FieldDifference } from './content.ts';
import type { Incidental } from './incidental.ts';
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
}

/** How a call and its result are compared. */
interface KeyedCall extends Omit<Keyed, 'step'> {
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

/** All steps of a run in order, with the keys by which they are compared. */
export function sequenceOf(
  content: RunContent,
  keyed: ReadonlyMap<RunCall, KeyedCall>,
  incidental: Incidental,
  hasCalls: boolean,
): Keyed[] {
  const calls = content.calls.flatMap((call): Keyed[] => {
    const known = keyed.get(call);
    return known ? [{ step: call.step, ...known }] : [];
  });
  const texts = content.said.map((step): Keyed => ({ step, key: textKey(step, incidental), result: '' }));
  const notes = hasCalls
    ? []
    : content.notes.map((step): Keyed => ({ step, key: `note\n${step.what}`, result: '' }));
  const placeOf = ({ step }: Keyed): number => content.order.get(step) ?? 0;
  return [...calls, ...texts, ...notes].sort((a, b) => placeOf(a) - placeOf(b));
}

/** The key by which a text is compared. */
export const textKey = ({ what, text }: ComparedStep, incidental: Incidental): string =>
  `${what}\n${incidental.text(text.trim())}`;

/** Where two sequences part; undefined if they do not. */
export function partingOf(a: readonly Keyed[], b: readonly Keyed[]): PartingPoint | undefined {
  const most = Math.max(a.length, b.length);
  for (let at = 0; at < most; at += 1) {
    const [one, other] = [a[at], b[at]];
    if (one?.key === other?.key && one?.result === other?.result) continue;
    const kind = !one || !other ? 'end' : one.key === other.key ? 'result' : 'step';
    return { after: at, kind, ...(one && { a: one.step }), ...(other && { b: other.step }) };
  }
  return undefined;
}

/** Adds what differs in the step, if both runs have it. */
export function withFields(parting: PartingPoint, known: readonly StepDifference[]): PartingPoint {
  const { a, b } = parting;
  const fields = known.find((one) => a && b && one.a === a && one.b === b)?.fields;
  return fields === undefined ? parting : { ...parting, fields };
}
