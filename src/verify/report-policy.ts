import type { ReportPolicy } from '../findings/report.ts';
import type { RunSettings } from './run.ts';

/** What a report says of the settings that its verdicts rest on: plain data, the same for the same settings. */
export function reportPolicy({ policy, dialect, settings = {} }: RunSettings): ReportPolicy {
  const { severities, strict, requireSeal, requireSignature, requireLevel, maxWarnings, maxFindings } =
    policy;
  const changed = [...severities].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    strict,
    requireSeal,
    requireSignature,
    ...(requireLevel !== undefined && { requireLevel }),
    ...(maxWarnings !== undefined && { maxWarnings }),
    ...(maxFindings !== undefined && { maxFindings }),
    ...(changed.length > 0 && { severities: Object.fromEntries(changed) }),
    ...(dialect !== undefined && { dialect }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}
