import { atLeast, countText } from '../../base/text/count.ts';
import { type FailedCalls, failedText } from '../../dialects/kit/failed-calls.ts';

/** `1 error`, `2 errors`. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number of repaired copies, which `list` names among its runs and `stats` leaves out. */
export const copiesCounted = (count: number): string =>
  `${countText(count)} repaired ${count === 1 ? 'copy' : 'copies'}`;

/** `3 calls, 1 failed`. `isLeast`: some may be missing. */
export const withFailed = (count: number, noun: string, calls: FailedCalls, isLeast = false): string =>
  [atLeast(isLeast, plural(count, noun)), failedText(calls)].filter((text) => text !== '').join(', ');

/** `2 errors, 5 warnings`, without zeros. */
export function tally(errors: number, warnings: number, infos = 0): string {
  const parts = [
    errors > 0 ? plural(errors, 'error') : '',
    warnings > 0 ? plural(warnings, 'warning') : '',
    infos > 0 ? plural(infos, 'info') : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `12, result 14`: where a call is, and where it failed; `12 of agent-ab` for a line in the log of a part. */
export const placeText = ({
  line,
  resultLine = line,
  part,
}: {
  readonly line: number;
  readonly resultLine?: number | undefined;
  readonly part?: string | undefined;
}): string =>
  `${line}${resultLine === line ? '' : `, result ${resultLine}`}${part === undefined ? '' : ` of ${part}`}`;
