import type { DialectName } from '../dialects/dialect.ts';
import type { OwnFormats } from '../dialects/registry.ts';
import { isFileError, NoesisError } from '../errors.ts';
import type { DialectSettings, VerifyOptions, VerifyTarget } from '../findings/options.ts';
import type { Policy } from '../findings/policy.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { BytesRead } from './bytes-read.ts';
import { type CacheSettings, VerdictCache } from './cache.ts';
import type { Verified } from './jobs.ts';
import { type KeySettings, keyFinder } from './keys.ts';
import { internalReport, notVerified, unreadableReport, verifyTarget } from './verify-episode.ts';

/** Everything that decides how targets are verified, as plain data that a worker can be given. */
export interface RunSettings {
  readonly policy: Policy;
  readonly keys: KeySettings;
  readonly dialect: DialectName | undefined;
  readonly settings?: DialectSettings;
  /** The formats that the user described: each thread has a registry of its own. */
  readonly formats?: OwnFormats | undefined;
  /** Where verdicts are kept. */
  readonly cache?: CacheSettings | undefined;
  /** Where the compiled thread for the hashes of long files lies, if there is a core to spare for it. */
  readonly hashWorker?: string | undefined;
  /** Where all threads count the bytes that they have read. */
  readonly bytesRead?: SharedArrayBuffer | undefined;
}

/** The settings with their keys ready to be asked. Where a signal is given, what is being read ends when it is aborted. */
export function optionsOf(
  { policy, keys, settings = {}, hashWorker, bytesRead }: RunSettings,
  signal?: AbortSignal,
): VerifyOptions {
  const key = keyFinder(keys);
  const counter = bytesRead === undefined ? undefined : new BytesRead(bytesRead);
  return {
    policy,
    key,
    settings,
    hashWorker: hashWorker === undefined ? undefined : new URL(hashWorker),
    onBytes: (bytes) => {
      signal?.throwIfAborted();
      counter?.add(bytes);
    },
  };
}

async function reportOn(
  target: VerifyTarget,
  options: VerifyOptions,
  dialect: DialectName | undefined,
): Promise<EpisodeReport> {
  try {
    return await verifyTarget(target, options, dialect);
  } catch (error) {
    if (error instanceof NoesisError && error.code !== 'unreadable') throw error;
    if (error instanceof NoesisError || isFileError(error)) return unreadableReport(target, options, error);
    return internalReport(target, options, error);
  }
}

/**
 * Verifies one of several targets: what the file system does not let it read, and whatever else goes wrong with it,
 * becomes a finding, so that the others go on. Throws nothing but a configuration that is not as it must be, and the
 * reason of a signal that is aborted.
 */
export async function verifyOneOfMany(
  target: VerifyTarget,
  settings: RunSettings,
  signal?: AbortSignal,
): Promise<EpisodeReport> {
  const report = await reportOn(target, optionsOf(settings, signal), settings.dialect);
  // What was said of a target that was not read to its end says nothing.
  signal?.throwIfAborted();
  return report;
}

/** Verifies the target of a job, in whatever thread, or knows its verdict from the cache. */
export async function verifyJob(
  target: VerifyTarget,
  settings: RunSettings,
  signal?: AbortSignal,
): Promise<Verified> {
  const verify = () => verifyOneOfMany(target, settings, signal);
  if (settings.cache === undefined) return { report: await verify() };
  const cache = new VerdictCache(settings.cache);
  const known = target.turn === 'now' ? undefined : cache.lookUp(target);
  if (known !== undefined) return { report: known, cached: true };
  if (target.turn === 'later')
    return { report: notVerified(target, optionsOf(settings), [], 'not its turn'), skipped: true };
  return { report: await cache.verify(target, verify) };
}
