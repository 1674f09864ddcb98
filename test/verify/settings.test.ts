import { describe, expect, test } from 'vitest';
import { NoesisError } from '../../src/errors.ts';
import { CATALOGUE } from '../../src/findings/catalogue/index.ts';
import { Findings } from '../../src/findings/findings.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../src/findings/options.ts';
import { DEFAULT_POLICY, severityFor } from '../../src/findings/policy.ts';
import { StageList } from '../../src/findings/stages.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { verifyEpisode } from '../../src/library-verify.ts';
import { keyFinder, keysInEnvironment, keyVariable } from '../../src/verify/keys.ts';
import { type RunSettings, verifyOneOfMany } from '../../src/verify/run.ts';
import { applyRuleOptions, policyFromConfig, settingsFromConfig } from '../../src/verify/verify-config.ts';
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

  test('takes globs, and the last word counts', () => {
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
      expect(error.message).toMatch(/cannot be lowered to (off|info|warn): corruption is a hard failure/);
      expect(error.hint).toBeTruthy();
    },
  );

  test('may raise a hard failure, and lower what is none', () => {
    expect(rules('log/no-final-newline=off', 'log/truncated=error')).toEqual({
      'log/no-final-newline': 'off',
      'log/truncated': 'error',
    });
  });

  test('leaves the policy it starts from alone, and keeps its other words', () => {
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
    ['seal/missing=fatal', '"fatal" is no severity for seal/missing (--rule)', /off, info, warn, error/],
    ['seal/missing=toString', '"toString" is no severity for seal/missing (--rule)', /off/],
    ['seal/mising=off', 'no finding is called "seal/mising" (--rule)', /seal\/missing/],
  ])('%s is refused', (rule, message, hint) => {
    const error = refusal(() => rules(rule));
    expect(error).toMatchObject({ code: 'usage', message, place: {} });
    expect(error.hint).toMatch(hint);
  });
});

describe('[verify] of a configuration', () => {
  const read = (verify: unknown) => policyFromConfig('noesis.toml', { verify } as JsonObject);

  test('is the default where there is none', () => {
    expect(policyFromConfig('noesis.toml', { runs_dir: 'x' })).toBe(DEFAULT_POLICY);
    expect(read({})).toEqual(DEFAULT_POLICY);
  });

  test('sets flags, a number and severities', () => {
    const policy = read({
      strict: true,
      require_seal: true,
      require_signature: false,
      max_warnings: 0,
      rules: { 'seal/*': 'off', 'seal/missing': 'warn' },
    });
    expect({ ...policy, severities: Object.fromEntries(policy.severities) }).toMatchObject({
      strict: true,
      requireSeal: true,
      requireSignature: false,
      maxWarnings: 0,
      severities: { 'seal/missing': 'warn', 'seal/open': 'off', 'seal/incomplete': 'off' },
    });
  });

  test.each([
    [true, /must be a table/],
    [{ strict: 'yes' }, /verify\.strict must be true or false/],
    [{ max_warnings: -1 }, /max_warnings must be a whole number/],
    [{ max_warnings: 1.5 }, /max_warnings must be a whole number/],
    [{ max_warnings: '1' }, /max_warnings must be a whole number/],
    [{ rules: [] }, /verify\.rules must be a table/],
    [{ rules: { 'seal/missing': 7 } }, /7 is no severity for seal\/missing \(noesis\.toml\)/],
    [{ rules: { 'nothing/*': 'off' } }, /no finding is called "nothing\/\*" \(noesis\.toml\)/],
    [{ strictly: true }, /verify\.strictly is no setting/],
    [{ constructor: true }, /verify\.constructor is no setting/],
  ])('%j is refused, with its file', (section, message) => {
    const error = refusal(() => read(section));
    expect(error).toMatchObject({ code: 'config-invalid', place: { file: 'noesis.toml' } });
    expect(error.message).toMatch(message);
    expect(error.hint).toBeTruthy();
  });
});

describe('the tables of dialects', () => {
  const read = (table: JsonObject) => settingsFromConfig('noesis.toml', table);

  test('are kept as they stand, and others left alone', async () => {
    const exarchos = { custom_types: ['deploy.started'] };
    expect(await read({ exarchos, noesis: { runs_dir: 'x' }, fishbowl: 7, other: 1 })).toEqual({ exarchos });
    expect(await read({ exarchos: {} })).toEqual({ exarchos: {} });
    expect(await read({})).toEqual({});
  });

  test.each([
    [7, /\[exarchos\] must be a table/],
    [{ custom_type: [] }, /exarchos\.custom_type is no setting/],
    [{ custom_types: 'deploy.started' }, /custom_types must be a list \(/],
    [{ custom_types: [7] }, /custom_types must be a list of names/],
    [{ custom_types: ['deploy'] }, /"deploy" is no type name: write category\.name/],
    [{ custom_types: ['task.completed'] }, /task\.completed is a built-in type/],
    [{ custom_types: ['a.b', 'a.b'] }, /a\.b is registered already/],
  ])('%j is refused, with its file', async (exarchos, message) => {
    const error = await read({ exarchos }).then(undefined, (thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message) as unknown,
      place: { file: 'noesis.toml' },
      hint: expect.stringMatching(/./) as unknown,
    });
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
  test("are the team's, else the rule's, else the catalogue's", () => {
    const policy = applyRuleOptions(DEFAULT_POLICY, ['seal/missing=error']);
    expect(severityFor(policy, 'seal/missing', 'info')).toBe('error');
    expect(severityFor(policy, 'seal/incomplete', 'info')).toBe('info');
    expect(severityFor(policy, 'seal/incomplete')).toBe('error');
  });

  test('that are off drop the finding', () => {
    const findings = new Findings(applyRuleOptions(DEFAULT_POLICY, ['seal/missing=off']));
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

  test('are none by default', () => {
    expect(DEFAULT_VERIFY_OPTIONS.key('ops-1')).toBeUndefined();
  });
});

test('stages that nobody spoke of do not apply', () => {
  const stages = new StageList();
  stages.ran('log');
  stages.skip('state', 'no state');
  stages.ranOrPartly('events', undefined);
  stages.ranOrPartly('lineage', 'only a part');
  expect(stages.list().slice(0, 5)).toEqual([
    { name: 'log', status: 'ran' },
    { name: 'events', status: 'ran' },
    { name: 'lineage', status: 'ran', reason: 'only a part' },
    { name: 'governance', status: 'skipped', reason: 'does not apply' },
    { name: 'state', status: 'skipped', reason: 'no state' },
  ]);
});
