import { DIALECTS } from '../dialects/registry.ts';
import { NoesisError } from '../errors.ts';
import { hintForCode, matchCodes } from '../findings/catalogue/index.ts';
import type { Severity } from '../findings/finding.ts';
import type { DialectSettings } from '../findings/options.ts';
import { contradictionIn, DEFAULT_POLICY, lowersHardFailure, type Policy } from '../findings/policy.ts';
import { isObject, type JsonObject } from '../json/value.ts';

/** Where a setting was written, for messages: `--rule`, or the path of a configuration file. */
type Source = string;

const SEVERITIES: Readonly<Record<string, Severity | 'off'>> = {
  off: 'off',
  info: 'info',
  warn: 'warn',
  error: 'error',
};

/** The codes a rule names, with the severity it gives them. Throws `usage` or `config-invalid`. */
function applyRule(into: Map<string, Severity | 'off'>, glob: string, word: unknown, source: Source): void {
  const code = source === '--rule' ? 'usage' : 'config-invalid';
  const place = source === '--rule' ? {} : { place: { file: source } };
  const severity = typeof word === 'string' && Object.hasOwn(SEVERITIES, word) ? SEVERITIES[word] : undefined;
  if (severity === undefined) {
    throw new NoesisError(code, `${JSON.stringify(word)} is no severity for ${glob} (${source})`, {
      ...place,
      hint: `give ${Object.keys(SEVERITIES).join(', ')}`,
    });
  }
  const codes = matchCodes(glob);
  if (codes.length === 0) {
    throw new NoesisError(code, `no finding is called ${JSON.stringify(glob)} (${source})`, {
      ...place,
      hint: hintForCode(glob),
    });
  }
  const [hard, ...others] = codes.filter((known) => lowersHardFailure(known, severity));
  if (hard !== undefined) {
    const more = others.length === 0 ? '' : ` and ${others.length} more that ${glob} names`;
    throw new NoesisError(
      code,
      `${hard}${more} cannot be lowered to ${severity}: corruption is a hard failure (${source})`,
      {
        ...place,
        hint: codes.length === others.length + 1 ? 'leave the rule out' : 'name the other findings instead',
      },
    );
  }
  for (const known of codes) into.set(known, severity);
}

/** The policy itself. Throws `usage` where a rule lowers what a required seal or signature rests on. */
export function requireConsistent(policy: Policy): Policy {
  const contradiction = contradictionIn(policy);
  if (contradiction === undefined) return policy;
  const { code, required } = contradiction;
  throw new NoesisError('usage', `a ${required} is required, and a rule lowers ${code}, which it rests on`, {
    hint: `leave out the rule for ${code}, or the required ${required}`,
  });
}

/** Reads `CODE=SEVERITY` as `--rule` takes it. Throws `usage`. */
export function applyRuleOptions(policy: Policy, rules: readonly string[]): Policy {
  const severities = new Map(policy.severities);
  for (const rule of rules) {
    const equals = rule.lastIndexOf('=');
    if (equals < 1) {
      throw new NoesisError('usage', `--rule ${rule} has no severity`, {
        hint: 'write it as --rule CODE=off|info|warn|error',
      });
    }
    applyRule(severities, rule.slice(0, equals), rule.slice(equals + 1), '--rule');
  }
  return { ...policy, severities };
}

const FLAGS: Readonly<Record<string, 'strict' | 'requireSeal' | 'requireSignature'>> = {
  strict: 'strict',
  require_seal: 'requireSeal',
  require_signature: 'requireSignature',
};

/** The section `[verify]` of a configuration file as a policy. Throws `config-invalid`. */
export function policyFromConfig(path: string, table: JsonObject): Policy {
  const section = table['verify'];
  if (section === undefined) return DEFAULT_POLICY;
  const invalid = (message: string, hint: string) =>
    new NoesisError('config-invalid', `${message} (${path})`, { place: { file: path }, hint });
  if (!isObject(section)) throw invalid('[verify] must be a table', 'write [verify] on a line of its own');
  let policy = DEFAULT_POLICY;
  for (const [key, value] of Object.entries(section)) {
    const flag = Object.hasOwn(FLAGS, key) ? FLAGS[key] : undefined;
    if (flag) {
      if (typeof value !== 'boolean')
        throw invalid(`verify.${key} must be true or false`, `write ${key} = true`);
      policy = { ...policy, [flag]: value };
    } else if (key === 'max_warnings') {
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
        throw invalid('verify.max_warnings must be a whole number', 'write max_warnings = 10');
      }
      policy = { ...policy, maxWarnings: value };
    } else if (key === 'rules') {
      if (!isObject(value))
        throw invalid(
          'verify.rules must be a table',
          'write [verify.rules] and below it "manifest/*" = "off"',
        );
      const severities = new Map(policy.severities);
      for (const [glob, word] of Object.entries(value)) applyRule(severities, glob, word, path);
      policy = { ...policy, severities };
    } else
      throw invalid(
        `verify.${key} is no setting`,
        `there is ${[...Object.keys(FLAGS), 'max_warnings', 'rules'].join(', ')}`,
      );
  }
  return policy;
}

/** The tables of a configuration file that dialects have for themselves, by their names. Throws `config-invalid`. */
export async function settingsFromConfig(path: string, table: JsonObject): Promise<DialectSettings> {
  const settings: Record<string, JsonObject> = {};
  for (const dialect of DIALECTS) {
    const { name } = dialect;
    const section = table[name];
    if (dialect.checkSettings === undefined || section === undefined) continue;
    if (!isObject(section)) {
      throw new NoesisError('config-invalid', `[${name}] must be a table (${path})`, {
        place: { file: path },
        hint: `write [${name}] on a line of its own`,
      });
    }
    await dialect.checkSettings(section, path);
    settings[name] = section;
  }
  return settings;
}
