import { sessionStates } from '../kit/members.ts';
import { TranscriptReader } from './reader.ts';

/** Rebuilds states from events, for HTML pages. */
export const states = sessionStates(() => new TranscriptReader());
