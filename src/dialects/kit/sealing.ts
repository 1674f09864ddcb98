import type { Stamps } from './writing.ts';

/** A file as listed in a seal. */
export interface SealedFile {
  /** Relative to the episode's folder, with forward slashes. */
  readonly name: string;
  /** In lower-case hex. */
  readonly sha256: string;
  readonly size: number;
}

export interface SealDocument {
  readonly name: string;
  readonly text: string;
}

/** The key to sign a seal with. */
export interface SealKey {
  readonly kid: string;
  readonly alg: string;
  /** A shared secret, or an Ed25519 private key in PEM. */
  readonly key: Uint8Array;
}

export interface SealPlace {
  readonly dir: string;
  readonly log: string;
}

/** Which parts of a seal exist, and which are still to be written. */
interface SealPlan {
  /** `half`: sealing was interrupted before its last document. */
  readonly state: 'open' | 'half' | 'sealed';
  /** The log contains the end of the run. */
  readonly ended: boolean;
  /** Documents to write before the files are listed, in this order. The last one closes the episode. */
  readonly documents: readonly SealDocument[];
}

export interface Sealing {
  /** Inspects an episode with an intact log. */
  plan(place: SealPlace, stamps: Stamps): Promise<SealPlan>;
  /**
   * The document that lists the files with their hashes. Throws `usage` if the key does not fit the
   * algorithm.
   */
  listing(place: SealPlace, files: readonly SealedFile[], stamps: Stamps, key?: SealKey): SealDocument;
  /** The name of that document, which does not list itself. */
  readonly listingName: string;
  /** The sha256 of a file in a listing, in lower-case hex; undefined if it is not listed. */
  hashOf(listing: Uint8Array, name: string): string | undefined;
  /** Adds a signature to a listing. Throws `seal-refused` if it has one or is invalid. */
  signed(listing: Uint8Array, key: SealKey, stamps: Stamps): SealDocument;
}
