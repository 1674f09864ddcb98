import { FormatReader } from '../kit/session-reading.ts';
import { sessionStates } from '../session-members.ts';
import { READING } from './records.ts';

export const states = sessionStates(() => new FormatReader(READING));
