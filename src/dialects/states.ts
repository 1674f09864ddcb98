import type { EventFold } from '../projection/projector.ts';
import type { StateView } from './state-view.ts';
import type { UpcastStep } from './upcast-schema.ts';

/**
 * How a dialect rebuilds a state and shows it, of parsed events alone: what runs in a page too. `states.ts` of a
 * dialect's folder exports it as `states`, and imports nothing that only Node has.
 */
export interface DialectStates {
  /** Its fold takes numbers as doubles, not as they are stored. */
  readonly plainNumbers?: true;
  /** Takes in the steps of the configuration with which events of older versions are read. */
  useUpcasts?(steps: readonly UpcastStep[]): void;
  /** `run`: one run of a log that holds many. */
  fold(run?: string): EventFold;
  /** A projected state as people read it. */
  view(state: unknown): StateView;
}
