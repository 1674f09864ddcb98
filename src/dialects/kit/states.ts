import type { EventFold } from '../../findings/projection/projector.ts';
import type { Copied } from './copied.ts';
import type { StateView } from './state-view.ts';
import type { UpcastStep } from './upcast-schema.ts';

/**
 * How a dialect rebuilds and shows a state from parsed events. This also runs in HTML pages: a dialect
 * exports it as `states` from `states.ts`, which must not import anything that needs Node.js.
 */
export interface DialectStates {
  /** Whether its fold accepts numbers as doubles instead of exact numbers. */
  readonly plainNumbers?: true;
  /**
   * `run`: one run of a log with many. `upcasts`: the configured steps for older events. `copied`: what of the log is copied,
   * if its records may not say it.
   */
  fold(run?: string, upcasts?: readonly UpcastStep[], copied?: Copied): EventFold;
  /** A projected state for people. */
  view(state: unknown): StateView;
}
