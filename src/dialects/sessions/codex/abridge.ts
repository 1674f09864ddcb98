import type { JsonObject } from '../../../base/json/value.ts';
import type { Abridge } from '../../kit/log-summary.ts';

/** The beginning of a line, up to the kind of its item. */
const KIND =
  /^\{"timestamp":"[^"\\]*",(?:"ordinal":\d+,)?"type":"(response_item|event_msg|world_state)","payload":\{(?:"type":"(\w+)")?/;

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

const NOTHING = {};

const call = (kind: string): JsonObject => ({ type: 'response_item', payload: { type: kind } });
const CALLS: ReadonlyMap<string | undefined, JsonObject> = new Map([
  ['function_call', call('function_call')],
  ['custom_tool_call', call('custom_tool_call')],
]);

/** A list needs to know of calls, but not their outputs, nor records that repeat others. */
export const abridge: Abridge = (start) => {
  const [, type, kind] = KIND.exec(start) ?? [];
  if (type === 'world_state') return NOTHING;
  if (type === 'response_item')
    return kind === 'reasoning' || kind?.endsWith('_output') ? NOTHING : CALLS.get(kind);
  if (kind === 'item_completed') return COMPLETED.test(start) ? NOTHING : undefined;
  return UNLISTED.has(kind) ? NOTHING : undefined;
};
