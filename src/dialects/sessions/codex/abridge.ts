import type { JsonObject } from '../../../base/json/value.ts';
import type { Abridge } from '../../kit/log-summary.ts';

/** The beginning of a line, up to the kind of its item. */
const KIND =
  /^\{"timestamp":"([^"\\]*)",(?:"ordinal":(\d+),)?"type":"(response_item|event_msg|world_state)","payload":\{(?:"type":"(\w+)")?/;

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

/** What a call that starts a subagent contains, and its result. */
const SPAWNS = '"spawn_agent"';
const AGENT = 'agent_id\\"';

const CALLS: ReadonlySet<string | undefined> = new Set(['function_call', 'custom_tool_call']);

/**
 * A list needs to know of calls, but not their outputs, nor records that repeat others. The times of all records show which
 * were copied from another thread, and their numbers whether a log of the thread is missing.
 */
export const abridge: Abridge = (start, _line, has) => {
  const [, timestamp = '', ordinal, type, kind] = KIND.exec(start) ?? [];
  const nothing: JsonObject = { timestamp, ...(ordinal !== undefined && { ordinal: Number(ordinal) }) };
  if (type === 'world_state') return nothing;
  if (type === 'response_item') {
    // The result of a call that starts a subagent names its log.
    if (kind?.endsWith('_output') && has(AGENT)) return undefined;
    if (kind === 'reasoning' || kind?.endsWith('_output')) return nothing;
    return CALLS.has(kind) && !start.includes(SPAWNS)
      ? { ...nothing, type, payload: { type: kind ?? '' } }
      : undefined;
  }
  if (kind === 'item_completed') return COMPLETED.test(start) ? nothing : undefined;
  return UNLISTED.has(kind) ? nothing : undefined;
};
