import type { EventTypeEntry } from '../../kit/record-view.ts';
import { CALLS, HOSTED, LINE_TYPES, OUTPUTS, TURN_ENDS, TURN_STARTS } from './vocabulary.ts';

/** The types of lines, items and events that noesis interprets. Logs contain others. */
export function knownTypes(): EventTypeEntry[] {
  const items = ['message', 'reasoning', ...CALLS, ...OUTPUTS, ...HOSTED];
  const events = [
    ...TURN_STARTS,
    ...TURN_ENDS,
    'user_message',
    'agent_message',
    'item_completed',
    'token_count',
  ];
  return [
    ...LINE_TYPES.map((type) => ({ type, group: 'line' })),
    ...items.map((kind) => ({ type: `response_item/${String(kind)}`, group: 'item' })),
    ...events.map((kind) => ({ type: `event_msg/${String(kind)}`, group: 'event' })),
  ];
}
