import type { DialectStates } from '../states.ts';
import { useUpcasts } from '../upcast.ts';
import { ExarchosProjector } from './projection/projector.ts';
import { viewOfWorkflow } from './view.ts';

/** States as the events of a log give them, for pages. */
export const states: DialectStates = {
  useUpcasts,
  fold: () => new ExarchosProjector(),
  view: viewOfWorkflow,
};
