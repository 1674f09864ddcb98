import type { RowStatus } from '../../read/describe/session-timeline.ts';

/** The status of an event as one character, visible without colour. */
export const STATUS_MARKS: Readonly<Record<RowStatus, string>> = {
  ok: ' ',
  error: '✗',
  veto: '⊘',
  open: '…',
  unknown: '?',
};
