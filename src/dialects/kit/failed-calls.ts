/** How many calls did not succeed. */
export interface FailedCalls {
  /** Those that failed, were refused or stopped, or have no result. */
  readonly failed: number;
  /** Those of {@link failed} that a person or a rule did not allow. */
  readonly refused?: number;
  /** Those of {@link failed} that were stopped. */
  readonly interrupted?: number;
}

/** Counts of calls that did not succeed, without zeros. */
export const failedCalls = (failed: number, refused: number, interrupted: number): FailedCalls => ({
  failed,
  ...(refused > 0 && { refused }),
  ...(interrupted > 0 && { interrupted }),
});

/** Adds up calls that did not succeed. */
export function sumOfFailed(all: readonly FailedCalls[]): FailedCalls {
  const sum = (of: keyof FailedCalls) => all.reduce((total, calls) => total + (calls[of] ?? 0), 0);
  return failedCalls(sum('failed'), sum('refused'), sum('interrupted'));
}

/** Numbers and their words, without zeros. A call that was refused or interrupted did not fail. */
const waysToFail = ({ failed, refused = 0, interrupted = 0 }: FailedCalls) =>
  (
    [
      [failed - refused - interrupted, 'failed'],
      [refused, 'refused'],
      [interrupted, 'interrupted'],
    ] as const
  ).filter(([count]) => count > 0);

/** `2 failed, 1 refused`; empty if all calls succeeded. */
export const failedText = (calls: FailedCalls): string =>
  waysToFail(calls)
    .map(([count, how]) => `${count} ${how}`)
    .join(', ');

/** `2 + 1 refused`, in a column of failed calls. */
export const failedCell = (calls: FailedCalls): string =>
  waysToFail(calls)
    .map(([count, how]) => (how === 'failed' ? `${count}` : `${count} ${how}`))
    .join(' + ');
