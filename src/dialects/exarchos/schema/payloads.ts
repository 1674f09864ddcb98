import * as z from 'zod';
import { DELIVERY_PAYLOADS } from './delivery.ts';
import { flag, int, payload, text, texts } from './parts.ts';
import { QUALITY_PAYLOADS } from './quality.ts';
import { WORK_PAYLOADS } from './work.ts';
import { OBSERVED_PAYLOADS, WORKFLOW_PAYLOADS } from './workflow.ts';

/** The store's schemas by type (exarchos.md §7.2). Other types may have any object. */
const CHECKED = {
  ...WORKFLOW_PAYLOADS,
  ...WORK_PAYLOADS,
  ...QUALITY_PAYLOADS,
  ...DELIVERY_PAYLOADS,
} as const;

/** The payload schemas of all built-in types, including those that the store does not check. */
export const PAYLOADS = { ...CHECKED, ...OBSERVED_PAYLOADS } as const;

export type BuiltInType = keyof typeof PAYLOADS;

/** The data of an event of a built-in type. */
export type EventData<T extends BuiltInType> = z.infer<(typeof PAYLOADS)[T]>;

/**
 * Other forms in genuine logs with the same `schemaVersion`. The program violates its own schemas (exarchos.md §7.3),
 * and earlier versions wrote other forms (§7.4).
 */
const ALSO_WRITTEN: Readonly<Partial<Record<BuiltInType, readonly z.ZodType[]>>> = {
  'workflow.fix-cycle': [CHECKED['workflow.fix-cycle'].partial({ count: true })],
  'workflow.compound-exit': [payload({ featureId: text, from: text, to: text, trigger: text })],
  // The second event of a cleanup.
  'workflow.cleanup': [
    payload({
      featureId: text,
      previousPhase: text,
      mergeVerified: flag,
      prUrl: z.union([text, texts]).nullish(),
      mergedBranches: texts.nullish(),
    }),
  ],
  'task.failed': [CHECKED['task.failed'].extend({ error: text })],
  // The example in the tool reference; and an empty object, because fields were lost before a guard was added.
  'gate.executed': [payload({ dimension: text, passed: flag }), z.strictObject({})],
  'stack.restacked': [payload({ affectedPositions: z.array(int) })],
  'shepherd.started': [payload({ prUrl: text, stackSize: z.number(), ciStatus: text })],
  'shepherd.completed': [
    payload({ prUrl: text, merged: flag, iterations: z.number(), duration: z.number() }),
  ],
  'eval.judge.calibrated': [
    CHECKED['eval.judge.calibrated'].partial({ tp: true, fp: true, tn: true, fn: true }),
  ],
};

/** The schema with which the store checks a type on append; undefined if it does not check it. */
export function strictPayload(type: string): z.ZodType | undefined {
  return Object.hasOwn(CHECKED, type) ? CHECKED[type as keyof typeof CHECKED] : undefined;
}

/** The payload of a type that the store does not check, as seen in logs; undefined for other types. */
export function observedPayload(type: string): z.ZodType | undefined {
  return Object.hasOwn(OBSERVED_PAYLOADS, type)
    ? OBSERVED_PAYLOADS[type as keyof typeof OBSERVED_PAYLOADS]
    : undefined;
}

/** Other forms of a payload that versions of the program write although the schema rejects them. */
export function knownForms(type: string): readonly z.ZodType[] {
  return (Object.hasOwn(ALSO_WRITTEN, type) ? ALSO_WRITTEN[type as BuiltInType] : undefined) ?? [];
}

export function isKnownDeviation(type: string, data: unknown): boolean {
  return knownForms(type).some((form) => form.safeParse(data).success);
}
