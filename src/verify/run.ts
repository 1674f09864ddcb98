import { isFileError, NoesisError } from '../base/errors.ts';
import type { DialectName } from '../dialects/dialect.ts';
import type { OwnFormats } from '../dialects/registry.ts';
import type { ChainOptions } from '../findings/chains/settings.ts';
import type { DialectSettings, VerifyOptions, VerifyTarget } from '../findings/options.ts';
import type { Policy } from '../findings/policy.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { BytesRead } from './bytes-read.ts';
import type { CacheSettings } from './cache.ts';
import type { Verified } from './jobs.ts';
import { type KeySettings, keyFinder } from './keys.ts';
import { internalReport, notVerified, unreadableReport, verifyTarget } from './verify-episode.ts';

/** Everything that decides how targets are verified, as plain data for workers. */
export interface RunSettings {
  readonly policy: Policy;
  readonly keys: KeySettings;
  readonly dialect: DialectName | undefined;
  readonly settings?: DialectSettings;
  /** The chain that the user named, and what it must end with. */
  readonly chain?: Omit<ChainOptions, 'profiles'> | undefined;
  /** The formats that the user described. Each thread has its own registry. */
  readonly formats?: OwnFormats | undefined;
  readonly cache?: CacheSettings | undefined;
  /** The compiled worker that hashes long files, if there is a core to spare. */
  readonly hashWorker?: string | undefined;
  /** The shared counter of bytes read. */
  readonly bytesRead?: SharedArrayBuffer | undefined;
}

/** Prepares the options, with keys ready for lookup. Aborting the signal stops reading. */
export function optionsOf(
  { policy, keys, settings = {}, chain, formats, hashWorker, bytesRead }: RunSettings,
  signal?: AbortSignal,
): VerifyOptions {
  const key = keyFinder(keys);
  const counter = bytesRead === undefined ? undefined : new BytesRead(bytesRead);
  return {
    policy,
    key,
    settings,
    chain: { ...chain, profiles: formats?.chains },
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
 * Verifies one of several targets. Any failure, including one of the file system, becomes a finding, so the
 * other targets are verified too. Only throws for an invalid configuration, and the reason of an aborted
 * signal.
 */
export async function verifyOneOfMany(
  target: VerifyTarget,
  settings: RunSettings,
  signal?: AbortSignal,
): Promise<EpisodeReport> {
  const report = await reportOn(target, optionsOf(settings, signal), settings.dialect);
  // Discards the report on a target that was not read to its end.
  signal?.throwIfAborted();
  return report;
}

/** Verifies the target of a job in any thread, or takes its verdict from the cache. */
export async function verifyJob(
  target: VerifyTarget,
  settings: RunSettings,
  signal?: AbortSignal,
): Promise<Verified> {
  const verify = () => verifyOneOfMany(target, settings, signal);
  if (settings.cache === undefined) return { report: await verify() };
  const { VerdictCache } = await import('./cache.ts');
  const cache = new VerdictCache(settings.cache);
  const known = target.turn === 'now' ? undefined : cache.lookUp(target);
  if (known !== undefined) return { report: known, cached: true };
  if (target.turn === 'later')
    return { report: notVerified(target, optionsOf(settings), [], 'not its turn'), skipped: true };
  return { report: await cache.verify(target, verify) };
}
