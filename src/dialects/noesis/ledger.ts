import { IdIndex } from '../../log/id-index.ts';

/** Ids with the line they came on and the ordinal of what caused them. Ordinals count from 0. */
export interface IdRegistry {
  readonly size: number;
  /** The ordinal of an id, or a negative number. */
  find(id: string): number;
  /** Adds an id; the ordinal of an equal one that was there before, or -1 when it is new. */
  add(id: string, line: number, parent?: number): number;
  lineOf(ordinal: number): number;
  /** The ordinal of what caused an id, or -1. */
  parentOf(ordinal: number): number;
  setParent(ordinal: number, parent: number): void;
  idOf(ordinal: number): string;
}

/** What the checks remember of every record of a log, in one place. */
export interface Ledger {
  /** Ids of events; the parent is the event that `caused_by` names. */
  readonly ids: IdRegistry;
  /** The time of the record before, as it is written, and its line. */
  readonly previousTime: { readonly text: string; readonly line: number } | undefined;
  /** The last record of all. */
  readonly last: { readonly line: number; readonly id: string | undefined } | undefined;
  notePreviousTime(text: string, line: number): void;
  noteLast(line: number, id: string | undefined): void;
  countPhase(phase: string): void;
  phaseCount(phase: string): number;
}

/** Adds what {@link IdIndex} leaves out: parents, and the way back from ordinal to id. */
class PlainRegistry implements IdRegistry {
  readonly #index = new IdIndex();
  readonly #ids: string[] = [];
  #parents = new Int32Array(1024);

  get size(): number {
    return this.#index.size;
  }

  find(id: string): number {
    return this.#index.find(id);
  }

  add(id: string, line: number, parent = -1): number {
    const before = this.#index.add(id, line);
    if (before >= 0) return before;
    this.#ids.push(id);
    this.setParent(this.size - 1, parent);
    return -1;
  }

  lineOf(ordinal: number): number {
    return this.#index.lineOf(ordinal);
  }

  parentOf(ordinal: number): number {
    return this.#parents[ordinal] ?? -1;
  }

  setParent(ordinal: number, parent: number): void {
    if (ordinal >= this.#parents.length) {
      const grown = new Int32Array(Math.max(ordinal + 1, this.#parents.length * 2));
      grown.set(this.#parents);
      this.#parents = grown;
    }
    this.#parents[ordinal] = parent;
  }

  idOf(ordinal: number): string {
    return this.#ids[ordinal] ?? '';
  }
}

export class PlainLedger implements Ledger {
  readonly ids: IdRegistry = new PlainRegistry();
  previousTime: Ledger['previousTime'];
  last: Ledger['last'];
  readonly #phases = new Map<string, number>();

  notePreviousTime(text: string, line: number): void {
    this.previousTime = { text, line };
  }

  noteLast(line: number, id: string | undefined): void {
    this.last = { line, id };
  }

  countPhase(phase: string): void {
    this.#phases.set(phase, this.phaseCount(phase) + 1);
  }

  phaseCount(phase: string): number {
    return this.#phases.get(phase) ?? 0;
  }
}
