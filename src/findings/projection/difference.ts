import { formatPath } from '../../base/json/path.ts';
import { isObject, jsonEqual } from '../../base/json/value.ts';
import { sameInstant } from '../../base/time/instant.ts';
import type { Evidence, EvidenceMap } from './evidence.ts';

/** A place where a projection and the stored document differ. A side without a value is left out. */
export interface Difference {
  readonly path: string;
  readonly projected?: unknown;
  readonly stored?: unknown;
  /** The event that the projected value comes from. */
  readonly evidence?: Evidence;
  /** An event that mentions this place without a value, such as an act with a step_id and no step_status. */
  readonly named_by?: Evidence;
}

/** Members that are instants in every state. They are compared as instants, not as text. */
const INSTANTS: ReadonlySet<unknown> = new Set([
  'timestamp',
  'updated_at',
  'started_at',
  'completed_at',
  'created_at',
]);

/** Whether two values at a path are equal. At least one must be a scalar. */
function sameLeaf(projected: unknown, stored: unknown, key: string | number | undefined): boolean {
  return jsonEqual(projected, stored) || (INSTANTS.has(key) && sameInstant(projected, stored));
}

/** Walks both values together and reports the smallest parts that differ. Absent values are `undefined`. */
function walk(
  projected: unknown,
  stored: unknown,
  path: (string | number)[],
  report: (difference: Difference) => void,
): void {
  if (projected === stored) return;
  // Reuses one path array: most values are equal and need no copy of it.
  const step = (segment: string | number, ours: unknown, theirs: unknown): void => {
    path.push(segment);
    walk(ours, theirs, path, report);
    path.pop();
  };
  if (isObject(projected) && isObject(stored)) {
    for (const key of Object.keys(projected))
      step(key, projected[key], Object.hasOwn(stored, key) ? stored[key] : undefined);
    for (const key of Object.keys(stored))
      if (!Object.hasOwn(projected, key)) step(key, undefined, stored[key]);
  } else if (Array.isArray(projected) && Array.isArray(stored)) {
    for (let index = 0; index < Math.max(projected.length, stored.length); index += 1)
      step(index, projected[index], stored[index]);
  } else if (!sameLeaf(projected, stored, path.at(-1))) {
    report({
      path: formatPath(path),
      ...(projected !== undefined && { projected }),
      ...(stored !== undefined && { stored }),
    });
  }
}

/**
 * Compares a projected value with the stored one below `path`, and finds the event behind each difference.
 */
export function differences(
  projected: unknown,
  stored: unknown,
  path: readonly (string | number)[],
  evidence: EvidenceMap,
): Difference[] {
  const found: Difference[] = [];
  walk(projected, stored, [...path], (difference) => {
    const source = evidence.of(difference.path);
    found.push(source ? { ...difference, evidence: source } : difference);
  });
  return found;
}
