import type { FileDigest } from '../../../files/digest.ts';
import { hashesSlowly, LocalHash, type StreamHash, ThreadHash } from '../../../files/stream-hash.ts';

/** Below this a thread is not worth starting. */
const WORTH_A_THREAD = 32 * 1024 * 1024;

/**
 * Hashes a log while it is read, and remembers the hash at the length that the manifest sealed, so that a changed log
 * can be told from one that only grew.
 */
export class SealedLog {
  readonly #hash: StreamHash;
  /** The length that was sealed; infinite where the manifest does not list the log. */
  readonly sealedSize: number;
  readonly #sealedHash: string | undefined;
  #size = 0;
  #prefixHash: string | undefined;
  #result: FileDigest | undefined;

  /**
   * The size and hash (`sha256:…`) the manifest gives; undefined where it does not list the log. Where there is a
   * compiled worker for it, a long log is hashed in a thread of its own where hashing is slow.
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
    this.#hash.mark();
    this.#hash.update(chunk.subarray(cut));
  }

  /** What to wait for before more is added, where the hash lags behind. */
  pressure(): Promise<void> | undefined {
    return this.#hash.pressure();
  }

  /** To be called when the log has been read, or could not be. */
  close(): void {
    this.#hash.close();
  }

  /** To be awaited when all has been added: from then on the hash is known. */
  async settle(): Promise<void> {
    const { sha256, marks } = await this.#hash.finish();
    const [prefix] = marks;
    if (prefix !== undefined) this.#prefixHash = `sha256:${prefix}`;
    this.#result = { sha256, size: this.#size };
  }

  /** How many bytes were added. */
  get size(): number {
    return this.#size;
  }

  /** The hash, in hex, and the length of all that was added; undefined until it is settled. */
  get result(): FileDigest | undefined {
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
