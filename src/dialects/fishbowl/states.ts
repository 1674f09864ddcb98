import type { DialectStates } from '../kit/states.ts';
import { useUpcasts } from '../kit/upcast.ts';
import { FishbowlProjector } from './projection.ts';
import { viewOfLedger } from './view.ts';

/** Rebuilds states from events, for HTML pages. */
export const states: DialectStates = {
  useUpcasts,
  fold: (run) => new FishbowlProjector({ runId: run }),
  view: viewOfLedger,
};
