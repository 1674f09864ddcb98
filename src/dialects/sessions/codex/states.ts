import { sessionStates } from '../kit/members.ts';
import { RolloutReader } from './reader.ts';

/** Rebuilds states from events, for HTML pages. */
export const states = sessionStates(() => new RolloutReader());
