import { statSync } from 'node:fs';
import { defined } from '../../base/json/defined.ts';
import { findConfiguration } from '../../find/configuration.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import { DEFAULT_POLICY } from '../../findings/policy.ts';
import type { EpisodeReport, ReportConfiguration } from '../../findings/report.ts';
import { configurationLine } from '../../show/render/words.ts';
import { keysInEnvironment } from '../../verify/keys.ts';
import { configurationOf } from '../../verify/report-policy.ts';
import { verifyOneOfMany } from '../../verify/run.ts';
import { policyFromSettings } from '../../verify/verify-config.ts';
import type { Context } from '../context.ts';
import type { OpenLog } from './open-log.ts';

/** In bytes: verifying longer logs would take too long here. */
const LONGEST_VERIFIED = 256 * 1024 * 1024;

/** The effect of the configuration on the verdict of a log; undefined if it has none. */
async function effectOnVerdict(context: Context): Promise<ReportConfiguration | undefined> {
  const config = await findConfiguration(context.search);
  return config && configurationOf(config, policyFromSettings(config.verify, config.path));
}

/** `2 rules changed by noesis.toml`; undefined if the configuration changes no verdict. */
export async function changedRules(context: Context): Promise<string | undefined> {
  const configuration = await effectOnVerdict(context);
  return configuration && configurationLine({ configuration }, context.io.cwd);
}

/** All that the configuration changed in what a command shows of a verified log; undefined if it changed nothing. */
export async function configurationShown(context: Context): Promise<ReportConfiguration | undefined> {
  const effect = await effectOnVerdict(context);
  const used = await context.configuration();
  return used && effect ? { ...used, ...effect } : (used ?? effect);
}

/** Marks a log as a copy. Other files of its episode are next to its place. */
const copyOf = ({ path, origin, place }: OpenLog): Pick<VerifyTarget, 'copy' | 'place'> =>
  path === origin ? {} : { copy: true, ...(place !== undefined && { place }) };

/**
 * Verifies the logs of a run like `noesis verify`, with the available configuration and keys; undefined if they are too
 * long.
 */
export async function verifiedLog(context: Context, log: OpenLog): Promise<EpisodeReport | undefined> {
  const { name, path, dir, run, owner, parts, partPlaces, unreadParts } = log;
  const bytes = [path, ...(parts ?? [])].reduce((sum, one) => sum + statSync(one).size, 0);
  if (bytes > LONGEST_VERIFIED) return undefined;
  const config = await findConfiguration(context.search);
  return verifyOneOfMany(
    {
      name,
      dir,
      log: path,
      ...copyOf(log),
      ...(log.origin === '-' && { fileName: '-' }),
      ...defined({ run, owner, parts, partPlaces, unreadParts }),
    },
    {
      policy: config ? policyFromSettings(config.verify, config.path) : DEFAULT_POLICY,
      keys: { byKid: new Map(), byVariable: keysInEnvironment(context.io.env) },
      dialect: context.dialect,
      settings: config?.dialects ?? {},
    },
  );
}
