import type { DialectStates } from '../states.ts';
import { NoesisFold } from './state-fold.ts';
import { viewOfState } from './view.ts';

/** States as the events of a log give them, for pages. */
export const states: DialectStates = { fold: () => new NoesisFold(), view: viewOfState };
