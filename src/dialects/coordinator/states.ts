import type { DialectStates } from '../states.ts';
import { CoordinatorProjector } from './projection.ts';
import { viewOfLog } from './view.ts';

/** States as the events of a log give them, for pages. */
export const states: DialectStates = { fold: () => new CoordinatorProjector(), view: viewOfLog };
