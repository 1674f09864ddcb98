import type { DialectStates } from '../kit/states.ts';
import { FishbowlProjector } from './projection.ts';
import { viewOfLedger } from './view.ts';

/** Rebuilds states from events, for HTML pages. */
export const states: DialectStates = {
  fold: (run, upcasts) => new FishbowlProjector({ runId: run, upcasts }),
  view: viewOfLedger,
};
