import type { FileDigest } from '../../../base/files/digest.ts';
import { hashesSlowly, LocalHash, type StreamHash, ThreadHash } from '../../../base/files/stream-hash.ts';
import { bytesText } from '../../../base/text/count.ts';

/** In bytes. For a shorter log, a worker thread costs more time than it saves. */
const WORTH_A_THREAD = 32 * 1024 * 1024;

/** Hashes a log while it is read, also up to the sealed length. This shows whether a changed log was only extended. */
export class SealedLog {
  readonly #hash: StreamHash;
  /** The sealed length; infinite if the manifest does not list the log. */
  readonly sealedSize: number;
  readonly #sealedHash: string | undefined;
  #size = 0;
  #prefixHash: string | undefined;
  #result: FileDigest | undefined;

  /**
   * Takes the size and hash (`sha256:…`) from the manifest; undefined if it does not list the log. A long log
   * is hashed in a worker if hashing is slow and a worker is available.
   */
  constructor(
    sealed: { readonly size_bytes: number; readonly sha256: string } | undefined,
    hashWorker?: URL,
  ) {
    this.sealedSize = sealed?.size_bytes ?? Infinity;
    this.#sealedHash = sealed?.sha256;
    const isLong = sealed !== undefined && sealed.size_bytes >= WORTH_A_THREAD;
    /* v8 ignore next -- whether hashing is slow depends on the machine */
    this.#hash = hashWorker && isLong && hashesSlowly() ? new ThreadHash(hashWorker) : new LocalHash();
  }

  add(chunk: Buffer): void {
    const cut = this.sealedSize - this.#size;
    this.#size += chunk.length;
    // Without a sealed hash there is nothing to compare.
    if (this.#sealedHash === undefined) return;
    if (cut < 0 || cut >= chunk.length) {
      this.#hash.update(chunk);
      return;
    }
    this.#hash.update(chunk.subarray(0, cut));
    this.#hash.mark();
    this.#hash.update(chunk.subarray(cut));
  }

  /** If this returns a promise, await it before adding more: the hash is behind. */
  pressure(): Promise<void> | undefined {
    return this.#hash.pressure();
  }

  /** Call this after reading the log, even if reading failed. */
  close(): void {
    this.#hash.close();
  }

  /** Waits until everything that was added is hashed; then `result` is set. */
  async settle(): Promise<void> {
    const { sha256, marks } = await this.#hash.finish();
    const [prefix] = marks;
    if (prefix !== undefined) this.#prefixHash = `sha256:${prefix}`;
    this.#result = { sha256, size: this.#size };
  }

  get size(): number {
    return this.#size;
  }

  /** The hash in hex and the length; undefined until settled. */
  get result(): FileDigest | undefined {
    return this.#result;
  }

  /** Whether the log consists of exactly the sealed bytes and more after them. */
  get isExtended(): boolean {
    return this.#prefixHash !== undefined && this.#prefixHash === this.#sealedHash;
  }

  /** Explains how the log differs from the sealed one, as far as known. */
  change(): string {
    const sealed = this.sealedSize;
    if (this.isExtended)
      return `its first ${bytesText(sealed)} are the sealed ones, and ${bytesText(this.#size - sealed)} were added`;
    const missing = sealed - this.#size;
    if (missing > 0) return `it is ${bytesText(missing)} shorter (cut off or rewritten)`;
    if (this.#size > sealed) return `it was rewritten, and is ${bytesText(this.#size - sealed)} longer`;
    return 'it was rewritten at the same length';
  }
}
