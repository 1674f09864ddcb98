import type * as z from 'zod';
import type { Stored } from '../finding.ts';
import type { ChainedFacts } from '../level.ts';
import type { chainSchema } from '../report-schema.ts';
import type { Profiles } from './profile.ts';

/** A result for the report. */
export type ChainResult = Stored<z.infer<typeof chainSchema>>;

/** How the chains of logs are verified. */
export interface ChainOptions {
  /** The profiles of the configuration. */
  readonly profiles?: Profiles | undefined;
  /** The profile that the user named; `none`: no chain is checked. */
  readonly name?: string | undefined;
  /** What the last record and the number of records must be. */
  readonly expectHead?: string | undefined;
  readonly expectCount?: number | undefined;
}

export interface ChainCheckSettings extends ChainOptions {
  /** The key with an id that the user gave; the empty id is for a single key. */
  readonly key: (kid: string) => Uint8Array | undefined;
  readonly requireSignature: boolean;
  /** The number of chains of a log that are checked, if not the usual one. */
  readonly mostChains?: number | undefined;
}

/** What the chains of a log prove. */
export interface ChainProof extends ChainedFacts {
  readonly chains: readonly ChainResult[];
  /** Every record is in a chain. */
  readonly isComplete: boolean;
}
