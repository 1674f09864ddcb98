import type { JsonPath } from './path.ts';
import { type Located, ValueIndex } from './value-index.ts';

export type { Located };

/**
 * Where the value at `path` stands in a text that the scanner has accepted: its bytes, or those of the nearest
 * ancestor that is there. Walks over the whole text: for many paths of one text take a {@link ValueIndex}.
 */
export function locate(bytes: Uint8Array, start: number, end: number, path: JsonPath): Located {
  return new ValueIndex(bytes, start, end).locate(path);
}
