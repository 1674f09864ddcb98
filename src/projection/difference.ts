import { formatPath } from '../json/path.ts';
import { isObject, jsonEqual } from '../json/value.ts';
import { sameInstant } from '../time/instant.ts';
import type { Evidence, EvidenceMap } from './evidence.ts';

/** One place where a projection and the stored document disagree. A side that has no value there is left out. */
export interface Difference {
  readonly path: string;
  readonly projected?: unknown;
  readonly stored?: unknown;
  /** The event the projected value comes from. */
  readonly evidence?: Evidence;
  /** An event that names this place but gives it no value, such as an act with a step_id and no step_status. */
  readonly named_by?: Evidence;
}

/** Members that hold instants in every state: they are compared as such, not as texts. */
const INSTANTS: ReadonlySet<unknown> = new Set([
  'timestamp',
  'updated_at',
  'started_at',
  'completed_at',
  'created_at',
]);

/** Whether two values at a path, at least one of them neither object nor array, say the same. */
function sameLeaf(projected: unknown, stored: unknown, key: string | number | undefined): boolean {
  return jsonEqual(projected, stored) || (INSTANTS.has(key) && sameInstant(projected, stored));
}

/** Goes down both values together and reports the smallest parts that differ; absent is `undefined`. */
function walk(
  projected: unknown,
  stored: unknown,
  path: (string | number)[],
  report: (difference: Difference) => void,
): void {
  if (projected === stored) return;
  // One path for all: most values are equal, and none of them needs a copy.
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

/** Compares a projected value with the stored one below `path`, and names the event behind each difference. */
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
