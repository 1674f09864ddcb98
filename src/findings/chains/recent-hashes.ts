/** Where a record with a hash is. */
interface SeenRecord {
  readonly line: number;
  /** The record has a finding. */
  readonly isWrong: boolean;
}

/** In records: how far back a record is found again. A power of two. */
const FAR = 8192;

/**
 * The places of the last records by their hashes, in bounded memory. Most logs hold, and nothing is looked up in them. So
 * the hashes are only listed until the first look-up.
 */
export class RecentHashes {
  readonly #hashes: string[] = [];
  readonly #lines = new Float64Array(FAR);
  readonly #wrong = new Uint8Array(FAR);
  #count = 0;
  #young: Map<string, SeenRecord> | undefined;
  #old = new Map<string, SeenRecord>();

  get(hash: string): SeenRecord | undefined {
    this.#young ??= this.#indexed();
    return this.#young.get(hash) ?? this.#old.get(hash);
  }

  set(hash: string, line: number, isWrong: boolean): void {
    if (this.#young === undefined) {
      const at = this.#count++ % FAR;
      this.#hashes[at] = hash;
      this.#lines[at] = line;
      this.#wrong[at] = isWrong ? 1 : 0;
      return;
    }
    if (this.#young.size >= FAR) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(hash, { line, isWrong });
  }

  #indexed(): Map<string, SeenRecord> {
    const all = new Map<string, SeenRecord>();
    for (let number = Math.max(0, this.#count - FAR); number < this.#count; number += 1) {
      const at = number % FAR;
      const hash = this.#hashes[at];
      if (hash !== undefined) all.set(hash, { line: this.#lines[at] ?? 0, isWrong: this.#wrong[at] === 1 });
    }
    this.#hashes.length = 0;
    return all;
  }
}
