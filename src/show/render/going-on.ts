import type { Account } from '../../dialects/kit/account.ts';

/**
 * What is known of the end of a run. A program that was stopped from outside writes no end, so that nobody knows whether it
 * still works. A session that was opened and left has no prompt that something could answer.
 */
export function whyGoingOn(account: Account | undefined): string {
  const isOpen = account?.isOver === false && account.status === 'open';
  return isOpen && account.steps.length === 0
    ? 'it has no prompt: nothing was asked yet'
    : 'the log does not say that it ended';
}
