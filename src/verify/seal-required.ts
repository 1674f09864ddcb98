import type { Dialect } from '../dialects/dialect.ts';
import type { FindingDraft } from '../findings/findings.ts';
import { reaches } from '../findings/level.ts';
import { logFileOf, type VerifyTarget } from '../findings/options.ts';
import type { Policy } from '../findings/policy.ts';
import type { EpisodeReport } from '../findings/report.ts';

/** Why a target cannot have a seal; undefined if its dialect checks for one. */
function unsealable({ dir, fileName }: VerifyTarget, dialect: Dialect): string | undefined {
  if (dialect.seals !== true) return `a log of this dialect (${dialect.name}) cannot be sealed or signed`;
  if (dir !== undefined) return undefined;
  return fileName === '-' ? 'standard input has no seal' : 'a log alone has no seal (name its folder)';
}

/** The findings for a policy that requires a seal or signature from a target that cannot have one. */
export function missingSeal(
  target: VerifyTarget,
  dialect: Dialect,
  policy: Policy,
  { level = 'none', chains = [] }: Pick<EpisodeReport, 'level' | 'chains'>,
): FindingDraft[] {
  const why = unsealable(target, dialect);
  if (why === undefined) return [];
  const file = logFileOf(target);
  const drafts: FindingDraft[] = [];
  // A chain of records may prove the same as a seal.
  const proves = (wanted: 'sealed' | 'signed') => chains.length > 0 && reaches(level, wanted);
  if (policy.requireSeal && !proves('sealed')) {
    drafts.push({ code: 'seal/missing', severity: 'error', message: `a seal is required, and ${why}`, file });
  }
  if (policy.requireSignature && !proves('signed')) {
    drafts.push({ code: 'manifest/unsigned', message: `a signature is required, and ${why}`, file });
  }
  return drafts;
}
