import { isNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { textIn } from '../../kit/members.ts';
import { canonicalStatus } from './vocabulary.ts';

/** Whether a value is true in Python, as the runtime tests it: empty lists and objects are false. */
export function isTruthy(value: JsonValue | undefined): boolean {
  if (isNumber(value)) return Number(value) !== 0;
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** The time of an event: its timestamp, else the completion of its work. */
export function timeOf(event: JsonObject): string | undefined {
  const { timestamp, metrics } = event;
  if (typeof timestamp === 'string') return timestamp;
  const completed = isObject(metrics) ? metrics['completed_at'] : undefined;
  return typeof completed === 'string' ? completed : undefined;
}

/** Whether an act is a roll-up: it sums up other acts and is not an action (noesis.md §2.2). */
export function isSynthetic(payload: JsonValue | undefined): boolean {
  return isObject(payload) && isTruthy(payload['synthetic']);
}

/** The members of a payload by which a runtime event may end the run (noesis.md §2.2). */
export const END_MEMBERS = ['kind', 'type', 'event'] as const;

/** Whether an event ends the run: by its phase, or as a runtime event. */
export function isTerminate(event: JsonObject): boolean {
  const { phase } = event;
  if (phase !== 'runtime') return phase === 'terminate';
  const { payload } = event;
  return isObject(payload) && END_MEMBERS.some((name) => payload[name] === 'terminate');
}

/** Whether a runtime event of this type pauses the run. */
export const isPause = (type: unknown): boolean => type === 'run.interrupt' || type === 'run.checkpoint';

/** Whether a status means a paused run; state.json calls it `partial`. */
export const isPausedWord = (status: unknown): boolean =>
  status === 'interrupted' || status === 'paused' || status === 'partial';

/** Phases whose events show that the run is active. */
export const WORK_PHASES = ['plan', 'act', 'reflect'] as const;

/** The status of a run whose events say nothing else. */
export const RUNNING = 'running';

/** The status of the run after an event; undefined if the event does not change it. */
export function statusIn(event: JsonObject): string | undefined {
  if (event['phase'] === 'error') return 'error';
  if (isTerminate(event)) return statusAtEnd(event);
  return event['phase'] === 'runtime' ? runtimeStatus(event) : undefined;
}

/** The status that the end of a run gives. */
export const statusAtEnd = ({ payload }: JsonObject): string =>
  canonicalStatus(textIn(payload, 'status') ?? 'ended');

/**
 * The status that a runtime event gives which does not end the run. State projections are ignored, because state.json
 * uses other words: `partial` for a paused run (noesis.md §2.3).
 */
export function runtimeStatus({ payload, event_type: type }: JsonObject): string | undefined {
  const status = textIn(payload, 'status');
  if (status === undefined || type === 'run.state_projection') return undefined;
  return status === 'resuming' ? RUNNING : status;
}
