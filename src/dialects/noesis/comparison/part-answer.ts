import type { JsonPath } from '../../../json/path.ts';
import type { Difference } from '../../../projection/difference.ts';
import type { NotCompared } from '../../../projection/projector.ts';

/** The comparison of one part of state.json. */
export interface PartAnswer {
  /** The compared paths. Each covers everything below, except `differences` and `notCompared`. */
  readonly compared: readonly JsonPath[];
  readonly differences: readonly Difference[];
  /** Differences that the log or the format explains, so they do not contradict the state. */
  readonly notCompared: readonly NotCompared[];
}

export const NOTHING_COMPARED: PartAnswer = { compared: [], differences: [], notCompared: [] };
