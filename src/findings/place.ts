import { formatPath, type JsonPath } from '../json/path.ts';
import { excerptAround, TextPlaces } from '../json/place.ts';
import { type Located, ValueIndex } from '../json/value-index.ts';
import type { LogRecord } from '../log/record.ts';

/** The part of a finding that says where. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly excerpt: string;
  readonly path?: string;
}

/** A JSON text in memory, and where it stands in its file. */
interface PlacedText {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The line and the offset of its first byte in the file. */
  readonly line: number;
  readonly byteStart: number;
}

/**
 * Places in one JSON text. Whatever their number, the text is gone over once for its values and once for its lines: a
 * document of a megabyte may have a fault in every value.
 */
export class Places {
  readonly #source: PlacedText;
  readonly #text: TextPlaces;
  #index: ValueIndex | undefined;

  constructor(source: PlacedText) {
    this.#source = source;
    this.#text = new TextPlaces(source.bytes, source.start, source.end);
  }

  /** Where the value at a path stands; of a missing one, where the object is that should hold it. */
  at(path: JsonPath): Place {
    const { start, end } = this.locate(path);
    return Object.assign(this.between(start, end), path.length > 0 && { path: formatPath(path) });
  }

  /** The line and column of the value at a path, where they alone are asked for. */
  spotAt(path: JsonPath): { readonly line: number; readonly column: number } {
    return this.#text.at(this.locate(path).start);
  }

  /** The column of a place, where that alone is asked for. */
  columnOf(from: number): number {
    return this.#text.at(from).column;
  }

  /** The bytes of the value at a path, or of its nearest ancestor that is there. */
  locate(path: JsonPath): Located {
    const { bytes, valueStart, valueEnd } = this.#source;
    this.#index ??= new ValueIndex(bytes, valueStart, valueEnd);
    return this.#index.locate(path);
  }

  /** Where `bytes[from, to)` stands. */
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

/** Places in a record, for as long as its window stands. */
export function placesInRecord(record: LogRecord): Places {
  const { bytes, start, end, valueStart, valueEnd, line, byteStart } = record;
  return new Places({ bytes, start, end, valueStart, valueEnd, line, byteStart });
}

/** Places in a document that fills a file, over one line or many. */
export function placesInDocument(bytes: Uint8Array): Places {
  const end = bytes.length;
  return new Places({ bytes, start: 0, end, valueStart: 0, valueEnd: end, line: 1, byteStart: 0 });
}
