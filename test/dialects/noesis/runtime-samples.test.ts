import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FindingCode } from '../../../src/findings/codes.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { RUNTIME_SAMPLES, realEpisodes } from '../../support/runtime-episodes.ts';
import { tempDir, tempFile } from '../../support/temp.ts';

/**
 * The errors and warnings that are true of what the runtime wrote, by `<set>/<case>`: the table of the samples'
 * README. Every other case gives none.
 */
const TRUE_FINDINGS: Readonly<Record<string, readonly `${'error' | 'warn'} ${FindingCode}`[]>> = {
  // The runtime writes NaN.
  'produced/nan-tag': ['error artifact/corrupt', 'error log/non-finite', 'error state/invalid-json'],
  // It died in its first write.
  'produced/surrogate-task': ['warn log/empty', 'warn state/missing'],
  // The checkpoint is written before the last state: the runtime's own resume refuses it.
  'produced/pause-on-veto': ['warn checkpoint/mismatch'],
  'produced/pause-on-veto-resume': ['warn checkpoint/mismatch'],
  'produced/signed-hs256': ['warn manifest/unverified-signature'],
  'produced/signed-hs512-ctx': ['warn manifest/unverified-signature'],
  'killed/k000': ['warn seal/missing'],
  'killed/k006': ['warn state/missing'],
  'killed/k008': ['warn state/missing'],
  'killed/k010': ['warn state/missing'],
  'killed/k020': ['error log/truncated'],
  'killed/k024': ['warn seal/missing'],
  'killed/k026': ['warn seal/missing'],
};

const alarms = async (dir: string, keys?: (kid: string) => Buffer | undefined) => {
  const { findings } = await verifyEpisode(dir, keys && { key: keys });
  const loud = findings.filter(({ severity }) => severity !== 'info');
  return [...new Set(loud.map(({ severity, code }) => `${severity} ${code}`))].sort();
};

const episodes = realEpisodes();

describe.each(episodes)('$name/$id', ({ name, dir }) => {
  test('has only true findings', async () => {
    expect(await alarms(dir)).toEqual(TRUE_FINDINGS[name] ?? []);
  });
});

test.each(['produced/signed-hs256', 'produced/signed-hs512-ctx'])(
  'with the key the signature of %s is verified',
  async (name) => {
    const key = readFileSync(join(RUNTIME_SAMPLES, 'ops.key'));
    const found = episodes.find((episode) => episode.name === name);
    const given = await alarms(found?.dir ?? '', (kid) => (kid === 'ops-2026' ? key : undefined));
    expect(given).toEqual([]);
  },
);

test.each(['produced/signed-hs256', 'produced/signed-hs512-ctx'])(
  'the signature of %s covers neither its own fields nor the spelling of a size, and docs/limits.md says so',
  async (name) => {
    const key = readFileSync(join(RUNTIME_SAMPLES, 'ops.key'));
    const { dir = '', id = '' } = episodes.find((episode) => episode.name === name) ?? {};
    const copy = join(tempDir(), id);
    cpSync(dir, copy, { recursive: true });
    const path = join(copy, 'manifest.json');
    const stored = readFileSync(path, 'utf8');
    const edited = stored
      .replace(/"size_bytes": *\d+/, '$&.0')
      .replace(/"ts": *"[^"]*"/, '"ts": "2031-01-01T00:00:00+00:00"')
      .replace(/"env": *"[^"]*"/, '"env": "forged"');
    expect(edited).not.toBe(stored);
    writeFileSync(path, edited);
    expect(await alarms(copy, (kid) => (kid === 'ops-2026' ? key : undefined))).toEqual([]);
    const page = readFileSync('docs/limits.md', 'utf8').replace(/\s+/g, ' ');
    expect(page).toContain('It does not cover its own `ts` and other fields such as `ctx`');
    expect(page).toContain('A size written as `11342.0` has the same signature as `11342`.');
  },
);

test('a run that continues after it interrupted itself, without a resume, gives no warning', async () => {
  const found = episodes.find(({ name }) => name === 'produced/self-interrupt-resume');
  const lines = readFileSync(found?.log ?? '', 'utf8').split('\n');
  const goesOn = lines.filter((line) => !line.includes('"run.resume"') && !line.includes('"run.checkpoint"'));
  expect(lines.length - goesOn.length).toBe(2);
  const log = tempFile(goesOn.join('\n'));
  const { findings } = await verifyEpisode(log);
  expect(await alarms(log)).toEqual([]);
  expect(findings.map(({ code }) => code)).toContain('order/lifecycle');
});

test('every case of the table exists', () => {
  const names = new Set(episodes.map(({ name }) => name));
  expect(episodes.length).toBeGreaterThanOrEqual(70);
  expect(Object.keys(TRUE_FINDINGS).filter((name) => !names.has(name))).toEqual([]);
});
