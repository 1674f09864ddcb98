import type { DialectStates } from '../kit/states.ts';
import { viewOfState } from './show/view.ts';
import { NoesisFold } from './state/state-fold.ts';

/** Rebuilds states from events, for HTML pages. */
export const states: DialectStates = { fold: () => new NoesisFold(), view: viewOfState };
