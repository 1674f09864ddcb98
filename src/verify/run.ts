import type { DialectName } from '../dialects/dialect.ts';
import { errorCode } from '../errors.ts';
import type { DialectSettings, VerifyOptions, VerifyTarget } from '../findings/options.ts';
import type { Policy } from '../findings/policy.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { type KeySettings, keyFinder } from './keys.ts';
import { unreadableReport, verifyTarget } from './verify-episode.ts';

/** Everything that decides how targets are verified, as plain data that a worker can be given. */
export interface RunSettings {
  readonly policy: Policy;
  readonly keys: KeySettings;
  readonly dialect: DialectName | undefined;
  readonly settings?: DialectSettings;
}

/** The settings with their keys ready to be asked. */
export function optionsOf({ policy, keys, settings = {} }: RunSettings): VerifyOptions {
  return { policy, key: keyFinder(keys), settings };
}

/** Verifies one of several targets: what the file system does not let it read becomes a finding. */
export async function verifyOneOfMany(target: VerifyTarget, settings: RunSettings): Promise<EpisodeReport> {
  const options = optionsOf(settings);
  try {
    return await verifyTarget(target, options, settings.dialect);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return unreadableReport(target, options, error);
  }
}
