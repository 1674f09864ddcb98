import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { VerifyTarget } from '../../src/findings/options.ts';
import { DEFAULT_POLICY, type Policy } from '../../src/findings/policy.ts';
import { reportPolicy } from '../../src/verify/report-policy.ts';
import { optionsOf, type RunSettings } from '../../src/verify/run.ts';
import { verifyTarget } from '../../src/verify/verify-episode.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const settings: RunSettings = {
  policy: DEFAULT_POLICY,
  keys: { byKid: new Map(), byVariable: new Map() },
  dialect: undefined,
};

async function verified(target: Partial<VerifyTarget>, policy: Partial<Policy> = {}) {
  const options = optionsOf({ ...settings, policy: { ...DEFAULT_POLICY, ...policy } });
  const report = await verifyTarget({ name: 'ep', dir: undefined, log: undefined, ...target }, options);
  return {
    dialect: report.dialect,
    verdict: report.verdict,
    findings: report.findings.map(
      ({ severity, code, file, message }) => `${severity} ${code} ${file}: ${message}`,
    ),
  };
}

const NO_DIR = { dir: '/nowhere/ep' };

test('a folder that cannot be listed, and a link to one, are reported and not searched', async () => {
  expect(await verified({ ...NO_DIR, unlisted: 'EACCES' })).toEqual({
    dialect: 'generic',
    verdict: 'fail',
    findings: [
      'error verify/unreadable-folder .: the folder cannot be listed (permission denied): nothing in it was verified',
    ],
  });
  expect(await verified({ ...NO_DIR, link: true, owner: 'noesis' })).toEqual({
    dialect: 'noesis',
    verdict: 'warn',
    findings: ['warn verify/unfollowed-link .: a link is not followed: what it leads to was not verified'],
  });
});

test('a log that is a link out of its folder is known by its name alone', async () => {
  const outside = tempFile('{"phase":"start","id":"a","payload":{}}\n', 'elsewhere.jsonl');
  const dir = join(tempDir(), 'run');
  mkdirSync(dir);
  symlinkSync(outside, join(dir, 'any.jsonl'));
  symlinkSync(outside, join(dir, 'any.events.jsonl'));
  const dialectOf = async (name: string) => (await verified({ dir, log: join(dir, name) })).dialect;
  expect([await dialectOf('any.jsonl'), await dialectOf('any.events.jsonl')]).toEqual([
    'generic',
    'exarchos',
  ]);
});

test('a log without a record is reported, but not as a warning if the program creates it in advance', async () => {
  const log = tempFile('');
  expect(await verified({ log })).toMatchObject({ verdict: 'warn' });
  expect(await verified({ log, owner: 'claude-code' })).toMatchObject({
    verdict: 'ok',
    findings: [expect.stringMatching(/^info log\/empty events\.jsonl: the log has no record yet/)],
  });
});

describe('a required seal or signature of a log that cannot have one', () => {
  const required = { requireSeal: true, requireSignature: true };
  const missing = (file: string, why: string) => [
    `error manifest/unsigned ${file}: a signature is required, and ${why}`,
    `error seal/missing ${file}: a seal is required, and ${why}`,
  ];

  test.each([
    ['a log alone', { owner: 'noesis' }, 'events.jsonl', 'a log alone has no seal (name its folder)'],
    ['standard input', { owner: 'noesis', fileName: '-' }, '-', 'standard input has no seal'],
    [
      'another dialect',
      { owner: 'generic' },
      'events.jsonl',
      'a log of this dialect (generic) cannot be sealed or signed',
    ],
  ])('%s', async (_, target, file, why) => {
    const log = tempFile('{"phase":"start","id":"a","payload":{}}\n');
    const { findings } = await verified({ log, ...target }, required);
    expect(findings).toEqual(expect.arrayContaining(missing(file, why)));
    const { findings: seal } = await verified({ log, ...target }, { requireSeal: true });
    expect(seal.some((finding) => finding.includes('a signature is required'))).toBe(false);
  });
});

test('a report contains the settings behind its verdicts, equal for equal settings', () => {
  const { strict, requireSeal, requireSignature } = DEFAULT_POLICY;
  expect(reportPolicy(settings)).toEqual({ strict, requireSeal, requireSignature });
  const severities = new Map([
    ['seal/open', 'warn'],
    ['event/time', 'off'],
    ['event/vocabulary', 'error'],
  ] as const);
  const own = { exarchos: { custom_types: ['a'] } };
  const policy = { ...DEFAULT_POLICY, severities, maxWarnings: 3, maxFindings: 7 };
  const told = reportPolicy({ ...settings, policy, dialect: 'exarchos', settings: own });
  expect(told).toEqual({
    strict,
    requireSeal,
    requireSignature,
    maxWarnings: 3,
    maxFindings: 7,
    severities: { 'event/time': 'off', 'event/vocabulary': 'error', 'seal/open': 'warn' },
    dialect: 'exarchos',
    settings: own,
  });
  expect(Object.keys(told.severities ?? {})).toEqual(['event/time', 'event/vocabulary', 'seal/open']);
});

test('the thread for long hashes is passed on as a path if there is one', () => {
  expect(optionsOf(settings).hashWorker).toBeUndefined();
  expect(optionsOf({ ...settings, hashWorker: 'file:///a/hash.js' }).hashWorker).toEqual(
    new URL('file:///a/hash.js'),
  );
});
