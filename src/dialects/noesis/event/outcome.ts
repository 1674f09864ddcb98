import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { ticked } from '../../../base/json/write.ts';
import { textIn } from '../../kit/members.ts';
import type { Tone } from '../../kit/state-view.ts';

const FAILED: ReadonlySet<string> = new Set(['error', 'errored', 'failed', 'aborted', 'cancelled']);

/** Whether a result means a failure. */
export const isFailure = (word: string | undefined): boolean => word !== undefined && FAILED.has(word);

/** The result of an act. It may be in either of two members. */
export function resultOf(payload: JsonObject): string | undefined {
  return textIn(payload, 'result_status') ?? textIn(payload, 'outcome');
}

/** The error of a failed act. The runtime only writes it in `terminate`, but others write it here. */
export function errorOf(payload: JsonObject): string | undefined {
  const { error } = payload;
  return isObject(error) ? textIn(error, 'message') : textIn(payload, 'error');
}

const SUCCEEDED: ReadonlySet<unknown> = new Set(['ok', 'success', 'succeeded', 'completed']);

/** What is wrong with an error next to a status that means success; undefined if nothing is. */
export function errorBeside(status: unknown, error: unknown): string | undefined {
  if (!SUCCEEDED.has(status)) return undefined;
  const text = isObject(error) ? (textIn(error, 'message') ?? textIn(error, 'type')) : error;
  return typeof text === 'string' && text.trim() !== '' ? `error says ${ticked(text)}` : undefined;
}

const GOOD: ReadonlySet<string> = new Set(['ok', 'done', 'success', 'completed']);
const DOUBTFUL: ReadonlySet<string> = new Set(['vetoed', 'interrupted', 'paused', 'partial']);

/** What a status or result of a run, step or act means to a reader. */
export function toneOf(status: string): Tone | undefined {
  if (GOOD.has(status)) return 'good';
  if (isFailure(status)) return 'bad';
  return DOUBTFUL.has(status) ? 'doubtful' : undefined;
}
