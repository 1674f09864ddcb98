/** The types that the program stores (copilot.md §3), and others that its published schema allows. */
export const STORED_TYPES = [
  'session.start',
  'session.resume',
  'session.shutdown',
  'session.model_change',
  'session.mode_changed',
  'session.permissions_changed',
  'session.plan_changed',
  'session.context_changed',
  'session.workspace_file_changed',
  'session.info',
  'session.warning',
  'session.error',
  'session.usage_checkpoint',
  'session.usage_record',
  'session.compaction_start',
  'session.compaction_complete',
  'session.task_complete',
  'user.message',
  'system.message',
  'system.notification',
  'assistant.turn_start',
  'assistant.turn_end',
  'assistant.message',
  'assistant.reasoning',
  'tool.execution_start',
  'tool.execution_complete',
  'tool.user_requested',
  'tool_search.activated',
  'external_tool.requested',
  'external_tool.completed',
  'permission.requested',
  'permission.completed',
  'hook.start',
  'hook.end',
  'subagent.started',
  'subagent.configured',
  'subagent.completed',
  'subagent.failed',
  'subagent.selected',
  'subagent.deselected',
  'skill.invoked',
  'abort',
  'session.remote_steerable_changed',
  'session.schedule_created',
  'session.schedule_cancelled',
  'session.schedule_rearmed',
  'session.autopilot_objective_changed',
  'session.session_limits_changed',
  'session.handoff',
  'session.truncation',
  'session.context_cleared',
  'session.auto_mode_resolved',
  'session.binary_asset',
  'session.canvas.recorded',
  'session.canvas.removed',
] as const;

const STORED: ReadonlySet<unknown> = new Set(STORED_TYPES);

/** Whether this is one of the `model.*` events, which are copied into a fork unchanged. */
export const isModelType = (type: unknown): boolean => typeof type === 'string' && type.startsWith('model.');

export const isStoredType = (type: unknown): boolean => STORED.has(type) || isModelType(type);

const EPHEMERAL =
  /^(?:session\.(?:idle|title_changed|usage_info|snapshot_rewind|todos_changed)|assistant\.(?:intent|usage|idle|streaming_delta|\w+_delta)|model\.call_failure|tool\.execution_(?:partial_result|progress)|(?:user_input|elicitation|commands|command|mcp|factory|sampling)\..*|.*_delta)$/;

/** Whether a type is only transmitted, never stored. A log with such a type is a captured stream. */
export const isEphemeralType = (type: unknown): boolean => typeof type === 'string' && EPHEMERAL.test(type);
