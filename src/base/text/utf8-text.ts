import { isAscii } from 'node:buffer';

/** The text of UTF-8 bytes. As most files are ASCII, it is decoded several times as fast as `toString` does it. */
export const utf8Text = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
