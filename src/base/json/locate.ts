import type { JsonPath } from './path.ts';
import { type Located, ValueIndex } from './value-index.ts';

export type { Located };

/**
 * The byte range of the value at `path` in a valid text, or of its nearest existing ancestor. Scans the whole
 * text; use a {@link ValueIndex} to look up many paths.
 */
export function locate(bytes: Uint8Array, start: number, end: number, path: JsonPath): Located {
  return new ValueIndex(bytes, start, end).locate(path);
}
