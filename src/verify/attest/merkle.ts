import { hash } from 'node:crypto';

/** A sha256 of 32 bytes. */
export type Hash = Buffer;

const LEAF = Buffer.from([0x00]);
const NODE = 0x01;

const sha256 = (bytes: Uint8Array): Hash => hash('sha256', bytes, 'buffer');

/** The hash of a leaf (RFC 6962, section 2.1). */
export function leafHash(leaf: Uint8Array): Hash {
  return sha256(Buffer.concat([LEAF, leaf]));
}

const node = Buffer.alloc(65, NODE);

/** Reuses one buffer, because a log of ten million lines has as many nodes. */
function nodeHash(left: Hash, right: Hash): Hash {
  left.copy(node, 1);
  right.copy(node, 33);
  return sha256(node);
}

/** Computes the root of leaves that are added in order. Keeps one hash for each set bit of their number. */
export class MerkleTree {
  /** By height: the root of a full subtree that waits for its right sibling. */
  readonly #waiting: (Hash | undefined)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(leaf: Hash): void {
    let root = leaf;
    let height = 0;
    for (let left = this.#waiting[height]; left !== undefined; left = this.#waiting[height]) {
      root = nodeHash(left, root);
      this.#waiting[height] = undefined;
      height += 1;
    }
    this.#waiting[height] = root;
    this.#size += 1;
  }

  /** The root of all leaves so far. Without leaves it is the hash of an empty string. */
  root(): Hash {
    let right: Hash | undefined;
    for (const left of this.#waiting) if (left !== undefined) right = right ? nodeHash(left, right) : left;
    return right ?? sha256(new Uint8Array());
  }
}
