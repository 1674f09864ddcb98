import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemFiles } from '../../src/base/files/port.ts';
import type { NoesisManifest } from '../../src/dialects/noesis/seal/manifest-schema.ts';
import { noesisSealing } from '../../src/dialects/noesis/seal/sealing.ts';
import { signatureOf, signedBytes } from '../../src/dialects/noesis/seal/signature.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { verifyTarget } from '../../src/verify/verify-episode.ts';
import { sealEpisode } from '../../src/write/seal.ts';
import { realSystem } from '../../src/write/system.ts';
import { logToWrite } from '../../src/write/target.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { RUNTIME_SAMPLES, realEpisodes } from '../support/runtime-episodes.ts';
import { tempDir } from '../support/temp.ts';
import { fileError } from './support/memory-files.ts';
import { watchedFiles } from './support/watched-files.ts';

const KEY = 'a secret of thirty-two bytes, ok';

/** A copy of a real episode without some of its files. */
function copyOf(source: string, ...without: string[]): string {
  const dir = join(tempDir(), basename(source));
  cpSync(source, dir, { recursive: true });
  for (const name of without) rmSync(join(dir, name), { force: true });
  return dir;
}

const sealed = realEpisodes().filter(
  ({ dir }) => existsSync(join(dir, 'final.json')) && existsSync(join(dir, 'manifest.json')),
);
const textIn = (dir: string, name: string) => readFileSync(join(dir, name), 'utf8');
const jsonIn = (dir: string, name: string) => JSON.parse(textIn(dir, name)) as Record<string, unknown>;
const [plainEpisode] = sealed.filter(({ name }) => name === 'produced/ok-minimal-planner');
const SAMPLE = plainEpisode?.dir ?? '';

async function findingsOf(dir: string, key?: string): Promise<string[]> {
  const options = {
    policy: { ...DEFAULT_POLICY, strict: true },
    key: () => (key === undefined ? undefined : Buffer.from(key)),
  };
  const target = { dir, log: join(dir, 'events.jsonl'), name: basename(dir) };
  const { findings } = await verifyTarget(target, options, 'noesis');
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, message }) => `${code}: ${message}`);
}

describe('noesis seal', () => {
  test.each(sealed.map(({ name, dir }) => [name, dir] as const))(
    'seals a run of the runtime as the runtime does: %s',
    async (_name, source) => {
      const before = await findingsOf(source);
      const whole = copyOf(source, 'final.json', 'manifest.json');
      const one = await runHere(['seal', whole]);
      if (before.some((finding) => /^(log|state\/invalid)/.test(finding))) {
        expect(one.code).toBe(1);
        expect(readdirSync(whole)).not.toContain('final.json');
        return;
      }
      expect([one.code, one.stderr]).toEqual([0, expect.stringMatching(/^(?:noesis verify has .*\n)?$/)]);
      const [own, real] = [jsonIn(whole, 'final.json'), jsonIn(source, 'final.json')];
      expect({ ...own, finalized_at: '' }).toEqual({ ...real, finalized_at: '' });
      // The list is identical, except for final.json and the times.
      const unsigned = (text: string) =>
        text
          .replace(/"created_at": "[^"]*"/, '')
          .replace(/\{"kind": "attachment", "name": "final.json"[^}]*\}/, '')
          .replace(/, "signature": \{.*\}, "signer": "[^"]*"/, ', "signer": null');
      expect(unsigned(textIn(whole, 'manifest.json'))).toBe(unsigned(textIn(source, 'manifest.json')));
      expect(textIn(whole, 'final.json').length).toBe(
        textIn(source, 'final.json').length -
          (String(real['finalized_at']).length - String(own['finalized_at']).length),
      );
      expect(await findingsOf(whole)).toEqual(
        before.filter((finding) => !finding.startsWith('manifest/unverified')),
      );
    },
  );

  test('lists a file called manifest.json in a subfolder, and verify misses a change of it', async () => {
    const dir = copyOf(SAMPLE, 'final.json', 'manifest.json');
    mkdirSync(join(dir, 'attachments'));
    const file = join(dir, 'attachments', 'manifest.json');
    writeFileSync(file, '{"what":"was there"}\n');
    expect((await runHere(['seal', dir])).code).toBe(0);
    const { files } = jsonIn(dir, 'manifest.json') as { files: { name: string }[] };
    expect(files.map(({ name }) => name)).toContain('attachments/manifest.json');
    expect(await findingsOf(dir)).toEqual([]);
    writeFileSync(file, '{"what":"was not there"}\n');
    expect(await findingsOf(dir)).toEqual([expect.stringMatching(/^manifest\/hash-mismatch: attachments/)]);
  });

  test('writes a missing summary, and verify accepts it', async () => {
    for (const { dir: source, name } of sealed.filter(({ name }) =>
      /ok-minimal|enforce-veto$|failed-tool$|new-meta/.test(name),
    )) {
      const dir = copyOf(source, 'final.json', 'manifest.json', 'summary.json');
      const { code, stdout } = await runHere(['seal', dir, '-j']);
      expect([name, code]).toEqual([name, 0]);
      expect(JSON.parse(stdout)).toMatchObject({ written: ['summary.json', 'final.json', 'manifest.json'] });
      const known = await findingsOf(source);
      const errors = (await findingsOf(dir)).filter((finding) => !known.includes(finding));
      expect([name, errors]).toEqual([name, []]);
      expect(jsonIn(dir, 'summary.json')).toMatchObject({ task: jsonIn(source, 'summary.json')['task'] });
    }
  });

  test('refuses a run that has not ended, and seals it with --force as interrupted', async () => {
    const [running] = realEpisodes().filter(({ name }) => name.startsWith('life-core/checkpoint-again'));
    const dir = copyOf(running?.dir ?? '', 'final.json', 'manifest.json', 'summary.json');
    const log = join(dir, 'events.jsonl');
    writeFileSync(
      log,
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !/"phase":"(terminate|insight|memory)"/.test(line))
        .map((line) => `${line}\n`)
        .join(''),
    );
    const before = readdirSync(dir).sort();
    const refused = await runHere(['seal', dir]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/--force/);
    expect(readdirSync(dir).sort()).toEqual(before);
    expect((await runHere(['seal', dir, '--force'])).code).toBe(0);
    expect(jsonIn(dir, 'final.json')).toMatchObject({
      outcome: 'interrupted',
      verification_status: 'not_applicable',
    });
  });

  test('refuses a corrupt log, with --force as well, and one that is sealed', async () => {
    const dir = copyOf(SAMPLE, 'final.json', 'manifest.json');
    const log = join(dir, 'events.jsonl');
    const good = readFileSync(log);
    writeFileSync(log, good.subarray(0, -20));
    for (const args of [
      ['seal', dir],
      ['seal', dir, '--force'],
    ]) {
      const { code, stderr } = await runHere(args);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/damaged on line 13/)]);
    }
    expect(existsSync(join(dir, 'final.json'))).toBe(false);
    writeFileSync(log, good);
    expect((await runHere(['seal', dir])).code).toBe(0);
    const again = await runHere(['seal', dir]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/already sealed/)]);
  });

  test('completes a seal that was interrupted between its two documents', async () => {
    const dir = copyOf(SAMPLE, 'manifest.json');
    const { code, stdout } = await runHere(['seal', dir, '-j']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ written: ['manifest.json'], verdict: 'ok' });
  });

  test('leaves the episode as it was when a write fails, whichever it is', async () => {
    let made = 0;
    const count = copyOf(SAMPLE, 'final.json', 'manifest.json', 'summary.json');
    const run = async (dir: string, fails: (number: number) => boolean) => {
      made = 0;
      const files = watchedFiles(systemFiles, (call, make) => {
        if (!call.changes) return make();
        made += 1;
        if (fails(made)) throw fileError('ENOSPC', call.name);
        return make();
      });
      const log = await logToWrite(
        dir,
        { cwd: '/', home: undefined, flag: undefined, runsDir: undefined },
        {},
      );
      return sealEpisode(log, {}, { ...realSystem, files });
    };
    await run(count, () => false);
    const calls = made;
    for (const at of sampled(
      Array.from({ length: calls }, (_, index) => index + 1),
      8,
    )) {
      const dir = copyOf(SAMPLE, 'final.json', 'manifest.json', 'summary.json');
      const before = readdirSync(dir).sort();
      const outcome = await run(dir, (number) => number === at).catch((error: unknown) => error);
      const expected =
        outcome instanceof Error ? before : [...before, 'final.json', 'manifest.json', 'summary.json'].sort();
      expect([
        at,
        readdirSync(dir)
          .filter((name) => !name.includes('.lock'))
          .sort(),
      ]).toEqual([at, expected]);
    }
  });
});

describe('a signature', () => {
  const VECTOR: NoesisManifest = {
    created_at: '2025-01-01T00:00:00+00:00',
    episode_id: 'ep_vec',
    files: [{ kind: 'attachment', name: 'notes/é→.txt', sha256: `sha256:${'0'.repeat(64)}`, size_bytes: 3 }],
    schema_version: 'manifest/1.0',
    signer: null,
  };

  test('has the bytes and the values of the test vector', () => {
    const text = `{"created_at": "2025-01-01T00:00:00+00:00", "episode_id": "ep_vec", "files": [{"kind": "attachment", "name": "notes/é→.txt", "sha256": "sha256:${'0'.repeat(64)}", "size_bytes": 3}], "schema_version": "manifest/1.0", "signer": null}`;
    expect(signedBytes(VECTOR).toString()).toBe(text);
    const value = (alg: string) => signatureOf(VECTOR, alg, Buffer.from('secret'));
    expect(value('HS256')).toBe('R1v8KAF2_6hIUkA2kRqsBribkQU4gHQ7zkqcQrfTuxM');
    expect(value('HS512')).toBe(
      'e_lu3ZKXSrnbiuMf6PzYc7TKyMZvT8l071ERAyj2yMM1LKRDFZU-zeueLE529CpMKU6Dzds4yRKVUeSpDeFmFQ',
    );
  });

  test('added to a manifest of the runtime without its signature, gives the bytes of the runtime', () => {
    const [signed] = sealed.filter(({ name }) => name === 'produced/signed-hs256');
    const stored = textIn(signed?.dir ?? '', 'manifest.json');
    const { signature, ...manifest } = JSON.parse(stored) as NoesisManifest;
    const unsigned = Buffer.from(JSON.stringify({ ...manifest, signer: null }));
    const key = { kid: 'ops-2026', alg: 'HS256', key: readFileSync(join(RUNTIME_SAMPLES, 'ops.key')) };
    const { text } = noesisSealing.signed(unsigned, key, { now: 0, newId: () => '' });
    expect(text.replace(/"ts": "[^"]*"/, `"ts": "${signature?.ts}"`)).toBe(stored);
  });

  test.each(['HS256', 'HS512'])('%s at sealing, or added later, is accepted by verify', async (alg) => {
    const folder = tempDir();
    const file = join(folder, 'key');
    writeFileSync(file, `${KEY}\n`);
    const args = ['--key', `ops=${file}`, '--alg', alg];
    const [atOnce, later] = [copyOf(SAMPLE, 'final.json', 'manifest.json'), copyOf(SAMPLE)];
    expect((await runHere(['seal', atOnce, ...args])).code).toBe(0);
    expect((await runHere(['sign', later, ...args])).code).toBe(0);
    for (const dir of [atOnce, later]) {
      expect(await findingsOf(dir, KEY)).toEqual([]);
      expect(await findingsOf(dir, 'another secret')).not.toEqual([]);
      const { code } = await runHere([
        'verify',
        dir,
        '--require-signature',
        '--strict',
        '--key',
        `ops=${file}`,
      ]);
      expect(code).toBe(0);
    }
    const twice = await runHere(['sign', later, ...args]);
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringMatching(/already signed/)]);
  });

  test('is not added to an invalid or missing seal', async () => {
    const file = join(tempDir(), 'key');
    writeFileSync(file, KEY);
    const args = ['--key', `ops=${file}`];
    const changed = copyOf(SAMPLE);
    writeFileSync(join(changed, 'state.json'), `${textIn(changed, 'state.json')} `);
    const before = textIn(changed, 'manifest.json');
    expect(await runHere(['sign', changed, ...args])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not valid/),
    });
    expect(textIn(changed, 'manifest.json')).toBe(before);
    expect((await runHere(['sign', copyOf(SAMPLE, 'manifest.json'), ...args])).code).toBe(1);
    expect((await runHere(['sign', copyOf(SAMPLE, 'final.json'), ...args])).code).toBe(1);
    expect((await runHere(['sign', SAMPLE])).code).toBe(2);
    expect((await runHere(['seal', SAMPLE, '--alg', 'HS256'])).code).toBe(2);
    const wrong = await runHere([
      'seal',
      copyOf(SAMPLE, 'final.json', 'manifest.json'),
      ...args,
      '--alg',
      'Ed25519',
    ]);
    expect(wrong.code).toBe(2);
  });
});
