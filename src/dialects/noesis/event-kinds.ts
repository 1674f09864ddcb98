import { isNumber } from '../../json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/** What Python's `if value:` makes of a value, and so the runtime: an empty list or object counts as nothing. */
export function isTruthy(value: JsonValue | undefined): boolean {
  if (isNumber(value)) return Number(value) !== 0;
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** Whether an act is a roll-up of others and no action of its own (noesis.md §2.2). */
export function isSynthetic(payload: JsonValue | undefined): boolean {
  return isObject(payload) && isTruthy(payload['synthetic']);
}

/** Whether an event ends the run: the phase, or a runtime event that says so (noesis.md §2.2). */
export function isTerminate({ phase, payload }: JsonObject): boolean {
  if (phase === 'terminate') return true;
  return (
    phase === 'runtime' &&
    isObject(payload) &&
    [payload['kind'], payload['type'], payload['event']].includes('terminate')
  );
}

/** Whether a runtime event of this type pauses the run. */
export const isPause = (type: unknown): boolean => type === 'run.interrupt' || type === 'run.checkpoint';

/** Whether a status is that of a paused run: `partial` is the word of state.json. */
export const isPausedWord = (status: unknown): boolean =>
  status === 'interrupted' || status === 'paused' || status === 'partial';
