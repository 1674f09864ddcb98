/**
 * Parts of texts that a program makes up, so that they differ between any two runs: times, UUIDs, ULIDs, ids with a date or
 * prefix (`toolu_01ABC…`), digests. Each alternative starts at a word boundary, so matching takes linear
 * time.
 */
export const INCIDENTAL = new RegExp(
  [
    /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?/,
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
    /[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z])/,
    /\d{8}_\d{6}(?:_\d{1,9}){0,4}(?![0-9A-Za-z])/,
    /(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}(?![0-9A-Za-z])/,
    /[A-Za-z]{1,20}_(?=[A-Za-z]*\d)[0-9A-Za-z]{16,}(?![0-9A-Za-z])/,
  ]
    .map(({ source }) => `(?<![0-9A-Za-z])${source}`)
    .join('|'),
  'g',
);

const WHOLE = new RegExp(`^(?:${INCIDENTAL.source})$`);
/** Signed or encrypted content, in Base64. */
const BASE64 = /^(?!\/)(?=.*\d)(?=.*[A-Z])[A-Za-z0-9+/_-]{60,}={0,2}$/;

/** Whether a text is nothing but an id, a time, a digest or encoded bytes, so that a part of it says nothing. */
export const isIncidental = (text: string): boolean => WHOLE.test(text) || BASE64.test(text);
