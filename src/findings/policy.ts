import { isHard } from './catalogue/index.ts';
import { type Severities, SHARED_SEVERITIES } from './catalogue-severities.ts';
import type { RequiredLevel } from './level.ts';
import { RULED_SEVERITIES, type RuledSeverity, type Severity } from './severity.ts';

/** How a team judges findings: changed severities, and requirements. */
export interface Policy {
  /** Changed severities by code; `off` drops the finding. */
  readonly severities: ReadonlyMap<string, RuledSeverity>;
  readonly requireSeal: boolean;
  readonly requireSignature: boolean;
  /** An episode that does not reach this level fails. */
  readonly requireLevel?: RequiredLevel;
  /** Warnings fail too, and files that the manifest does not list are errors. */
  readonly strict: boolean;
  /** The verification fails if there are more warnings. */
  readonly maxWarnings?: number;
  /** The number of findings kept per code, severity and episode; the rest are counted. 0 keeps all. */
  readonly maxFindings?: number;
}

/**
 * Enough to see what is wrong, and few enough for memory and screen if every line of a huge log has a fault.
 */
export const DEFAULT_MAX_FINDINGS = 1000;

/** The policy with the severities of the catalogue. */
export const DEFAULT_POLICY: Policy = {
  severities: new Map(),
  requireSeal: false,
  requireSignature: false,
  strict: false,
};

/**
 * The severity of a finding: the policy's, else the check's, else the catalogue's. Throws for an unknown
 * code, which is a bug.
 */
export function severityFor(
  policy: Policy,
  severities: Severities,
  code: string,
  given?: Severity,
): RuledSeverity {
  const severity = policy.severities.get(code) ?? given ?? severities.get(code);
  if (severity === undefined) throw new Error(`The catalogue has no finding ${JSON.stringify(code)}.`);
  return severity;
}

const weightOf = (severity: RuledSeverity): number => RULED_SEVERITIES.indexOf(severity);

/** Whether a severity would lower a hard failure. */
export function lowersHardFailure(code: string, severity: RuledSeverity): boolean {
  const usual = SHARED_SEVERITIES.get(code);
  return isHard(code) && usual !== undefined && weightOf(severity) < weightOf(usual);
}

/** The codes that a required seal or signature depends on, so a policy cannot lower them. */
const SEAL_CODES = [
  'seal/missing',
  'seal/incomplete',
  'manifest/invalid',
  'manifest/empty',
  'manifest/missing-file',
  'manifest/hash-mismatch',
  'manifest/size-mismatch',
  'manifest/duplicate-entry',
  'manifest/unsafe-path',
] as const;
const SIGNATURE_CODES = ['manifest/signature', 'manifest/unsigned', 'manifest/unverified-signature'] as const;

/**
 * The first finding that a policy lowers although its requirements depend on it; undefined if there is none.
 */
export function contradictionIn(
  policy: Policy,
): { code: string; required: 'seal' | 'signature' } | undefined {
  const lowered = (code: string) => (policy.severities.get(code) ?? 'error') !== 'error';
  const { requireSeal, requireSignature } = policy;
  const seal = requireSeal || requireSignature ? SEAL_CODES.find(lowered) : undefined;
  if (seal !== undefined) return { code: seal, required: requireSeal ? 'seal' : 'signature' };
  const signature = requireSignature ? SIGNATURE_CODES.find(lowered) : undefined;
  return signature === undefined ? undefined : { code: signature, required: 'signature' };
}

/** A policy that requires a level, and with it everything the level needs. */
export function withLevel(policy: Policy, requireLevel: RequiredLevel | undefined): Policy {
  if (requireLevel === undefined) return policy;
  const isSigned = requireLevel === 'signed';
  return {
    ...policy,
    requireLevel,
    requireSeal: policy.requireSeal || isSigned || requireLevel === 'sealed',
    requireSignature: policy.requireSignature || isSigned,
  };
}
