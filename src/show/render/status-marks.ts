import type { Outcome } from '../../dialects/sessions/kit/outcome.ts';

/**
 * The status of an event, a call or a turn as one character, visible without colour. `veto`: a person, a rule or a limit refused
 * or stopped it, so that it did not fail by itself.
 */
export const STATUS_MARKS: Readonly<Record<Outcome, string>> = {
  ok: ' ',
  error: '✗',
  veto: '⊘',
  open: '…',
  unknown: '?',
};

/** Marks a run whose log has damaged lines, after its status. */
export const DAMAGED_MARK = '!';
