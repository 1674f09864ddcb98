import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** The sha256 of all bytes, in lower-case hex, and of those before each mark. */
export interface Digests {
  readonly sha256: string;
  readonly marks: readonly string[];
}

/** Hashes bytes while they are read. */
export interface StreamHash {
  /** Takes in the next bytes; their memory may be used again afterwards. */
  update(bytes: Uint8Array): void;
  /** Asks for the hash of the bytes so far. */
  mark(): void;
  /** What to wait for before more is given, where the hash lags behind. */
  pressure(): Promise<void> | undefined;
  /** Says that no more will come. */
  finish(): Promise<Digests>;
  /** Gives back what it holds; to be called in any case. */
  close(): void;
}

/** Hashes in this thread. */
export class LocalHash implements StreamHash {
  readonly #hash = createHash('sha256');
  readonly #marks: string[] = [];

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  mark(): void {
    this.#marks.push(this.#hash.copy().digest('hex'));
  }

  pressure(): undefined {}

  async finish(): Promise<Digests> {
    return { sha256: this.#hash.digest('hex'), marks: this.#marks };
  }

  close(): void {}
}

/** What the thread is told: bytes to take in, or what to do. It gives bytes back to be used again, and answers `finish` with digests. */
export type HashOrder = Uint8Array<ArrayBuffer> | 'mark' | 'finish';
export type HashAnswer = Uint8Array<ArrayBuffer> | Digests;

/** So much may be on its way to the thread. */
const MAX_PENDING = 8 * 1024 * 1024;

/** In milliseconds for a mebibyte: what hashes faster is done before another thread has been handed the bytes. */
const WORTH_HANDING_OVER = 1.5;

let isSlow: boolean | undefined;

/** Whether a thread for hashing pays on this processor: with instructions for it a hash takes little longer than a copy. */
export function hashesSlowly(): boolean {
  isSlow ??= quickestHash() * 4 > WORTH_HANDING_OVER;
  return isSlow;
}

/** The milliseconds that a quarter of a mebibyte takes; the least of a few, as others use the machine. */
function quickestHash(): number {
  const bytes = Buffer.alloc(256 * 1024);
  const times = Array.from({ length: 4 }, () => {
    const before = performance.now();
    createHash('sha256').update(bytes).digest();
    return performance.now() - before;
  });
  return Math.min(...times);
}

/**
 * Hashes in a thread of its own: on processors without instructions for it the hash of a log takes as long as all other
 * checks together. Memory goes there and back: fresh memory would take longer to be had than to be hashed.
 */
export class ThreadHash implements StreamHash {
  readonly #worker: Worker;
  readonly #digests: Promise<Digests>;
  readonly #free: ArrayBuffer[] = [];
  #pending = 0;
  #drained: (() => void) | undefined;
  #failed = false;

  constructor(url: URL) {
    this.#worker = new Worker(url);
    this.#digests = new Promise((resolve, reject) => {
      this.#worker.on('message', (answer: HashAnswer) => {
        if (!(answer instanceof Uint8Array)) return resolve(answer);
        this.#pending -= answer.length;
        this.#free.push(answer.buffer);
        this.#drained?.();
      });
      this.#worker.on('error', (error) => {
        this.#failed = true;
        reject(error);
        this.#drained?.();
      });
    });
    // It may fail long before anybody asks for it.
    this.#digests.catch(() => {});
  }

  update(bytes: Uint8Array): void {
    const free = this.#free.pop();
    const memory = free && free.byteLength >= bytes.length ? free : new ArrayBuffer(bytes.length);
    const copy = new Uint8Array(memory, 0, bytes.length);
    copy.set(bytes);
    this.#pending += copy.length;
    this.#worker.postMessage(copy, [copy.buffer]);
  }

  mark(): void {
    this.#order('mark');
  }

  pressure(): Promise<void> | undefined {
    if (this.#pending < MAX_PENDING || this.#failed) return undefined;
    return new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  finish(): Promise<Digests> {
    this.#order('finish');
    return this.#digests;
  }

  close(): void {
    void this.#worker.terminate();
  }

  #order(order: HashOrder): void {
    this.#worker.postMessage(order);
  }
}
