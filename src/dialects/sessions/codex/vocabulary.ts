/** The types of a rollout's lines (codex.md §2). */
export const LINE_TYPES = [
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
  'token_usage_record',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
] as const;

export const IS_LINE_TYPE: ReadonlySet<unknown> = new Set(LINE_TYPES);

/** Calls, and the types of their outputs (codex.md §4). */
export const CALLS: ReadonlySet<unknown> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'tool_search_call',
]);

export const OUTPUTS: ReadonlySet<unknown> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'tool_search_output',
]);

/** Calls that the service executes. Their results are not recorded. */
export const HOSTED: ReadonlySet<unknown> = new Set(['web_search_call', 'image_generation_call']);

/** The starts and ends of turns. Newer versions use both names. */
export const TURN_STARTS: ReadonlySet<unknown> = new Set(['task_started', 'turn_started']);
export const TURN_ENDS: ReadonlySet<unknown> = new Set(['task_complete', 'turn_complete', 'turn_aborted']);
