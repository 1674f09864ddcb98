import { hash } from 'node:crypto';

/** A sha256 of 32 bytes. */
export type Hash = Buffer;

const LEAF = Buffer.from([0x00]);
const NODE = Buffer.from([0x01]);

const sha256 = (bytes: Uint8Array): Hash => hash('sha256', bytes, 'buffer');

/** The hash of a leaf (RFC 6962, section 2.1). */
export function leafHash(leaf: Uint8Array): Hash {
  return sha256(Buffer.concat([LEAF, leaf]));
}

const nodeHash = (left: Hash, right: Hash): Hash => sha256(Buffer.concat([NODE, left, right]));

/** The root of a tree of leaves that come one after the other. Holds one hash for each power of two in their number. */
export class MerkleTree {
  /** By height: the root of a full tree of so many leaves that waits for one of its size to its right. */
  readonly #waiting: (Hash | undefined)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(leaf: Hash): void {
    let node = leaf;
    let height = 0;
    for (let left = this.#waiting[height]; left !== undefined; left = this.#waiting[height]) {
      node = nodeHash(left, node);
      this.#waiting[height] = undefined;
      height += 1;
    }
    this.#waiting[height] = node;
    this.#size += 1;
  }

  /** The root over all leaves so far; that of no leaves is the hash of nothing. */
  root(): Hash {
    let right: Hash | undefined;
    for (const left of this.#waiting) if (left !== undefined) right = right ? nodeHash(left, right) : left;
    return right ?? sha256(new Uint8Array());
  }
}
