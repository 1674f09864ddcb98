import { parsePath } from '../../../base/json/path.ts';
import { isObject, type JsonValue } from '../../../base/json/value.ts';
import { writeJson } from '../../../base/json/write.ts';
import { type Document, openState } from '../../../findings/document.ts';
import type { Findings } from '../../../findings/findings.ts';
import type { Difference } from '../../../findings/projection/difference.ts';
import { reportNotCompared } from '../../kit/state-check.ts';
import { SAVED_BEFORE } from '../comparison/state-differences.ts';
import type { CoordinatorProjector } from '../projection.ts';
import { STATE_FILE } from '../read.ts';

/** Reads `state.json` next to the log, or returns why there is nothing to check. */
export function openStateObject(dir: string, findings: Findings): Document | string {
  const state = openState(dir, STATE_FILE, findings);
  if (typeof state === 'string' || isObject(state.value)) return state;
  state.at({ code: 'state/invalid-json', message: 'a state must be a JSON object' });
  return `${STATE_FILE} is missing or cannot be read`;
}

/** At most this many differences are reported; the rest are only counted. */
const MAX_REPORTED = 20;

/** Says what the state and the log have. */
function messageFor({ path, projected, stored, evidence }: Difference): string {
  const line = evidence === undefined ? '' : ` (line ${evidence.line})`;
  const here = stored === undefined ? 'is missing here' : `is ${writeJson(stored as JsonValue)} here`;
  const log =
    projected === undefined
      ? 'the log does not have it'
      : `the log gives ${writeJson(projected as JsonValue)}`;
  return `${path} ${here}, but ${log}${line}`;
}

/**
 * Compares the state with the log, as `project --diff` does. A state is saved before its event is logged (coordinator.md
 * §8), so a crash in between can explain a difference. Returns whether a difference was excused like this: anyone who
 * edits a state can also give it an early time.
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
