import { createHash, type Hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { digestOf } from './digest.ts';

/** The sha256 in lower-case hex of all bytes, and of the bytes before each mark. */
interface Digests {
  readonly sha256: string;
  readonly marks: readonly string[];
}

export interface StreamHash {
  /** Adds bytes. Their memory may be reused afterwards. */
  update(bytes: Uint8Array): void;
  /** Requests the hash of the bytes so far. */
  mark(): void;
  /** Await this before adding more, if it is not undefined: the hash lags behind. */
  pressure(): Promise<void> | undefined;
  finish(): Promise<Digests>;
  /** Releases resources. Always call it. */
  close(): void;
}

/** In bytes. Copying this much takes less time than a hash object. */
const SHORT = 64 * 1024;

/** Hashes in the current thread. A short file is hashed in one call. */
export class LocalHash implements StreamHash {
  #held: Buffer | undefined;
  #hash: Hash | undefined;
  readonly #marks: string[] = [];

  update(bytes: Uint8Array): void {
    if (this.#hash === undefined && this.#held === undefined && bytes.length <= SHORT)
      this.#held = Buffer.from(bytes);
    else this.#stream().update(bytes);
  }

  mark(): void {
    this.#marks.push(this.#stream().copy().digest('hex'));
  }

  pressure(): undefined {}

  async finish(): Promise<Digests> {
    return { sha256: this.digest(), marks: this.#marks };
  }

  digest(): string {
    return this.#hash?.digest('hex') ?? digestOf(this.#held ?? Buffer.alloc(0)).sha256;
  }

  #stream(): Hash {
    if (this.#hash === undefined) {
      this.#hash = createHash('sha256');
      if (this.#held) this.#hash.update(this.#held);
    }
    return this.#hash;
  }

  close(): void {}
}

/**
 * A message to the thread: bytes to hash, or a command. It returns the buffers for reuse, and answers
 * `finish` with digests.
 */
export type HashOrder = Uint8Array<ArrayBuffer> | 'mark' | 'finish';
export type HashAnswer = Uint8Array<ArrayBuffer> | Digests;

/** The maximum number of bytes on their way to the thread. */
const MAX_PENDING = 8 * 1024 * 1024;

/** In milliseconds per mebibyte. Faster processors are done before a thread has received the bytes. */
const WORTH_HANDING_OVER = 1.5;

let isSlow: boolean | undefined;

/** Whether a hashing thread pays off. With SHA instructions, hashing takes hardly longer than copying. */
export function hashesSlowly(): boolean {
  isSlow ??= quickestHash() * 4 > WORTH_HANDING_OVER;
  return isSlow;
}

/**
 * The time to hash a quarter of a mebibyte, in milliseconds. Takes the best of several tries, because the
 * machine may be busy.
 */
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
 * Hashes in a worker thread. Without SHA instructions, hashing a log takes as long as all other checks
 * together. Buffers are passed back and reused, because allocating new ones would take longer than hashing.
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
    // Prevents an unhandled rejection before anyone awaits it.
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
