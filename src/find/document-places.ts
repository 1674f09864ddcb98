import type { JsonPath } from '../base/json/path.ts';
import { isObject, type JsonValue } from '../base/json/value.ts';
import { type Place, type Places, placesInDocument } from '../findings/place.ts';

/**
 * The paths of records in a document. They must be the elements of one of its lists, and the first may be the
 * rest of the document. Undefined otherwise.
 */
function pathsOf(document: JsonValue, records: readonly JsonValue[]): JsonPath[] | undefined {
  const left: [value: JsonValue, path: JsonPath][] = [[document, []]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, path] = next;
    if (Array.isArray(value)) {
      const heads = records.length - value.length;
      if ((heads === 0 || heads === 1) && value.every((element, index) => element === records[index + heads]))
        return [...(heads === 1 ? [[]] : []), ...value.map((_, index) => [...path, index])];
    } else if (isObject(value))
      for (const [key, member] of Object.entries(value)) left.push([member, [...path, key]]);
  }
  return undefined;
}

/** A damaged document: the places of the damage and of the omitted part, and the text that could be read. */
export interface DocumentDamage {
  readonly offset: number;
  readonly rest: number;
  readonly read: Buffer;
}

/** Where the records of a document are in its file. */
export class DocumentPlaces {
  /** The line of each record in a copy with a record per line, ascending. The last may be that of the damage. */
  readonly lines: readonly number[];
  /** Whether these are also the lines in the file. If it has several records on a line, they count records. */
  readonly areTrue: boolean;
  readonly #read: Places;
  readonly #damage: Place | undefined;
  /** By line. */
  readonly #paths: ReadonlyMap<number | undefined, JsonPath>;

  private constructor(bytes: Buffer, paths: readonly JsonPath[], damage: DocumentDamage | undefined) {
    this.#read = placesInDocument(damage?.read ?? bytes);
    const starts = paths.map((path) => this.#read.spotAt(path).line);
    if (damage) {
      const all = placesInDocument(bytes);
      this.#damage = all.between(damage.offset, damage.offset);
      starts.push(all.between(damage.rest, damage.rest).line);
    }
    this.areTrue = starts.every((line, index) => index === 0 || line > (starts[index - 1] ?? 0));
    this.lines = this.areTrue ? starts : starts.map((_, index) => index + 1);
    this.#paths = new Map(paths.map((path, index) => [this.lines[index], path]));
  }

  /** Undefined if the records are not in the document because they were made from it. */
  static of(
    bytes: Buffer,
    document: JsonValue,
    records: readonly JsonValue[],
    damage?: DocumentDamage,
  ): DocumentPlaces | undefined {
    const paths = pathsOf(document, records);
    return paths && new DocumentPlaces(bytes, paths, damage);
  }

  /** The place of a value in a record, by the record's line in the copy. Any other line is the damage. */
  at(line: number, path: JsonPath): Place | undefined {
    const record = this.#paths.get(line);
    return record === undefined ? this.#damage : this.#read.at([...record, ...path]);
  }
}
