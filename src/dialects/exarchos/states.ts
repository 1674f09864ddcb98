import type { DialectStates } from '../kit/states.ts';
import { useUpcasts } from '../kit/upcast.ts';
import { ExarchosProjector } from './projection/projector.ts';
import { viewOfWorkflow } from './view.ts';

/** Rebuilds states from events, for HTML pages. */
export const states: DialectStates = {
  useUpcasts,
  fold: () => new ExarchosProjector(),
  view: viewOfWorkflow,
};
