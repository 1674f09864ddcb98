import { stepsOf } from '../../base/text/matching.ts';
import { Numbering } from '../../base/text/numbering.ts';
import { align } from './align.ts';
import type { RunCall } from './run-content.ts';

/** The elements of two lists, in pairs and alone, in the order of a walk through both. */
export type Walk<T> = readonly { readonly a?: T; readonly b?: T }[];

/** Aligns two lists. Elements with the same key are paired in order. */
export async function aligned<T>(
  a: readonly T[],
  b: readonly T[],
  [keyOfA, keyOfB]: readonly [(one: T) => string, (one: T) => string],
): Promise<Walk<T>> {
  const numbers = new Numbering();
  const matches = await align(
    Int32Array.from(a, (one) => numbers.of(keyOfA(one))),
    Int32Array.from(b, (one) => numbers.of(keyOfB(one))),
  );
  return Array.from(stepsOf(matches, b.length), (step) => ({
    ...(step.kind !== 'added' && { a: a[step.a] as T }),
    ...(step.kind !== 'missing' && { b: b[step.b] as T }),
  }));
}

/** Whether both lists have the element. */
export const isPair = <T>(one: { readonly a?: T; readonly b?: T }): one is { readonly a: T; readonly b: T } =>
  one.a !== undefined && one.b !== undefined;

/**
 * Pairs, between two calls that are the same, the calls of one tool that are shown alike: an edit of one file with two
 * contents is a call that differs, not two calls.
 */
export function pairedInGaps(walk: Walk<RunCall>): Walk<RunCall> {
  const nameOf = ({ step: { what, text } }: RunCall): string => `${what}\n${text}`;
  const result: { a?: RunCall; b?: RunCall }[] = [];
  let waiting = new Map<string, { a?: RunCall; b?: RunCall }[]>();
  for (const one of walk) {
    if (isPair(one)) waiting = new Map();
    const known = one.a === undefined && one.b ? waiting.get(nameOf(one.b))?.shift() : undefined;
    if (known !== undefined && one.b) {
      known.b = one.b;
      continue;
    }
    const own = { ...one };
    result.push(own);
    if (isPair(one) || one.a === undefined) continue;
    const name = nameOf(one.a);
    waiting.set(name, [...(waiting.get(name) ?? []), own]);
  }
  return result;
}
