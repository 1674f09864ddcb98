import { isObject, type JsonObject } from '../../json/value.ts';
import { textIn } from '../excerpt.ts';
import { isTerminate } from './event-kinds.ts';
import { canonicalStatus } from './vocabulary.ts';

/** Of a run that nothing was said of yet. */
export const GOES_ON = 'running';

/**
 * What an event says of its run: the last event that says something tells the run's status. A projection speaks of the
 * state instead, which has other words: `partial` for a run that is paused (noesis.md §2.3).
 */
export function statusTold(event: JsonObject): string | undefined {
  const { phase, payload } = event;
  if (!isObject(payload)) return undefined;
  const status = textIn(payload, 'status');
  if (isTerminate(event)) return status === undefined ? 'ended' : canonicalStatus(status);
  if (phase !== 'runtime' || event['event_type'] === 'run.state_projection') return undefined;
  return status === 'resuming' ? GOES_ON : status;
}
