/** Who a record of a conversation is from, as `--role` accepts it. */
export const ROLES = ['user', 'assistant', 'tool'] as const;

export type Role = (typeof ROLES)[number];

const BY_KIND: Readonly<Record<string, Role>> = {
  prompt: 'user',
  say: 'assistant',
  think: 'assistant',
  call: 'assistant',
  answer: 'assistant',
  result: 'tool',
};

/** The role of a record by its kind; undefined for a record that is not part of the conversation. */
export const roleOfKind = (kind: string): Role | undefined =>
  Object.hasOwn(BY_KIND, kind) ? BY_KIND[kind] : undefined;
