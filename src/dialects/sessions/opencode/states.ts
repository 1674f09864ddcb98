import { statesOf } from '../kit/reading.ts';
import { READING } from './records.ts';

export const states = statesOf(READING);
