import { basename } from 'node:path';
import type { PackedFormat } from '../base/archives/format.ts';
import type { JsonObject } from '../base/json/value.ts';
import { AS_STORED, type LogForm } from '../log/log-form.ts';
import type { ChainCheckSettings, ChainOptions } from './chains/settings.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';

/** Settings of dialects from the configuration, by dialect. */
export type DialectSettings = Readonly<Record<string, JsonObject>>;

export interface VerifyOptions {
  readonly policy: Policy;
  /** The secret or public key for a key id, for signatures of manifests and records; undefined if unknown. */
  readonly key: (kid: string) => Uint8Array | undefined;
  readonly settings?: DialectSettings;
  /** How the chains of records are verified; by default those that are recognised. */
  readonly chain?: ChainOptions | undefined;
  /** The compiled worker that hashes long files, if there is a core to spare. */
  readonly hashWorker?: URL | undefined;
  /** Called after each chunk of a log with its number of bytes. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** The options for one log, whose dialect is known. */
export interface LogVerifyOptions extends VerifyOptions {
  /** How the dialect of the log reads its records. */
  readonly form: LogForm;
}

export const DEFAULT_VERIFY_OPTIONS: LogVerifyOptions = {
  policy: DEFAULT_POLICY,
  key: () => undefined,
  form: AS_STORED,
};

/** The settings for the chains of a log. */
export const chainSettings = ({ chain, key, policy }: VerifyOptions): ChainCheckSettings => ({
  ...chain,
  key,
  requireSignature: policy.requireSignature,
});

/** Files that may belong to episodes but are not in any episode that the search found. */
export interface PassedOver {
  readonly folder: string;
  readonly files: readonly string[];
}

/** A log to verify, and its surroundings. */
export interface VerifyTarget {
  /** The name in the report: the episode's id, or the log's name. */
  readonly name: string;
  /** The log; undefined for an episode without one. */
  readonly log: string | undefined;
  /** The episode's folder; undefined for a single log. */
  readonly dir: string | undefined;
  /** One run of a log with many. */
  readonly run?: string;
  /** The dialect that the user named, to find the run after unpacking. */
  readonly dialect?: string;
  /** Separate logs that belong to it, such as those of subagents. */
  readonly parts?: readonly string[];
  /** If some of them are unpacked copies: the paths that they would have without packing. */
  readonly partPlaces?: readonly string[];
  /** What may be such logs and is not read: links, FIFOs, and folders that cannot be listed. */
  readonly unreadParts?: readonly string[];
  /** The dialect of the folder's artifacts, whatever the log looks like. */
  readonly owner?: string;
  /** Why the folder could not be listed. */
  readonly unlisted?: string;
  /** The folder is a link, which is not followed. */
  readonly link?: true;
  /**
   * For a folder that is not an episode: files below it that may belong to episodes and were not verified.
   */
  readonly passedOver?: PassedOver;
  /** Other logs in and below its folder, as relative paths. Each is a separate episode. */
  readonly inner?: readonly string[];
  /** In a run that takes most verdicts from a cache: `now` is read even if cached, `later` is not read. */
  readonly turn?: 'now' | 'later';
  /** Its compressed log, if it has no other. */
  readonly packedLog?: string;
  /** If the log is an unpacked copy: the compressed file. */
  readonly packedAt?: string;
  /** A private copy of what the user named; nobody writes to it. */
  readonly copy?: true;
  /** If the log is a copy: its path without packing. Other files of the episode are next to it. */
  readonly place?: string;
  /** How the log is packed. Its path is `-` for standard input. */
  readonly packed?: PackedFormat;
  /** The path inside an archive. */
  readonly inside?: string;
  /** The log's name in findings, if it differs from the file name: `-` for standard input. */
  readonly fileName?: string;
}

/** The path next to which the other files of a log are; undefined if there is no log, or for standard input. */
export const placeOf = ({ place, log, fileName }: VerifyTarget): string | undefined =>
  place ?? (fileName === '-' ? undefined : log);

/** The log's name in findings. Without a log, the folder or the name that the log should have. */
export const logFileOf = ({ fileName, log }: VerifyTarget, missing = '.'): string =>
  fileName ?? (log === undefined ? missing : basename(log));
