import { type Document, openState } from '../../../findings/document.ts';
import type { Findings } from '../../../findings/findings.ts';
import { parsePath } from '../../../json/path.ts';
import { isObject, type JsonValue } from '../../../json/value.ts';
import { writeJson } from '../../../json/write.ts';
import type { Difference } from '../../../projection/difference.ts';
import { reportNotCompared } from '../../kit/state-check.ts';
import { SAVED_BEFORE } from '../comparison.ts';
import type { CoordinatorProjector } from '../projection.ts';
import { STATE_FILE } from '../read.ts';

/** Reads `state.json` next to the log, or returns why there is nothing to check. */
export function openStateObject(dir: string, findings: Findings): Document | string {
  const state = openState(dir, STATE_FILE, findings);
  if (typeof state === 'string' || isObject(state.value)) return state;
  state.at({ code: 'state/invalid-json', message: 'a state must be a JSON object' });
  return `no readable ${STATE_FILE}`;
}

/** More differences than this are only counted. */
const MAX_REPORTED = 20;

/** Explains a difference: what the state has, and what the log has. */
function messageFor({ path, projected, stored, evidence }: Difference): string {
  const line = evidence === undefined ? '' : ` (line ${evidence.line})`;
  const here = stored === undefined ? 'is missing here' : `is ${writeJson(stored as JsonValue)} here`;
  const log =
    projected === undefined
      ? 'the log does not have it'
      : `the log gives ${writeJson(projected as JsonValue)}`;
  return `${path} ${here}, and ${log}${line}`;
}

/**
 * Compares the state with the log, as `project --diff` does. The state is saved before its event is logged
 * (coordinator.md §8), so that a crash in between leaves a difference: no error. True if something differs and counts as
 * changed after the state was saved: anyone who edits the state can write an early time into it.
 */
export function checkStateContent(state: Document, projector: CoordinatorProjector): boolean {
  const { differences, not_compared: parts } = projector.compare(state.exact);
  for (const difference of differences.slice(0, MAX_REPORTED)) {
    const { path, stored, projected } = difference;
    const text = (value: unknown) => (typeof value === 'string' ? value : writeJson(value as JsonValue));
    state.at({
      code: 'projection/state',
      message: messageFor(difference),
      path: parsePath(path) ?? [],
      ...(projected !== undefined && { expected: text(projected) }),
      ...(stored !== undefined && { actual: text(stored) }),
    });
  }
  const more = differences.length - MAX_REPORTED;
  if (more > 0)
    state.at({
      code: 'projection/state',
      message: `${more} more differences: noesis project --diff shows them`,
    });
  reportNotCompared(state, parts);
  return parts.some(({ reason }) => reason === SAVED_BEFORE);
}
