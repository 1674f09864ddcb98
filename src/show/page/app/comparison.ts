import type { ComparisonDocument, EventTable, ValueChange } from '../page-data.ts';
import { StoredLines } from './stored-lines.ts';

export type PairKind = 'same' | 'changed' | 'missing' | 'added';

/** A pair of events; -1 for a side without one. */
export interface Pair {
  readonly kind: PairKind;
  readonly a: number;
  readonly b: number;
}

const rowsByLine = ({ line }: EventTable): ReadonlyMap<number, number> =>
  new Map(line.map((number, row) => [number, row]));

/** All events of two runs, in pairs. */
export class Comparison {
  readonly document: ComparisonDocument;
  readonly pairs: readonly Pair[];
  readonly #a: StoredLines;
  readonly #b: StoredLines;

  constructor(document: ComparisonDocument, linesA: string, linesB: string) {
    this.document = document;
    this.#a = new StoredLines(linesA, document.a.line.length);
    this.#b = new StoredLines(linesB, document.b.line.length);
    const [ofA, ofB] = [rowsByLine(document.a), rowsByLine(document.b)];
    const pairs: Pair[] = [];
    for (const { kind, a, b, count } of document.blocks) {
      for (let at = 0; at < count; at += 1) {
        const rowOf = (rows: ReadonlyMap<number, number>, line: number | undefined) =>
          line === undefined ? -1 : (rows.get(line + at) ?? -1);
        pairs.push({ kind, a: rowOf(ofA, a), b: rowOf(ofB, b) });
      }
    }
    this.pairs = pairs;
  }

  /** The index of the pair with a line of a run. */
  pairOf(letter: 'A' | 'B', line: number): number {
    const { a, b } = this.document;
    return this.pairs.findIndex((pair) => (letter === 'A' ? a.line[pair.a] : b.line[pair.b]) === line);
  }

  storedA(row: number): string {
    return this.#a.at(row);
  }

  storedB(row: number): string {
    return this.#b.at(row);
  }

  /** The changes between the events of a pair; undefined if they were not compared. */
  fieldsOf({ a }: Pair): readonly ValueChange[] | undefined {
    return this.document.fields[this.document.a.line[a] ?? -1];
  }
}
