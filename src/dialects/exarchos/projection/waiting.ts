import { type JsonPath, parsePath } from '../../../base/json/path.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Comparison } from '../../../findings/projection/projector.ts';
import { inKnownVersion, type Registered } from '../registered.ts';
import type { WorkflowFold } from './workflow.ts';

export const WAITING = 'events wait in a sidecar: what they change is not known yet';

/** `isOpen`: whether differences were left out because waiting events may explain them. */
export interface WaitingComparison extends Comparison {
  readonly isOpen: boolean;
}

/** The paths that waiting events would set. Changes the folds. */
export function changesOf(
  folds: readonly WorkflowFold[],
  waiting: readonly JsonObject[],
  registered: Registered,
): readonly JsonPath[] {
  const source = { line: 0 };
  return folds.flatMap((fold) => {
    const before = fold.synthesisRequested;
    for (const event of waiting) fold.add(inKnownVersion(event, registered) ?? event, () => source);
    const asked = before === fold.synthesisRequested ? [] : [['oneshot', 'synthesisRequested']];
    return [...fold.sources.pathsFrom(source), ...asked];
  });
}

/** Whether one path contains the other, or both are equal. */
const overlap = (one: JsonPath, other: JsonPath): boolean =>
  one.slice(0, other.length).every((segment, index) => String(segment) === String(other[index]));

/** Moves differences that waiting events may explain to `not_compared`. */
export function withoutChanges(comparison: Comparison, changes: readonly JsonPath[]): WaitingComparison {
  const mayChange = (text: string): boolean => {
    const path = parsePath(text) ?? [];
    return changes.some((change) => overlap(path, change));
  };
  const open = comparison.differences.filter(({ path }) => mayChange(path));
  return {
    ...comparison,
    isOpen: open.length > 0,
    differences: comparison.differences.filter((difference) => !open.includes(difference)),
    not_compared: [
      ...open.map(({ path }) => ({ path, reason: WAITING })),
      ...comparison.not_compared.map((part) =>
        mayChange(part.path) ? { path: part.path, reason: WAITING } : part,
      ),
    ],
  };
}
