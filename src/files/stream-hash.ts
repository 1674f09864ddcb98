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

/** What the thread is told: bytes to take in, or what to do. It answers bytes with their number, `finish` with digests. */
export type HashOrder = Uint8Array | 'mark' | 'finish';
export type HashAnswer = number | Digests;

/** So much may be on its way to the thread. */
const MAX_PENDING = 32 * 1024 * 1024;

/**
 * Hashes in a thread of its own: on processors without instructions for it the hash of a log takes as long as all other
 * checks together.
 */
export class ThreadHash implements StreamHash {
  readonly #worker: Worker;
  readonly #digests: Promise<Digests>;
  #pending = 0;
  #drained: (() => void) | undefined;
  #failed = false;

  constructor(url: URL) {
    this.#worker = new Worker(url);
    this.#digests = new Promise((resolve, reject) => {
      this.#worker.on('message', (answer: HashAnswer) => {
        if (typeof answer !== 'number') return resolve(answer);
        this.#pending -= answer;
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
    const copy = Uint8Array.from(bytes);
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
