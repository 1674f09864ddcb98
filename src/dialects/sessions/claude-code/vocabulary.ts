/** The types of records in the chain: each has a uuid and the uuid of its parent (claude-code.md §3). */
export const CHAIN_TYPES = ['user', 'assistant', 'system', 'attachment', 'progress'] as const;

/** The types of records outside the chain (claude-code.md §4). */
export const SIDE_TYPES = [
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'last-prompt',
  'mode',
  'permission-mode',
  'ai-title',
  'custom-title',
  'agent-name',
  'agent-color',
  'agent-setting',
  'pr-link',
  'summary',
  'bridge-session',
  'atis-latch',
  'relocated',
  'worktree-state',
  'frame-link',
  'tools-used',
  'cost-state',
  'api-request',
  'api-request-shape',
  'api-request-blob',
] as const;

/** The types that have a parent. */
export const IS_CHAIN: ReadonlySet<unknown> = new Set(CHAIN_TYPES);

/** All known types. New ones appear about every month. */
export const KNOWN_TYPES: ReadonlySet<unknown> = new Set([...CHAIN_TYPES, ...SIDE_TYPES]);
