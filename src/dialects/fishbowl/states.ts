import type { DialectStates } from '../states.ts';
import { useUpcasts } from '../upcast.ts';
import { FishbowlProjector } from './projection.ts';
import { viewOfLedger } from './view.ts';

/** States as the events of a log give them, for pages. */
export const states: DialectStates = {
  useUpcasts,
  fold: (run) => new FishbowlProjector({ runId: run }),
  view: viewOfLedger,
};
