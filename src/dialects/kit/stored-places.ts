import type { LogRecord } from '../../log/record.ts';
import { PlainTextIndex } from '../../log/text-index.ts';
import type { StoredAt } from './writing.ts';

/** The places of records by id or key. If a name occurs twice, the first place counts. */
export class StoredPlaces {
  readonly #names = new PlainTextIndex();
  /** Line, start and end of each record, one after another. */
  readonly #places: number[] = [];

  has(name: string): boolean {
    return this.#names.find(name) >= 0;
  }

  add(name: string | undefined, { line, byteStart, byteEnd }: LogRecord): void {
    if (name === undefined || this.has(name)) return;
    this.#names.intern(name);
    this.#places.push(line, byteStart, byteEnd);
  }

  find(name: string): StoredAt | undefined {
    const at = this.#names.find(name) * 3;
    const [line, byteStart, byteEnd] = at < 0 ? [] : this.#places.slice(at, at + 3);
    return line === undefined || byteStart === undefined || byteEnd === undefined
      ? undefined
      : { line, byteStart, byteEnd };
  }
}
