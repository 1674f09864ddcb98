import type { JsonObject } from '../../../base/json/value.ts';
import type { Abridge } from '../../kit/log-summary.ts';

/** The beginning of a line, up to the kind of its item. */
const KIND =
  /^\{"timestamp":"([^"\\]*)",(?:"ordinal":\d+,)?"type":"(response_item|event_msg|world_state)","payload":\{(?:"type":"(\w+)")?/;

/** A completed item that is not a message of the user. */
const COMPLETED = /"item_completed",(?:"\w+":"[^"\\]*",)*"item":\{"type":"(?!UserMessage)/;

/** Events that a list does not need: details of calls, and copies of other records. */
const UNLISTED: ReadonlySet<string | undefined> = new Set([
  'agent_message',
  'agent_reasoning',
  'exec_command_end',
  'patch_apply_end',
  'mcp_tool_call_end',
  'thread_settings_applied',
]);

const CALLS: ReadonlySet<string | undefined> = new Set(['function_call', 'custom_tool_call']);

/**
 * A list needs to know of calls, but not their outputs, nor records that repeat others. The times of all records show which
 * were copied from another thread.
 */
export const abridge: Abridge = (start) => {
  const [, timestamp = '', type, kind] = KIND.exec(start) ?? [];
  const nothing: JsonObject = { timestamp };
  if (type === 'world_state') return nothing;
  if (type === 'response_item') {
    if (kind === 'reasoning' || kind?.endsWith('_output')) return nothing;
    return CALLS.has(kind) ? { timestamp, type, payload: { type: kind ?? '' } } : undefined;
  }
  if (kind === 'item_completed') return COMPLETED.test(start) ? nothing : undefined;
  return UNLISTED.has(kind) ? nothing : undefined;
};
