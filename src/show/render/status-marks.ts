import type { SpanStatus } from '../../dialects/kit/account.ts';

/** The status of an event as one character, visible without colour. */
export const STATUS_MARKS: Readonly<Record<SpanStatus, string>> = {
  ok: ' ',
  error: '✗',
  veto: '⊘',
  open: '…',
};
