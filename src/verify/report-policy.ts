import { defined } from '../base/json/defined.ts';
import type { Configuration } from '../find/configuration.ts';
import type { Policy } from '../findings/policy.ts';
import type { ReportConfiguration, ReportPolicy } from '../findings/report.ts';
import type { RunSettings } from './run.ts';
import { policyFromSettings } from './verify-config.ts';

/** The settings that verdicts depend on, for a report: plain data, equal for equal settings. */
export function reportPolicy({ policy, dialect, settings = {}, chain = {} }: RunSettings): ReportPolicy {
  const { severities, strict, requireSeal, requireSignature, requireLevel, maxWarnings, maxFindings } =
    policy;
  const changed = [...severities].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    strict,
    requireSeal,
    requireSignature,
    ...defined({ requireLevel, maxWarnings, maxFindings }),
    ...(changed.length > 0 && { severities: Object.fromEntries(changed) }),
    ...(dialect !== undefined && { dialect }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(Object.values(chain).some((one) => one !== undefined) && {
      chain: defined({ name: chain.name, head: chain.expectHead, count: chain.expectCount }),
    }),
  };
}

/**
 * The effect of a configuration on the verdicts and on what was verified; undefined if it has none. Rules that an option
 * overrides do not count. `runsDir`: the folder of the episodes, if the configuration chose it.
 */
export function configurationOf(
  { path, verify, settings }: Pick<Configuration, 'path' | 'verify' | 'settings'>,
  { severities }: Policy,
  runsDir?: string,
): ReportConfiguration | undefined {
  const own = [...policyFromSettings(verify, path).severities];
  const rules = own.filter(([code, severity]) => severities.get(code) === severity).length;
  if (rules + settings === 0 && runsDir === undefined) return undefined;
  return { path, rules, settings, ...defined({ runsDir }) };
}
