import type { SessionDocument } from '../session.ts';
import { viewOfSession } from '../session-account.ts';
import { SessionProjector } from '../session-reader.ts';
import type { DialectStates } from '../states.ts';
import { RolloutReader } from './reader.ts';

/** States as the events of a log give them, for pages. */
export const states: DialectStates = {
  plainNumbers: true,
  fold: () => new SessionProjector(new RolloutReader()),
  view: (state) => viewOfSession(state as SessionDocument),
};
