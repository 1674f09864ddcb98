import type { EventFold } from '../projection/projector.ts';
import type { StateView } from './state-view.ts';

/**
 * How a dialect rebuilds a state and shows it, of parsed events alone: what runs in a page too. `states.ts` of a
 * dialect's folder exports it as `states`, and imports nothing that only Node has.
 */
export interface DialectStates {
  /** Its fold takes numbers as doubles, not as they are stored. */
  readonly plainNumbers?: true;
  /** `run`: one run of a log that holds many. */
  fold(run?: string): EventFold;
  /** A projected state as people read it. */
  view(state: unknown): StateView;
}
