import type { JsonPath } from '../../json/path.ts';
import type { Difference } from '../../projection/difference.ts';
import type { NotCompared } from '../../projection/projector.ts';

/** What a comparison says of one part of state.json. */
export interface PartAnswer {
  /** What was compared, each path with all below it; `differences` and `notCompared` name the exceptions. */
  readonly compared: readonly JsonPath[];
  readonly differences: readonly Difference[];
  /** What differs for a reason that the log or the format explains, so that it says nothing against the state. */
  readonly notCompared: readonly NotCompared[];
}

export const NOTHING_COMPARED: PartAnswer = { compared: [], differences: [], notCompared: [] };
