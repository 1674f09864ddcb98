/** Who a record of a conversation is from, as `--role` accepts it. */
export const ROLES = ['user', 'assistant', 'tool'] as const;

export type Role = (typeof ROLES)[number];
