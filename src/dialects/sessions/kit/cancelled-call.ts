import type { SaidResult } from './format.ts';

/** The beginning of the result if the user refused a call of Gemini CLI or Qwen Code. All other reasons are of calls that may have run. */
const REFUSED = /^\[Operation Cancelled\] Reason: User (?:did not allow tool call|denied execution)\b/;

/** How a call ended that Gemini CLI or Qwen Code stored as cancelled. `text`: its result. */
export const endOfCancelled = (text: string): Pick<SaidResult, 'status' | 'byPerson'> =>
  REFUSED.test(text) ? { status: 'denied', byPerson: true } : { status: 'interrupted' };
