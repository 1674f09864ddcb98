import { isObject, type JsonObject } from '../../../json/value.ts';
import { textIn } from '../../excerpt.ts';
import { isTerminate } from './event-kinds.ts';
import { canonicalStatus } from './vocabulary.ts';

/** The status of a run without any other information. */
export const GOES_ON = 'running';

/**
 * The status of the run after an event; the last event with a status decides. Projections are about the
 * state, which uses other words: `partial` for a paused run (noesis.md §2.3).
 */
export function statusIn(event: JsonObject): string | undefined {
  const { phase, payload } = event;
  if (!isObject(payload)) return undefined;
  const status = textIn(payload, 'status');
  if (isTerminate(event)) return status === undefined ? 'ended' : canonicalStatus(status);
  if (phase !== 'runtime' || event['event_type'] === 'run.state_projection') return undefined;
  return status === 'resuming' ? GOES_ON : status;
}
