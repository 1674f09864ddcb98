import type { Account } from '../../dialects/kit/account.ts';

/** Why a run is not over. A session that was opened and left has no prompt that something could answer. */
export function whyGoingOn(account: Account | undefined): string {
  if (account?.isOver !== false) return 'the log does not say that it ended';
  const hasNoPrompt = account.status === 'open' && account.steps.length === 0;
  return hasNoPrompt ? 'it has no prompt: nothing was asked yet' : 'it has not ended';
}
