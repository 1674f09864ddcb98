import type { BigIntStats } from 'node:fs';

/** A file that changed this recently may change again without another time. In milliseconds. */
const YOUNG_MS = 2000;

/**
 * What the content of a file is known by: another key means that it may have changed. Undefined if it may change without
 * a change of its key, or is no file. `now`: in milliseconds since 1970.
 */
export function fileKey(status: BigIntStats | undefined, now: number): string | undefined {
  if (!status?.isFile()) return undefined;
  const { dev, ino, size, mtimeMs, ctimeMs, mtimeNs, ctimeNs } = status;
  const changed = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  return now - changed > YOUNG_MS ? [dev, ino, size, mtimeNs, ctimeNs].join('.') : undefined;
}
