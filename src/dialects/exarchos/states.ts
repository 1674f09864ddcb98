import type { DialectStates } from '../kit/states.ts';
import { ExarchosProjector } from './projection/projector.ts';
import { nothingRegistered } from './registered.ts';
import { viewOfWorkflow } from './view.ts';

/** Rebuilds states from events, for HTML pages. */
export const states: DialectStates = {
  fold: (_run, upcasts) => new ExarchosProjector(nothingRegistered(upcasts)),
  view: viewOfWorkflow,
};
