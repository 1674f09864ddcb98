import { isUtf8 } from 'node:buffer';
import { strippedRange } from './strip.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The length of a byte order mark at the start of some bytes, or 0. */
export const markLength = (bytes: Uint8Array): number =>
  BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length)) ? BYTE_ORDER_MARK.length : 0;

/**
 * The text of a line of a log, for readers that only glance at it. As for a full reader, a byte order mark before the
 * first line and white space around the text are not part of it, and a line that is not UTF-8 has no text.
 */
export function textOfLine(bytes: Buffer, isFirst: boolean): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const { start, end } = strippedRange(bytes, isFirst ? markLength(bytes) : 0, bytes.length);
  return bytes.toString('utf8', start, end);
}
