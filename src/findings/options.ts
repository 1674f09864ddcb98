import { basename } from 'node:path';
import type { PackedFormat } from '../archives/format.ts';
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
  /** Told of every piece of a log that has been read: how many bytes it has. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** The catalogue's severities, and no keys. */
export const DEFAULT_VERIFY_OPTIONS: VerifyOptions = { policy: DEFAULT_POLICY, key: () => undefined };

/** Files that may hold episodes and that a search did not take for any. */
export interface PassedOver {
  readonly folder: string;
  /** Their paths. */
  readonly files: readonly string[];
}

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
  /** Logs of their own that belong to it, such as those of subagents. */
  readonly parts?: readonly string[];
  /** The dialect that the artifacts in the directory are of, whatever the log looks like. */
  readonly owner?: string;
  /** Why the directory could not be listed. */
  readonly unlisted?: string;
  /** The directory is a link, which is not followed. */
  readonly link?: true;
  /** Not an episode: a folder, and files below it that may hold episodes and were not verified. */
  readonly passedOver?: PassedOver;
  /** Other logs in its directory and below, as paths from it: each is an episode of its own. */
  readonly inner?: readonly string[];
  /**
   * Where a run reads a part of the targets and has the rest from its cache: `now` is read even if the cache knows it,
   * `later` is not read even if the cache does not.
   */
  readonly turn?: 'now' | 'later';
  /** It is a private copy of what the user named: nobody writes to it. */
  readonly copy?: true;
  /** The log has to be unpacked first: what it is packed as. Its log is `-` for standard input. */
  readonly packed?: PackedFormat;
  /** Of an archive, the path of what is meant. */
  readonly inside?: string;
  /** What findings call the log, where that is not the name of the file: `-` for standard input. */
  readonly fileName?: string;
}

/** What findings call the log of a target; where it has none, the folder, or the name that the log should have. */
export const logFileOf = ({ fileName, log }: VerifyTarget, missing = '.'): string =>
  fileName ?? (log === undefined ? missing : basename(log));
