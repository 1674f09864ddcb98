import type { DialectStates } from '../kit/states.ts';
import { NoesisFold } from './projection/state-fold.ts';
import { viewOfState } from './run/view.ts';

/** Rebuilds states from events, for HTML pages. */
export const states: DialectStates = { fold: () => new NoesisFold(), view: viewOfState };
