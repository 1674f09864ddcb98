import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checksums, notesOf, requireReleasable } from '../../scripts/release-parts.mjs';
import { EXAMPLES } from '../support/cli.ts';
import { binFolder, ROOT } from '../support/pages.ts';
import { tempDir } from '../support/temp.ts';
import { isInstalled } from '../support/tools.ts';

const hasBash = spawnSync('bash', ['-c', 'mapfile -t x < <(true)']).status === 0;

describe.skipIf(!hasBash)('the step of the action (where bash is installed)', () => {
  const bin = binFolder();

  function step(inputs: Readonly<Record<string, string>>) {
    const cwd = tempDir();
    cpSync(EXAMPLES, join(cwd, 'traces'), { recursive: true });
    const [summary, output] = [join(cwd, 'summary.md'), join(cwd, 'output')];
    const env = {
      PATH: [bin, process.env['PATH']].join(delimiter),
      HOME: cwd,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: output,
      NOESIS_SARIF: 'noesis.sarif',
      ...inputs,
    };
    const { status, stdout } = spawnSync('bash', [join(ROOT, 'action/verify.sh')], {
      cwd,
      env,
      encoding: 'utf8',
    });
    const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    return {
      status,
      stdout,
      summary: read(summary),
      output: read(output),
      sarif: read(join(cwd, 'noesis.sarif')),
    };
  }

  test('annotates, writes a summary and a report, and fails with what it found', () => {
    const good = step({ NOESIS_TARGETS: 'traces/.noesis\n' });
    expect(good).toMatchObject({ status: 0, output: 'verdict=ok\nreport=true\n' });
    expect(good.summary).toContain('| Verdict |');
    expect(good.sarif).toContain('"version": "2.1.0"');
    const bad = step({ NOESIS_TARGETS: 'traces/.noesis\ntraces/damaged/torn-tail' });
    expect(bad).toMatchObject({ status: 1, output: 'verdict=fail\nreport=true\n' });
    expect(bad.stdout).toMatch(/^::error file=traces\//m);
    expect(bad.sarif).toContain('"ruleId": "log/truncated"');
  });

  test('hands arguments on, and takes none of its inputs for code', () => {
    const missing = step({ NOESIS_TARGETS: 'traces/no $(touch pwned) such' });
    expect(missing).toMatchObject({ status: 3, output: 'verdict=error\n', sarif: undefined });
    const ruled = step({
      NOESIS_TARGETS: 'traces/.noesis',
      NOESIS_ARGUMENTS: '--require-signature\n--max-warnings\n0',
      NOESIS_SARIF: '',
    });
    expect(ruled).toMatchObject({ status: 1, sarif: undefined, output: 'verdict=fail\n' });
    const spaced = step({ NOESIS_TARGETS: '  traces/.noesis \r\n', NOESIS_ARGUMENTS: ' --strict ' });
    expect(spaced).toMatchObject({ status: 0 });
  });

  test('is no success where the report could not be written', () => {
    const unwritten = step({ NOESIS_TARGETS: 'traces/.noesis', NOESIS_SARIF: 'no/such/folder.sarif' });
    expect(unwritten).toMatchObject({ status: 2, output: 'verdict=error\n' });
  });

  test('has the inputs that the action gives it', () => {
    const action = readFileSync(join(ROOT, 'action.yml'), 'utf8');
    const script = readFileSync(join(ROOT, 'action/verify.sh'), 'utf8');
    const given = [...action.matchAll(/^ +(NOESIS_\w+):/gm)].map(([, name]) => name);
    expect(given).toEqual(['NOESIS_TARGETS', 'NOESIS_ARGUMENTS', 'NOESIS_PACKAGE', 'NOESIS_SARIF']);
    for (const name of given) expect(script).toContain(`\${${name}:-`);
  });
});

describe('a release', () => {
  const CHANGELOG =
    '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-03-02\n\n- A thing.\n\n## 1.1.0\n\n- Another.\n';

  test('says what the changelog says of its version', () => {
    expect(notesOf(CHANGELOG, '1.2.0')).toBe('- A thing.\n');
    expect(notesOf(CHANGELOG, '1.1.0')).toBe('- Another.\n');
    expect(notesOf(CHANGELOG, '1.2')).toBeUndefined();
    expect(notesOf(CHANGELOG, '2.0.0')).toBeUndefined();
  });

  test.each([
    [{ version: '1.2' }, 'no version'],
    [{ notes: undefined }, 'has no section ## 1.2.0'],
    [{ status: ' M src/index.ts' }, 'has changes'],
    [{ tags: 'v1.1.0' }, 'not tagged'],
  ])('is refused: %j', (wrong, words) => {
    const fine = { version: '1.2.0', notes: '- A thing.\n', status: '', tags: 'latest\nv1.2.0' };
    const said: string[] = [];
    requireReleasable(fine, (message: string) => said.push(message));
    expect(said).toEqual([]);
    requireReleasable({ ...fine, ...wrong }, (message: string) => said.push(message));
    expect(said).toEqual([expect.stringContaining(words)]);
  });

  test.skipIf(!isInstalled('sha256sum'))(
    'has sums that sha256sum checks (where it is installed)',
    async () => {
      const { createHash } = await import('node:crypto');
      const dir = tempDir();
      writeFileSync(join(dir, 'a'), 'text');
      const sums = checksums([['a', 'text']], (bytes: string) =>
        createHash('sha256').update(bytes).digest('hex'),
      );
      writeFileSync(join(dir, 'SHA256SUMS'), sums);
      expect(spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: dir }).status).toBe(0);
    },
  );
});
