import type { DialectStates } from '../states.ts';
import { NoesisFold } from './state-fold.ts';
import { viewOfState } from './view.ts';

/** Rebuilds states from events, for pages. */
export const states: DialectStates = { fold: () => new NoesisFold(), view: viewOfState };
