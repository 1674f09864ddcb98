import { createHash } from 'node:crypto';

/** `sha256:` and 64 lower-case hex digits, over the raw bytes. */
export const sha256 = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
