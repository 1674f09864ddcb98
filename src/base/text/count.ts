/** A count for people: `4,450`. Unlike `toLocaleString`, this does not load language data. */
export const countText = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `1 byte`, `18,980 bytes`. */
export const bytesText = (count: number): string => `${countText(count)} byte${count === 1 ? '' : 's'}`;

/** An amount in a sentence: `at least 3` if there may be more. */
export const atLeast = (isMinimum: boolean, amount: number | string): string =>
  `${isMinimum ? 'at least ' : ''}${amount}`;

/** An amount in a table: `≥ 3` if there may be more. */
export const atLeastCell = (isMinimum: boolean, amount: number | string): string =>
  `${isMinimum ? '≥ ' : ''}${amount}`;
