import type { DialectStates } from '../kit/states.ts';
import { CoordinatorProjector } from './projection.ts';
import { viewOfLog } from './view.ts';

/** Rebuilds states from events, for HTML pages. */
export const states: DialectStates = { fold: () => new CoordinatorProjector(), view: viewOfLog };
