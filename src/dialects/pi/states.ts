import { statesOf } from '../kit/session-reading.ts';
import { READING } from './records.ts';

export const states = statesOf(READING);
