/** Why a call counts as one without success although it did not fail, and how a text says that. */
const OTHERWISE = {
  refused: 'refused',
  interrupted: 'interrupted',
  no_result: 'no result',
} as const;

type Otherwise = keyof typeof OTHERWISE;
const WAYS = Object.keys(OTHERWISE) as readonly Otherwise[];

/** How many calls did not succeed. */
export interface FailedCalls {
  /** Those that failed, were refused or stopped, or have no result. */
  readonly failed: number;
  /** Those of {@link failed} that a person or a rule did not allow. */
  readonly refused?: number;
  /** Those of {@link failed} that were stopped. */
  readonly interrupted?: number;
  /** Those of {@link failed} of which the log has no result, so that nobody knows how they ended. */
  readonly no_result?: number;
}

/** Counts of calls that did not succeed, without zeros. `count`: how many of them did not fail, by the reason and its word. */
export function failedCalls(
  failed: number,
  count: (of: Otherwise, how: (typeof OTHERWISE)[Otherwise]) => number,
): FailedCalls {
  const counts = WAYS.map((of) => [of, count(of, OTHERWISE[of])] as const).filter(([, number]) => number > 0);
  return { failed, ...Object.fromEntries(counts) };
}

/** Adds up calls that did not succeed. */
export function sumOfFailed(all: readonly FailedCalls[]): FailedCalls {
  const sum = (of: keyof FailedCalls) => all.reduce((total, calls) => total + (calls[of] ?? 0), 0);
  return failedCalls(sum('failed'), sum);
}

const otherwise = (calls: Omit<FailedCalls, 'failed'>) =>
  WAYS.map((of) => [calls[of] ?? 0, OTHERWISE[of]] as const);

type Counted = readonly (readonly [count: number, how: string])[];

const withWords = (counts: Counted): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, how]) => `${count} ${how}`)
    .join(', ');

/** Numbers and their words, without zeros: only calls with the result of a failure have failed. */
function waysToFail(calls: FailedCalls): Counted {
  const others = otherwise(calls);
  const failed = others.reduce((rest, [count]) => rest - count, calls.failed);
  return [[failed, 'failed'] as const, ...others].filter(([count]) => count > 0);
}

/** `2 failed, 1 refused`; empty if all calls succeeded. */
export const failedText = (calls: FailedCalls): string => withWords(waysToFail(calls));

/** How many of some calls without success did not fail: `1 refused`. */
export const otherwiseText = (calls: Omit<FailedCalls, 'failed'>): string => withWords(otherwise(calls));

/** `3 (1 refused)`: all calls without success, and those of them that did not fail. */
export const failedSum = (calls: FailedCalls): string => {
  const others = otherwiseText(calls);
  return `${calls.failed}${others === '' ? '' : ` (${others})`}`;
};

/** The calls that failed by themselves, in a column without room for the others. */
export const ownFailures = (calls: FailedCalls): string => {
  const failed = otherwise(calls).reduce((rest, [count]) => rest - count, calls.failed);
  return failed > 0 ? `${failed}` : '';
};

/** `2 + 1 refused`, in a column of failed calls. */
export const failedCell = (calls: FailedCalls): string =>
  waysToFail(calls)
    .map(([count, how]) => (how === 'failed' ? `${count}` : `${count} ${how}`))
    .join(' + ');
