import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noesis } from '../support/cli.ts';
import { GOOD } from '../support/episodes.ts';
import { damages } from '../support/simulator/damage.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir } from '../support/temp.ts';

const cwd = tempDir();
writeEpisode(cwd, damages['bad-json']?.(simulateEpisode({ ...GOOD, direction: false })) ?? simulateEpisode());

describe('the formats of verify', () => {
  test.each<[string, (text: string) => void]>([
    [
      'json',
      (text) => expect(JSON.parse(text)).toMatchObject({ schema: 'noesis.verify/1', verdict: 'fail' }),
    ],
    [
      'sarif',
      (text) =>
        expect(JSON.parse(text)).toMatchObject({
          version: '2.1.0',
          runs: [{ tool: { driver: { name: 'noesis' } }, results: expect.any(Array) as unknown }],
        }),
    ],
    ['junit', (text) => expect(text).toMatch(/^<\?xml.*<testsuites.*<failure.*<\/testsuites>\n$/s)],
    ['github', (text) => expect(text).toMatch(/^::error .*file=ep_.*line=7/m)],
    ['pretty', (text) => expect(text).toContain('log/invalid-json')],
  ])('%s is written to standard output, and with -o to a file', async (format, check) => {
    const direct = await noesis(['verify', '.', '-f', format], { cwd });
    expect([direct.code, direct.stderr]).toEqual([1, '']);
    check(direct.stdout);

    const file = join(tempDir(), 'report');
    const written = await noesis(['verify', '.', '--format', format, '-o', file], { cwd });
    expect(written.code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(direct.stdout);
    // The readable report stays on the terminal.
    expect(written.stdout).toContain('log/invalid-json');
    expect(written.stdout).not.toMatch(/^[{<:]/);
  });

  test('-j is -f json', async () => {
    const [short, long] = await Promise.all([
      noesis(['verify', '.', '-j'], { cwd }),
      noesis(['verify', '.', '-f', 'json'], { cwd }),
    ]);
    expect(short).toEqual(long);
  });

  test('a written file has no colours, even if the terminal has', async () => {
    const file = join(tempDir(), 'report');
    const { stdout } = await noesis(['verify', '.', '-f', 'pretty', '-o', file, '--color', 'always'], {
      cwd,
    });
    expect(stdout).toContain('\u001b[');
    expect(readFileSync(file, 'utf8')).not.toContain('\u001b[');
  });

  test('a file that cannot be written is exit 2', async () => {
    const file = join(tempDir(), 'no/such/folder/report');
    const { code, stdout, stderr } = await noesis(['verify', '.', '-f', 'json', '-o', file], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', file } });
    expect(stderr).toContain('cannot write');
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['github', 'GITHUB_WORKSPACE', /file=deep\/er\/ep_/],
    ['sarif', 'GITHUB_WORKSPACE', /"uri": "deep\/er\/ep_/],
    ['gitlab', 'CI_PROJECT_DIR', /"path": ?"deep\/er\/ep_/],
  ])(
    '%s gives the path of a file in the checkout, whatever the working directory',
    async (format, variable, path) => {
      const checkout = tempDir();
      const folder = join(checkout, 'deep/er');
      cpSync(cwd, folder, { recursive: true });
      const env = { [variable]: checkout };
      expect((await noesis(['verify', '.', '-f', format], { cwd: folder, env })).stdout).toMatch(path);
      const outside = await noesis(['verify', folder, '-f', format], { cwd: tempDir(), env });
      expect(outside.stdout).toContain(folder);
    },
  );

  test('gitlab shows every issue at a file, the level too', async () => {
    const folder = tempDir();
    writeEpisode(folder, simulateEpisode(GOOD));
    const { stdout } = await noesis(['verify', '.', '-f', 'gitlab'], { cwd: folder });
    const issues = JSON.parse(stdout) as { check_name: string; location: { path: string } }[];
    expect(issues.map(({ check_name }) => check_name)).toContain('noesis/level');
    for (const { location } of issues) expect(location.path).toMatch(/\/[a-z]+\.jsonl?$/);
  });

  test('github adds to the summary of its step', async () => {
    const GITHUB_STEP_SUMMARY = join(tempDir(), 'summary.md');
    await noesis(['verify', '.', '-f', 'github'], { cwd, env: { GITHUB_STEP_SUMMARY } });
    expect(readFileSync(GITHUB_STEP_SUMMARY, 'utf8')).toContain('log/invalid-json');
  });

  test('a failure before any report is JSON with -j, and text otherwise', async () => {
    for (const args of [
      ['-j'],
      ['-f', 'json'],
      ['--format', 'json'],
      ['--format=json'],
      ['-qj'],
      ['--json'],
    ]) {
      const { stderr } = await noesis(['verify', 'nowhere', ...args, '--root', cwd]);
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'target-missing' } });
    }
    for (const args of [[], ['-f', 'junit'], ['-fjunit'], ['-fsarif'], ['--root', 'j']]) {
      const { stderr } = await noesis(['verify', 'nowhere', '--root', cwd, ...args]);
      expect(stderr).toMatch(/^error: /);
    }
  });
});
