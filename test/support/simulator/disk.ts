import { sha256 } from './hash.ts';
import type { Random } from './random.ts';

/** The entry of a file in a manifest or a checkpoint. */
export interface Digest {
  readonly sha256: string;
  readonly size_bytes: number;
}

export const digestOf = (bytes: Uint8Array): Digest => ({ sha256: sha256(bytes), size_bytes: bytes.length });

/** The digests of files in memory. */
export const digestsOf = (files: ReadonlyMap<string, Uint8Array>): Map<string, Digest> =>
  new Map([...files].map(([name, bytes]) => [name, digestOf(bytes)]));

/** The files of an episode, as a run writes them. */
export interface Disk {
  readonly names: readonly string[];
  append(name: string, text: string): void;
  /** Replaces a file, or creates it. The bytes are requested when they are needed. */
  replace(name: string, make: () => Uint8Array): void;
  /** The present digest of a file; undefined if it does not exist. */
  digest(name: string): Digest | undefined;
}

/** Called after each step, because the process may be killed after any of them. */
export type Watcher = (files: ReadonlyMap<string, Uint8Array>) => void;

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789_';

/** Files in memory. A whole file is written as the runtime does: to a temporary file, which is then renamed. */
export class MemoryDisk implements Disk {
  readonly #parts = new Map<string, Uint8Array[]>();
  readonly #random: Random;
  readonly #watch: Watcher | undefined;

  constructor(random: Random, watch?: Watcher) {
    this.#random = random;
    this.#watch = watch;
  }

  get names(): readonly string[] {
    return [...this.#parts.keys()];
  }

  append(name: string, text: string): void {
    const parts = this.#parts.get(name) ?? [];
    this.#parts.set(name, parts);
    if (text !== '') parts.push(Buffer.from(text));
    this.#wrote();
  }

  replace(name: string, make: () => Uint8Array): void {
    const slash = name.lastIndexOf('/') + 1;
    const random = Array.from({ length: 8 }, () => alphabet.charAt(this.#random.int(alphabet.length)));
    const temporary = `${name.slice(0, slash)}tmp${random.join('')}`;
    this.#set(temporary, []);
    const bytes = make();
    this.#set(temporary, [bytes]);
    this.#parts.delete(temporary);
    this.#set(name, [bytes]);
  }

  digest(name: string): Digest | undefined {
    const parts = this.#parts.get(name);
    return parts && digestOf(Buffer.concat(parts));
  }

  files(): Map<string, Uint8Array> {
    return new Map([...this.#parts].map(([name, parts]) => [name, Buffer.concat(parts)]));
  }

  #set(name: string, parts: Uint8Array[]): void {
    this.#parts.set(name, parts);
    this.#wrote();
  }

  #wrote(): void {
    this.#watch?.(this.files());
  }
}
