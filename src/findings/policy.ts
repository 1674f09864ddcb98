import { isHard } from './catalogue/index.ts';
import { type Severities, SHARED_SEVERITIES } from './catalogue-severities.ts';
import type { RequiredLevel } from './level.ts';
import { RULED_SEVERITIES, type RuledSeverity, type Severity } from './severity.ts';

/** What a team makes of the findings: severities changed by code, and what must be there. */
export interface Policy {
  /** Changed severities, by code; `off` drops the finding. */
  readonly severities: ReadonlyMap<string, RuledSeverity>;
  readonly requireSeal: boolean;
  readonly requireSignature: boolean;
  /** An episode that does not reach this level fails. */
  readonly requireLevel?: RequiredLevel;
  /** A warning fails too, and files the manifest does not list are errors. */
  readonly strict: boolean;
  /** More warnings than this fail. */
  readonly maxWarnings?: number;
  /** So many findings of one code and severity are kept of an episode, the others counted; 0 keeps all. */
  readonly maxFindings?: number;
}

/** Enough to see what is wrong, and few enough to hold and to show where a log has a fault on each of a million lines. */
export const DEFAULT_MAX_FINDINGS = 1000;

/** Every finding with the severity the catalogue gives it. */
export const DEFAULT_POLICY: Policy = {
  severities: new Map(),
  requireSeal: false,
  requireSignature: false,
  strict: false,
};

/**
 * The severity a finding is reported with: the policy's, else the one the check gave, else the catalogue's. Throws for a
 * code that the catalogue does not have: a bug.
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

/** Whether a severity would lower a finding that is a hard failure. */
export function lowersHardFailure(code: string, severity: RuledSeverity): boolean {
  const usual = SHARED_SEVERITIES.get(code);
  return isHard(code) && usual !== undefined && weightOf(severity) < weightOf(usual);
}

/** What a required seal or signature rests on: a policy that asks for one cannot do without these. */
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

/** The first finding that a policy lowers though it requires what rests on it; undefined where it contradicts nothing. */
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

/** A policy that asks for a level: what a level needs is asked for by name too. */
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
