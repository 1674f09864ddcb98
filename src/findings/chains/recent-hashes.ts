/** Where a record with a hash is. */
interface Place {
  readonly line: number;
  /** The record has a finding. */
  readonly isWrong: boolean;
}

/** In records: how far back a record is found again. */
const FAR = 16_384;

/** The places of the last records by their hashes, in bounded memory. */
export class RecentHashes {
  #young = new Map<string, Place>();
  #old = new Map<string, Place>();

  get(hash: string): Place | undefined {
    return this.#young.get(hash) ?? this.#old.get(hash);
  }

  set(hash: string, place: Place): void {
    if (this.#young.size >= FAR) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(hash, place);
  }
}
