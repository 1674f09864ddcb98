import type { SpanStatus } from '../dialects/account.ts';

/** How an event went, in one column: to be seen without colour too. */
export const STATUS_MARKS: Readonly<Record<SpanStatus, string>> = {
  ok: ' ',
  error: '✗',
  veto: '⊘',
  open: '…',
};
