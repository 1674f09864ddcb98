import type { Stamps } from './writing.ts';

/** A file of an episode as its seal lists it. */
export interface SealedFile {
  /** Relative to the episode's folder, with forward slashes. */
  readonly name: string;
  /** In lower-case hex. */
  readonly sha256: string;
  readonly size: number;
}

/** A document to be written. */
export interface SealDocument {
  readonly name: string;
  readonly text: string;
}

/** With what a seal is signed. */
export interface SealKey {
  readonly kid: string;
  readonly alg: string;
  /** A shared secret, or for Ed25519 a private key in PEM. */
  readonly key: Uint8Array;
}

/** What is to be sealed. */
export interface SealPlace {
  readonly dir: string;
  readonly log: string;
}

/** What an episode has of a seal, and what it lacks. */
export interface SealPlan {
  /** `open`: none; `half`: it was broken off before its last document. */
  readonly state: 'open' | 'half' | 'sealed';
  /** The run has ended, by its own log. */
  readonly ended: boolean;
  /** What is written before the files are listed, in this order; the last one closes the episode. */
  readonly documents: readonly SealDocument[];
}

/** How episodes of a dialect are sealed. */
export interface Sealing {
  /** Looks at an episode whose log is whole. */
  plan(place: SealPlace, stamps: Stamps): Promise<SealPlan>;
  /** The document that lists the files, and vouches for them. Throws `usage` where the key is not for the algorithm. */
  listing(place: SealPlace, files: readonly SealedFile[], stamps: Stamps, key?: SealKey): SealDocument;
  /** The file that does so, and is not in its own list. */
  readonly listingName: string;
  /** The sha256, in lower-case hex, that a listing has of a file; undefined where it has none. */
  hashOf(listing: Uint8Array, name: string): string | undefined;
  /** The same with a signature. Throws `seal-refused` where it has one already, or is none. */
  signed(listing: Uint8Array, key: SealKey, stamps: Stamps): SealDocument;
}
