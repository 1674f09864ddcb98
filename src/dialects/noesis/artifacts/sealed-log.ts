import { createHash } from 'node:crypto';

/**
 * Hashes a log while it is read, and remembers the hash at the length that the manifest sealed, so that a changed log
 * can be told from one that only grew.
 */
export class SealedLog {
  readonly #hash = createHash('sha256');
  /** The length that was sealed; infinite where the manifest does not list the log. */
  readonly sealedSize: number;
  readonly #sealedHash: string | undefined;
  #size = 0;
  #prefixHash: string | undefined;
  #result: { sha256: string; size: number } | undefined;

  /** The size and hash (`sha256:…`) the manifest gives; undefined where it does not list the log. */
  constructor(sealed: { readonly size_bytes: number; readonly sha256: string } | undefined) {
    this.sealedSize = sealed?.size_bytes ?? Infinity;
    this.#sealedHash = sealed?.sha256;
  }

  /** Takes in the next bytes. */
  add(chunk: Buffer): void {
    const cut = this.sealedSize - this.#size;
    this.#size += chunk.length;
    // Nothing to compare with: the hash is not worth its time.
    if (this.#sealedHash === undefined) return;
    if (cut < 0 || cut >= chunk.length) {
      this.#hash.update(chunk);
      return;
    }
    this.#hash.update(chunk.subarray(0, cut));
    this.#prefixHash = `sha256:${this.#hash.copy().digest('hex')}`;
    this.#hash.update(chunk.subarray(cut));
  }

  /** How many bytes were added. */
  get size(): number {
    return this.#size;
  }

  /** The hash, in hex, and the length of all that was added. */
  result(): { sha256: string; size: number } {
    this.#result ??= { sha256: this.#hash.digest('hex'), size: this.#size };
    return this.#result;
  }

  /** Whether the log begins with exactly the sealed bytes and goes on after them. */
  get isExtended(): boolean {
    return this.#prefixHash !== undefined && this.#prefixHash === this.#sealedHash;
  }

  /** How the log differs from the sealed one, as far as that can be known. */
  change(): string {
    const sealed = this.sealedSize;
    if (this.isExtended)
      return `its first ${sealed} bytes are the sealed ones, and ${this.#size - sealed} bytes were added`;
    const missing = sealed - this.#size;
    if (missing > 0) return `it is ${missing} byte${missing === 1 ? '' : 's'} shorter: cut off, or rewritten`;
    if (this.#size > sealed) return `it was rewritten, and is ${this.#size - sealed} bytes longer`;
    return 'it was rewritten at the same length';
  }
}
