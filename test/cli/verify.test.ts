import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noesis, type Run, type RunOptions } from '../support/cli.ts';
import { episodeIn, GOOD, PAUSED, rootWith, VETOED } from '../support/episodes.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const { cwd, episodes } = rootWith(GOOD, PAUSED, VETOED);
const [good, paused] = episodes;

interface Report {
  readonly schema: string;
  readonly verdict: string;
  readonly summary: Record<string, number>;
  readonly episodes: {
    readonly episode: string;
    readonly path: string;
    readonly verdict: string;
    readonly stages: { readonly name: string; readonly status: string }[];
    readonly findings: { readonly code: string; readonly severity: string }[];
  }[];
}

async function verify(args: string[], options: RunOptions = { cwd }): Promise<Run & { report: Report }> {
  const run = await noesis(['verify', ...args, '-j'], options);
  return { ...run, report: JSON.parse(run.stdout) as Report };
}

const codesOf = ({ report }: { report: Report }) =>
  report.episodes.flatMap(({ findings }) => findings.map(({ severity, code }) => `${severity} ${code}`));

/** A sealed episode with one warning and no error: a file that its manifest does not list. */
function doubtful(): string {
  const { dir } = episodeIn(tempDir(), GOOD);
  writeFileSync(join(dir, 'note.txt'), 'x');
  return dir;
}

describe('verify', () => {
  test('checks every episode under the root, and exits 0 when all can be trusted', async () => {
    const { code, stderr, report } = await verify([]);
    expect([code, stderr]).toEqual([0, '']);
    expect(report).toMatchObject({
      schema: 'noesis.verify/1',
      tool: { name: 'noesis', version: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown },
      verdict: 'ok',
      summary: { episodes: 3, ok: 3, warn: 0, fail: 0, errors: 0, warnings: 0 },
    });
    expect(report.episodes.map(({ path }) => path)).toEqual(episodes.map(({ dir }) => dir).toSorted());
    const names = report.episodes[0]?.stages.map(({ name }) => name);
    expect(names).toEqual(
      'log events lineage governance state projection artifacts manifest consistency'.split(' '),
    );
  });

  test('changes nothing', async () => {
    await verify([good.id]);
    expect(readFileSync(good.log, 'utf8')).toBe(`${good.lines.join('\n')}\n`);
  });

  test('leaves absent values out', async () => {
    expect((await verify(['.'])).stdout).not.toMatch(/: null/);
  });

  test('exits 1 for any error, and says which of several episodes fail', async () => {
    const dir = tempDir();
    const bad = episodeIn(dir, GOOD);
    episodeIn(dir, PAUSED);
    appendFileSync(bad.log, '{"torn');
    const { code, report } = await verify([dir]);
    expect(report.episodes.map(({ verdict }) => verdict)).toEqual(['fail', 'ok']);
    expect(codesOf({ report })).toContain('error log/truncated');
    const text = await noesis(['verify', dir]);
    expect([code, text.code]).toEqual([1, 1]);
    expect(text.stdout).toContain('log/truncated');
  });
});

describe('what counts as a failure', () => {
  test('a warning alone does not, but with --strict or beyond --max-warnings', async () => {
    const dir = doubtful();
    expect(codesOf(await verify([dir]))).toEqual(['warn manifest/unlisted-file']);
    expect((await verify([dir])).code).toBe(0);
    expect((await verify([dir, '--strict'])).code).toBe(1);
    expect((await verify([dir, '--max-warnings', '1'])).code).toBe(0);
    expect((await verify([dir, '--max-warnings', '0'])).code).toBe(1);
  });

  test('is changed by rules, the last one winning', async () => {
    const dir = doubtful();
    const rules = (...words: string[]) => verify([dir, ...words.flatMap((word) => ['--rule', word])]);
    expect(codesOf(await rules('manifest/unlisted-file=off'))).toEqual([]);
    expect(codesOf(await rules('manifest/*=info'))).toEqual(['info manifest/unlisted-file']);
    const strict = await rules('manifest/unlisted-file=error');
    expect([codesOf(strict), strict.code]).toEqual([['error manifest/unlisted-file'], 1]);
    expect(codesOf(await rules('*=error', 'manifest/*=off'))).toEqual([]);
  });

  test.each([['nothing/such=off'], ['manifest/unlisted-file=loud'], ['manifest/unlisted-file'], ['=off']])(
    'is not changed by the rule %s: exit 2',
    async (rule) => {
      const { code, stdout, stderr } = await noesis(['verify', '--rule', rule, '-j'], { cwd });
      expect([code, stdout]).toEqual([2, '']);
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage' } });
    },
  );

  test('is an unsealed or unsigned episode if a policy requires more', async () => {
    const unsealed = await verify([paused.id, '--require-seal']);
    expect([unsealed.code, codesOf(unsealed)]).toEqual([1, expect.arrayContaining(['error seal/missing'])]);
    expect((await verify([good.id, '--require-seal'])).code).toBe(0);
    const unsigned = await verify([good.id, '--require-signature']);
    expect([unsigned.code, codesOf(unsigned)]).toEqual([1, ['error manifest/unsigned']]);
  });

  test('is set in noesis.toml, which options override', async () => {
    const dir = doubtful();
    const toml = (text: string) => writeTree({ 'noesis.toml': `[verify]\n${text}\n` });
    const codes = async (text: string, ...args: string[]) => {
      const { code, report } = await verify([dir, ...args], { cwd: toml(text) });
      return [code, ...codesOf({ report })];
    };
    expect(await codes('strict = true')).toEqual([1, 'error manifest/unlisted-file']);
    expect(await codes('max_warnings = 0')).toEqual([1, 'warn manifest/unlisted-file']);
    expect(await codes('max_warnings = 0', '--max-warnings', '5')).toEqual([
      0,
      'warn manifest/unlisted-file',
    ]);
    expect(await codes('[verify.rules]\n"manifest/*" = "off"')).toEqual([0]);
    expect(await codes('[verify.rules]\n"manifest/*" = "off"', '--rule', 'manifest/*=info')).toEqual([
      0,
      'info manifest/unlisted-file',
    ]);
    expect(await codes('require_signature = true')).toEqual([
      1,
      'error manifest/unsigned',
      'warn manifest/unlisted-file',
    ]);
  });

  test.each([
    'strict = 1',
    'max_warnings = -1',
    'unknown = true',
    'rules = 1',
    '[verify.rules]\n"x/y" = "off"',
  ])('is not set by %j: exit 2', async (text) => {
    const dir = writeTree({ 'noesis.toml': `[verify]\n${text}\n` });
    const { code, stdout, stderr } = await noesis(['verify', good.dir, '-j'], { cwd: dir });
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'config-invalid', file: join(dir, 'noesis.toml') },
    });
  });
});

describe('a signature', () => {
  const secret = 'a secret of these tests';
  const signed = episodeIn(tempDir(), { ...GOOD, signature: { alg: 'HS256', kid: 'ops-1', secret } });
  const keys = writeTree({
    right: `${secret}\n`,
    crlf: `${secret}\r\n`,
    bare: secret,
    wrong: 'hunter2-hunter2-hunter2\n',
  });

  test('is checked with a key from a file, without one final newline', async () => {
    for (const name of ['right', 'bare', 'crlf']) {
      const { code, report } = await verify([
        signed.dir,
        '--key',
        `ops-1=${join(keys, name)}`,
        '--require-signature',
      ]);
      expect([name, code, codesOf({ report })]).toEqual([name, 0, []]);
    }
  });

  test('is checked with a key from the environment', async () => {
    const { code, report } = await verify([signed.dir], { cwd, env: { NOESIS_MANIFEST_KEY_OPS_1: secret } });
    expect([code, codesOf({ report })]).toEqual([0, []]);
  });

  test('that does not fit the key is an error, and one without a key a warning', async () => {
    expect(codesOf(await verify([signed.dir, '--key', `ops-1=${join(keys, 'wrong')}`]))).toEqual([
      'error manifest/signature',
    ]);
    expect(codesOf(await verify([signed.dir]))).toEqual(['warn manifest/unverified-signature']);
    expect(codesOf(await verify([signed.dir, '--key', `other=${join(keys, 'right')}`]))).toEqual([
      'warn manifest/unverified-signature',
    ]);
  });

  test('needs a key option that can be read', async () => {
    for (const [key, exit] of [
      ['ops-1', 2],
      ['=', 2],
      ['=/nonexistent', 3],
      ['ops-1=', 2],
      ['ops-1=/nonexistent', 3],
    ] as const) {
      expect((await noesis(['verify', signed.dir, '--key', key])).code).toBe(exit);
    }
  });

  test('keeps its secret to itself', async () => {
    for (const format of ['pretty', 'json', 'sarif', 'junit', 'github']) {
      const { stdout, stderr } = await noesis([
        'verify',
        signed.dir,
        '--key',
        `ops-1=${join(keys, 'wrong')}`,
        '-f',
        format,
      ]);
      expect(stdout + stderr).not.toContain('hunter2');
    }
  });
});

describe('many episodes', () => {
  const dir = tempDir();
  for (let seed = 1; seed <= 40; seed += 1) {
    const { log } = episodeIn(dir, { seed, acts: 2, plans: 1 + (seed % 2) });
    if (seed % 5 === 0) appendFileSync(log, '{"torn');
    if (seed % 7 === 0) rmSync(join(log, '../state.json'));
  }

  test('give the same report whatever the number of workers', async () => {
    const [one, two, four] = await Promise.all(['1', '2', '4'].map((jobs) => verify([dir, '--jobs', jobs])));
    expect(one?.report.summary).toMatchObject({ episodes: 40, fail: expect.any(Number) as unknown });
    expect(one?.code).toBe(1);
    expect(two?.stdout).toBe(one?.stdout);
    expect(four?.stdout).toBe(one?.stdout);
  });
});

describe('a target that is missing next to others', () => {
  const run = async (...args: string[]) => noesis(['verify', ...args], { cwd });
  const [first = ''] = episodes.map(({ id }) => id);

  test('is an error after the report on the others', async () => {
    const { code, stdout, stderr } = await run(first, 'ep_missing', 'ep_gone');
    expect(code).toBe(3);
    expect(stdout).toContain(first);
    expect(stdout).toContain('1 run: 1 ok');
    expect(stderr).toContain('ep_missing');
    expect(stderr).toContain('ep_gone');
  });

  test('is also a file that is no log', async () => {
    const text = join(tempDir(), 'notes.txt');
    writeFileSync(text, 'no log\n');
    const other = join(tempDir(), 'other.jsonl');
    writeFileSync(other, '{"a":1}\n');
    const { code, stdout, stderr } = await run(text, first, other);
    expect(code).toBe(3);
    expect(stdout).toContain(first);
    expect(stderr).toContain('notes.txt does not look like an event log');
    expect(stderr).toContain('other.jsonl is probably not a log of an agent');
  });

  test('weighs more than findings in the others, whose report is whole in every format', async () => {
    const torn = join(tempDir(), 'torn.jsonl');
    writeFileSync(torn, '{"torn');
    for (const format of ['json', 'ndjson', 'sarif']) {
      const { code, stdout } = await run(torn, 'ep_missing', '-f', format);
      expect([format, code]).toEqual([format, 3]);
      expect(stdout).toContain('log/');
    }
  });

  test('keeps a baseline, a shard and an attestation from being written for a part', async () => {
    for (const option of [
      ['--write-baseline'],
      ['--shard', '1/2'],
      ['--attest', join(tempDir(), 'a.json')],
    ]) {
      const { code, stdout } = await run(first, 'ep_missing', ...option);
      expect([option[0], code === 0, stdout]).toEqual([option[0], false, '']);
    }
  });
});
