import { formatPath } from '../json/path.ts';
import { isObject } from '../json/value.ts';
import type { Evidence, EvidenceMap } from './evidence.ts';

/** One place where a projection and the stored document disagree. A side that has no value there is left out. */
export interface Difference {
  readonly path: string;
  readonly projected?: unknown;
  readonly stored?: unknown;
  /** The event the projected value comes from. */
  readonly evidence?: Evidence;
}

type Segments = readonly (string | number)[];

/** Goes down both values together and reports the smallest parts that differ; absent is `undefined`. */
function walk(projected: unknown, stored: unknown, path: Segments, report: (d: Difference) => void): void {
  if (projected === stored) return;
  if (isObject(projected) && isObject(stored)) {
    for (const key of new Set([...Object.keys(projected), ...Object.keys(stored)])) {
      const ours = Object.hasOwn(projected, key) ? projected[key] : undefined;
      walk(ours, Object.hasOwn(stored, key) ? stored[key] : undefined, [...path, key], report);
    }
  } else if (Array.isArray(projected) && Array.isArray(stored)) {
    for (let index = 0; index < Math.max(projected.length, stored.length); index += 1) {
      walk(projected[index], stored[index], [...path, index], report);
    }
  } else {
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
  path: Segments,
  evidence: EvidenceMap,
): Difference[] {
  const found: Difference[] = [];
  walk(projected, stored, path, (difference) => {
    const source = evidence.of(difference.path);
    found.push(source ? { ...difference, evidence: source } : difference);
  });
  return found;
}
