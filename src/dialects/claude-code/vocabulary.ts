/** The types of records that hang on one another, each with a uuid and the one before it (claude-code.md §3). */
export const CHAIN_TYPES = ['user', 'assistant', 'system', 'attachment', 'progress'] as const;

/** The types of records that stand beside the chain (claude-code.md §4). */
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

/** Types whose records hang on one another. */
export const IS_CHAIN: ReadonlySet<unknown> = new Set(CHAIN_TYPES);

/** Every type that has been seen; about one more comes each month. */
export const KNOWN_TYPES: ReadonlySet<unknown> = new Set([...CHAIN_TYPES, ...SIDE_TYPES]);
