import { sessionStates } from '../session-members.ts';
import { TranscriptReader } from './reader.ts';

/** States as the events of a log give them, for pages. */
export const states = sessionStates(() => new TranscriptReader());
