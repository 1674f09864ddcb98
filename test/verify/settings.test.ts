import { describe, expect, test } from 'vitest';
import { NoesisError } from '../../src/base/errors.ts';
import { CATALOGUE } from '../../src/dialects/catalogue.ts';
import { NOESIS } from '../../src/dialects/noesis/catalogue.ts';
import type { VerifySettings } from '../../src/find/configuration.ts';
import { severitiesOf } from '../../src/findings/catalogue-severities.ts';
import { Findings } from '../../src/findings/findings.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../src/findings/options.ts';
import { DEFAULT_POLICY, type Policy, severityFor } from '../../src/findings/policy.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { keyFinder, keysInEnvironment, keyVariable } from '../../src/verify/keys.ts';
import { type RunSettings, verifyOneOfMany } from '../../src/verify/run.ts';
import { applyRuleOptions, policyFromSettings, requireConsistent } from '../../src/verify/verify-config.ts';
import { tempFile } from '../support/temp.ts';

/** The error that a setting is refused with. */
function refusal(attempt: () => unknown): NoesisError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof NoesisError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('--rule', () => {
  const rules = (...list: string[]) => Object.fromEntries(applyRuleOptions(DEFAULT_POLICY, list).severities);

  test.each(['off', 'info', 'warn', 'error'])('gives a code the severity %s', (severity) => {
    expect(rules(`seal/missing=${severity}`)).toEqual({ 'seal/missing': severity });
  });

  test('takes globs, and the last match counts', () => {
    expect(rules('seal/*=off', 'seal/missing=error')).toMatchObject({
      'seal/missing': 'error',
      'seal/open': 'off',
      'seal/incomplete': 'off',
    });
    expect(Object.keys(rules('*=error'))).toHaveLength(CATALOGUE.length);
  });

  test.each(['log/*=off', '*=info', 'log/truncated=warn', 'artifact/corrupt=info', 'verify/*=off'])(
    'lowers no hard failure: %s',
    (rule) => {
      const error = refusal(() => rules(rule));
      expect(error.code).toBe('usage');
      expect(error.message).toMatch(/always (?:an error|errors)/);
      expect(error.hint).toBeTruthy();
    },
  );

  test('may raise a hard failure, and lower other findings', () => {
    expect(rules('log/no-final-newline=off', 'log/truncated=error')).toEqual({
      'log/no-final-newline': 'off',
      'log/truncated': 'error',
    });
  });

  test('does not change the original policy, and keeps its other settings', () => {
    const first = applyRuleOptions(DEFAULT_POLICY, ['seal/missing=off']);
    const second = applyRuleOptions({ ...first, strict: true }, ['seal/incomplete=warn']);
    expect([...first.severities]).toEqual([['seal/missing', 'off']]);
    expect([...second.severities]).toEqual([
      ['seal/missing', 'off'],
      ['seal/incomplete', 'warn'],
    ]);
    expect(second.strict).toBe(true);
  });

  test.each([
    ['seal/missing', '--rule seal/missing has no severity', /CODE=/],
    ['=off', '--rule =off has no severity', /CODE=/],
    ['seal/missing=fatal', '"fatal" is not a severity for seal/missing (--rule)', /off, info, warn or error/],
    ['seal/missing=toString', '"toString" is not a severity for seal/missing (--rule)', /off/],
    ['seal/mising=off', 'there is no finding "seal/mising" (--rule)', /seal\/missing/],
  ])('%s is refused', (rule, message, hint) => {
    const error = refusal(() => rules(rule));
    expect(error).toMatchObject({ code: 'usage', message, place: {} });
    expect(error.hint).toMatch(hint);
  });
});

describe('[verify] of a configuration', () => {
  const read = (settings: VerifySettings) => policyFromSettings(settings, 'noesis.toml');

  test('is the default if it is not set', () => {
    expect(read({})).toEqual(DEFAULT_POLICY);
  });

  test('sets flags, numbers and severities', () => {
    const policy = read({
      strict: true,
      require_seal: true,
      require_signature: false,
      max_warnings: 0,
      max_findings: 7,
      rules: { 'seal/*': 'off', 'seal/missing': 'warn' },
    });
    expect({ ...policy, severities: Object.fromEntries(policy.severities) }).toMatchObject({
      strict: true,
      requireSeal: true,
      requireSignature: false,
      maxWarnings: 0,
      maxFindings: 7,
      severities: { 'seal/missing': 'warn', 'seal/incomplete': 'off' },
    });
  });

  test.each([
    [{ 'nothing/*': 'off' }, /there is no finding "nothing\/\*" \(noesis\.toml\)/],
    [{ 'log/*': 'warn' }, /are always errors \(noesis\.toml\)/],
  ] as const)('with the rule %j is refused, with its file', (rules, message) => {
    const error = refusal(() => read({ rules: rules as VerifySettings['rules'] }));
    expect(error).toMatchObject({ code: 'config-invalid', place: { file: 'noesis.toml' } });
    expect(error.message).toMatch(message);
    expect(error.hint).toBeTruthy();
  });
});

describe('what a policy requires', () => {
  const policy = (rule: string, required: Partial<Policy>) =>
    requireConsistent({ ...applyRuleOptions(DEFAULT_POLICY, [rule]), ...required });

  test.each([
    ['seal/missing=off', { requireSeal: true }],
    ['seal/incomplete=warn', { requireSeal: true }],
    ['manifest/hash-mismatch=info', { requireSeal: true }],
    ['manifest/*=off', { requireSignature: true }],
    ['manifest/unsigned=warn', { requireSignature: true }],
  ])('is not taken back by a rule: %s with %j', (rule, required) => {
    expect(refusal(() => policy(rule, required)).code).toBe('usage');
    expect(() => policy(rule, {})).not.toThrow();
  });

  test.each([
    ['manifest/unlisted-file=off', { requireSeal: true, requireSignature: true }],
    ['manifest/unsigned=off', { requireSeal: true }],
    ['seal/*=error', { requireSeal: true }],
  ])('allows other rules: %s with %j', (rule, required) => {
    expect(() => policy(rule, required)).not.toThrow();
  });
});

test('the settings of dialects reach their checks, from a worker too', async () => {
  const event = { streamId: 's', sequence: 1, timestamp: '2026-04-01T10:00:00.000Z', schemaVersion: '1.0' };
  const log = tempFile(`${JSON.stringify({ ...event, type: 'deploy.started' })}\n`, 's.events.jsonl');
  const plain = {
    policy: DEFAULT_POLICY,
    keys: { byKid: new Map(), byVariable: new Map() },
    dialect: undefined,
  };
  const codes = async (settings: RunSettings) => {
    const report = await verifyOneOfMany({ name: 's', log, dir: undefined }, structuredClone(settings));
    return [...report.findings].map(({ code }) => code);
  };
  expect(await codes(plain)).toContain('event/unknown-type');
  const registered = { exarchos: { custom_types: ['deploy.started'] } };
  expect(await codes({ ...plain, settings: registered })).not.toContain('event/unknown-type');
  const { verdict, findings } = await verifyEpisode(log, { settings: registered });
  expect([verdict, [...findings].map(({ code }) => code)]).toEqual(['ok', []]);
  const wrong = verifyEpisode(log, { settings: { exarchos: { custom_types: ['x'] } } });
  await expect(wrong).rejects.toMatchObject({ code: 'config-invalid' });
});

describe('severities', () => {
  test('come from the team, else from the rule, else from the catalogue', () => {
    const policy = applyRuleOptions(DEFAULT_POLICY, ['seal/missing=error']);
    const usual = severitiesOf(NOESIS);
    expect(severityFor(policy, usual, 'seal/missing', 'info')).toBe('error');
    expect(severityFor(policy, usual, 'seal/incomplete', 'info')).toBe('info');
    expect(severityFor(policy, usual, 'seal/incomplete')).toBe('error');
    expect(() => severityFor(policy, usual, 'log/nothing')).toThrow('"log/nothing"');
  });

  test('that are off drop the finding', () => {
    const findings = new Findings(
      applyRuleOptions(DEFAULT_POLICY, ['seal/missing=off']),
      severitiesOf(NOESIS),
    );
    findings.report({ code: 'seal/missing', message: 'm', file: 'manifest.json' });
    findings.report({ code: 'seal/incomplete', message: 'm', file: 'manifest.json' });
    expect(findings.conclude().findings.map(({ code }) => code)).toEqual(['seal/incomplete']);
  });
});

describe('keys of signatures', () => {
  test.each([
    ['ops-1', 'NOESIS_MANIFEST_KEY_OPS_1'],
    ['OPS', 'NOESIS_MANIFEST_KEY_OPS'],
    ['a.b/c 2026', 'NOESIS_MANIFEST_KEY_A_B_C_2026'],
    ['schlüssel', 'NOESIS_MANIFEST_KEY_SCHL_SSEL'],
    ['', 'NOESIS_MANIFEST_KEY_'],
  ])('%j is looked for in %s', (kid, variable) => {
    expect(keyVariable(kid)).toBe(variable);
  });

  test('come from the environment where a variable of that name is set and filled', () => {
    const found = keysInEnvironment({
      NOESIS_MANIFEST_KEY_OPS_1: 'secret',
      NOESIS_MANIFEST_KEY_EMPTY: '',
      NOESIS_MANIFEST_KEY_UNSET: undefined,
      NOESIS_ROOT: 'x',
    });
    expect([...found]).toEqual([['NOESIS_MANIFEST_KEY_OPS_1', 'secret']]);
  });

  test('given by their id go before those of the environment', () => {
    const key = keyFinder({
      byKid: new Map([['ops-1', Buffer.from('given')]]),
      byVariable: new Map([
        ['NOESIS_MANIFEST_KEY_OPS_1', 'environment'],
        ['NOESIS_MANIFEST_KEY_OPS_2', 'other'],
      ]),
    });
    expect(['ops-1', 'OPS-1', 'ops.2', 'ops-3'].map((kid) => key(kid)?.toString())).toEqual([
      'given',
      'environment',
      'other',
      undefined,
    ]);
  });

  test('are not set by default', () => {
    expect(DEFAULT_VERIFY_OPTIONS.key('ops-1')).toBeUndefined();
  });
});
