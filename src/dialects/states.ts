import type { EventFold } from '../projection/projector.ts';
import type { StateView } from './state-view.ts';
import type { UpcastStep } from './upcast-schema.ts';

/**
 * How a dialect rebuilds and shows a state from parsed events alone, which also runs in a page. A dialect's
 * `states.ts` exports it as `states`, and must not import anything that needs Node.
 */
export interface DialectStates {
  /** Its fold takes numbers as doubles, not as stored. */
  readonly plainNumbers?: true;
  /** Sets the configured upcast steps for older events. */
  useUpcasts?(steps: readonly UpcastStep[]): void;
  /** `run`: one run of a log with many. */
  fold(run?: string): EventFold;
  /** A projected state for people. */
  view(state: unknown): StateView;
}
