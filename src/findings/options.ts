import type { JsonObject } from '../json/value.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';

/** What dialects are told by a configuration, by their names. */
export type DialectSettings = Readonly<Record<string, JsonObject>>;

/** How an episode is verified. */
export interface VerifyOptions {
  readonly policy: Policy;
  /** The secret of a key id for manifest signatures, as bytes; undefined when nobody gave it. */
  readonly key: (kid: string) => Uint8Array | undefined;
  readonly settings?: DialectSettings;
  /** The compiled thread for the hashes of long files, where there is a core to spare for it. */
  readonly hashWorker?: URL | undefined;
}

/** The catalogue's severities, and no keys. */
export const DEFAULT_VERIFY_OPTIONS: VerifyOptions = { policy: DEFAULT_POLICY, key: () => undefined };

/** A log to verify and what surrounds it. */
export interface VerifyTarget {
  /** What the report calls it: the episode's id, or the log's name. */
  readonly name: string;
  /** The log; undefined for an episode directory that lacks one. */
  readonly log: string | undefined;
  /** The episode's directory; undefined for a log alone. */
  readonly dir: string | undefined;
  /** One run of a log that holds many. */
  readonly run?: string;
  /** The dialect that the artifacts in the directory are of, whatever the log looks like. */
  readonly owner?: string;
  /** Why the directory could not be listed. */
  readonly unlisted?: string;
  /** The directory is a link, which is not followed. */
  readonly link?: true;
  /** What findings call the log, where that is not the name of the file: `-` for standard input. */
  readonly fileName?: string;
}
