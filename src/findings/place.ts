import { formatPath, type JsonPath } from '../base/json/path.ts';
import { excerptAround, TextPlaces } from '../base/json/place.ts';
import { type Located, ValueIndex } from '../base/json/value-index.ts';
import type { LogRecord } from '../log/record.ts';

/** The fields of a finding that say where it is. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly excerpt: string;
  readonly path?: string;
}

/** A JSON text in memory, and its place in the file. */
interface PlacedText {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The line and offset of its first byte. */
  readonly line: number;
  readonly byteStart: number;
}

/**
 * Finds places in one JSON text. It is scanned once for values and once for lines, however many places are
 * asked for.
 */
export class Places {
  readonly #source: PlacedText;
  readonly #text: TextPlaces;
  #index: ValueIndex | undefined;

  constructor(source: PlacedText) {
    this.#source = source;
    this.#text = new TextPlaces(source.bytes, source.start, source.end);
  }

  /** The place of the value at a path. For a missing value, the object that should contain it. */
  at(path: JsonPath): Place {
    const { start, end } = this.locate(path);
    return Object.assign(this.between(start, end), path.length > 0 && { path: formatPath(path) });
  }

  /** Only the line and column of the value at a path. */
  spotAt(path: JsonPath): { readonly line: number; readonly column: number } {
    return this.#text.at(this.locate(path).start);
  }

  /** Only the column of an offset. */
  columnOf(from: number): number {
    return this.#text.at(from).column;
  }

  /** The bytes of the value at a path, or of its nearest existing ancestor. */
  locate(path: JsonPath): Located {
    const { bytes, valueStart, valueEnd } = this.#source;
    this.#index ??= new ValueIndex(bytes, valueStart, valueEnd);
    return this.#index.locate(path);
  }

  /** The place of `bytes[from, to)`. */
  between(from: number, to: number): Place {
    const { bytes, start, line: firstLine, byteStart } = this.#source;
    const { line, column, lineStart, lineEnd } = this.#text.at(from);
    return {
      line: firstLine + line - 1,
      column,
      byteStart: byteStart + (from - start),
      byteEnd: byteStart + (to - start),
      excerpt: excerptAround(bytes, lineStart, lineEnd, from),
    };
  }
}

/** Places in a record, valid as long as its window is. */
export function placesInRecord(record: LogRecord): Places {
  const { bytes, start, end, valueStart, valueEnd, line, byteStart } = record;
  return new Places({ bytes, start, end, valueStart, valueEnd, line, byteStart });
}

/** Places in a document that is a whole file. */
export function placesInDocument(bytes: Uint8Array): Places {
  const end = bytes.length;
  return new Places({ bytes, start: 0, end, valueStart: 0, valueEnd: end, line: 1, byteStart: 0 });
}
