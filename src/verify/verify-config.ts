import { ConfigurationError, type NoesisError, UsageError } from '../base/errors.ts';
import { alternatives } from '../base/text/alternatives.ts';
import { didYouMean, nearest } from '../base/text/nearest.ts';
import { hintForCode, matchCodes } from '../dialects/catalogue-search.ts';
import type { VerifySettings } from '../find/configuration.ts';
import {
  contradictionIn,
  DEFAULT_POLICY,
  lowersHardFailure,
  type Policy,
  withLevel,
} from '../findings/policy.ts';
import { RULED_SEVERITIES, type RuledSeverity } from '../findings/severity.ts';

/**
 * Where a setting comes from, for messages: `--rule`, `severities` of the library, or a configuration file.
 */
type Source = string;

const SEVERITIES: Source = 'severities';

/** The error for a wrong rule, depending on its source. */
function refusal(source: Source, message: string, hint: string): NoesisError {
  const text = `${message} (${source})`;
  return source === '--rule'
    ? new UsageError('usage', text, { hint })
    : new ConfigurationError('config-invalid', text, {
        place: source === SEVERITIES ? {} : { file: source },
        hint,
      });
}

/** Adds the codes that a rule names, with their severity. Throws `usage` or `config-invalid`. */
function applyRule(into: Map<string, RuledSeverity>, glob: string, word: unknown, source: Source): void {
  const severity = RULED_SEVERITIES.find((known) => known === word);
  if (severity === undefined) {
    const hint =
      didYouMean(nearest(RULED_SEVERITIES, String(word))) ?? `give ${alternatives(RULED_SEVERITIES)}`;
    throw refusal(source, `${JSON.stringify(word)} is not a severity for ${glob}`, hint);
  }
  const codes = matchCodes(glob);
  if (codes.length === 0)
    throw refusal(source, `there is no finding ${JSON.stringify(glob)}`, hintForCode(glob));
  const [hard, ...others] = codes.filter((known) => lowersHardFailure(known, severity));
  if (hard !== undefined) {
    const message =
      others.length === 0
        ? `${hard} is always an error, because the log is damaged or was not verified`
        : `${hard} and ${others.length} more of ${glob} are always errors`;
    const isAll = codes.length === others.length + 1;
    throw refusal(
      source,
      message,
      isAll ? 'remove this rule' : 'give the codes of the other findings instead',
    );
  }
  for (const known of codes) into.set(known, severity);
}

/** Returns the policy. Throws `usage` if a rule lowers what a required seal or signature depends on. */
export function requireConsistent(policy: Policy): Policy {
  const contradiction = contradictionIn(policy);
  if (contradiction === undefined) return policy;
  const { code, required } = contradiction;
  throw new UsageError('usage', `a ${required} is required, but a rule lowers ${code}, which it depends on`, {
    hint: `remove the rule for ${code}, or the required ${required}`,
  });
}

/** Applies `CODE=SEVERITY` from `--rule`. Throws `usage`. */
export function applyRuleOptions(policy: Policy, rules: readonly string[]): Policy {
  const severities = new Map(policy.severities);
  for (const rule of rules) {
    const equals = rule.lastIndexOf('=');
    if (equals < 1) {
      throw new UsageError('usage', `--rule ${rule} has no severity`, {
        hint: `write it as --rule CODE=${RULED_SEVERITIES.join('|')}`,
      });
    }
    applyRule(severities, rule.slice(0, equals), rule.slice(equals + 1), '--rule');
  }
  return { ...policy, severities };
}

/** The severities that a library user gives, by code or pattern. Throws `config-invalid`. */
export function severitiesFrom(rules: Iterable<readonly [string, unknown]>): Map<string, RuledSeverity> {
  const severities = new Map<string, RuledSeverity>();
  for (const [glob, word] of rules) applyRule(severities, glob, word, SEVERITIES);
  return severities;
}

/**
 * Turns the table `[verify]` of a configuration into a policy. Throws `config-invalid` for an invalid rule.
 */
export function policyFromSettings(settings: VerifySettings, source: string): Policy {
  const {
    strict,
    require_seal,
    require_signature,
    require_level,
    max_warnings,
    max_findings,
    rules = {},
  } = settings;
  const severities = new Map(DEFAULT_POLICY.severities);
  for (const [glob, word] of Object.entries(rules)) applyRule(severities, glob, word, source);
  const policy: Policy = {
    severities,
    strict: strict ?? DEFAULT_POLICY.strict,
    requireSeal: require_seal ?? DEFAULT_POLICY.requireSeal,
    requireSignature: require_signature ?? DEFAULT_POLICY.requireSignature,
    ...(max_warnings !== undefined && { maxWarnings: max_warnings }),
    ...(max_findings !== undefined && { maxFindings: max_findings }),
  };
  return withLevel(policy, require_level);
}
