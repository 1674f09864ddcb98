import { locate } from '../json/locate.ts';
import { formatPath, type JsonPath } from '../json/path.ts';
import { excerptAround, placeInText, utf16Length } from '../json/place.ts';
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

/** Where a member of a record stands in the log; of a missing one, where the object is that should hold it. */
export function placeInRecord(record: LogRecord, path: JsonPath): Place {
  const { bytes, start, end, scanner, line, byteStart } = record;
  const found = locate(bytes, scanner.valueStart, scanner.valueEnd, path);
  return {
    line,
    column: utf16Length(bytes, start, found.start) + 1,
    byteStart: byteStart + (found.start - start),
    byteEnd: byteStart + (found.end - start),
    excerpt: excerptAround(bytes, start, end, found.start),
    ...(path.length > 0 && { path: formatPath(path) }),
  };
}

/** The same for a document that fills a file, over one line or many. */
export function placeInDocument(bytes: Uint8Array, path: JsonPath): Place {
  const found = locate(bytes, 0, bytes.length, path);
  const { line, column, lineStart, lineEnd } = placeInText(bytes, found.start);
  return {
    line,
    column,
    byteStart: found.start,
    byteEnd: found.end,
    excerpt: excerptAround(bytes, lineStart, lineEnd, found.start),
    ...(path.length > 0 && { path: formatPath(path) }),
  };
}
