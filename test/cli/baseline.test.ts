import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isNeverAccepted } from '../../src/dialects/catalogue.ts';
import { CATALOGUE, reportSchema, type VerifyReport } from '../../src/library/index.ts';
import { EXAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

const LEGACY = join(EXAMPLES, 'legacy');
const ID = 'ep_20251111_021915_752337_6365_s16';

/** A copy of an old episode whose findings are warnings, and a baseline of them. */
async function accepted() {
  const cwd = tempDir();
  const log = join(cwd, ID, 'events.jsonl');
  cpSync(join(LEGACY, ID), join(cwd, ID), { recursive: true });
  writeSettled(log, readFileSync(log));
  const verify = (...args: string[]) => runHere(['verify', ID, '--strict', ...args], { cwd });
  const written = await verify('--baseline', 'base.json', '--write-baseline');
  return { cwd, log, verify, written };
}

describe('a baseline', () => {
  test('ignores findings from before, and every report says how many', async () => {
    const { verify, written } = await accepted();
    expect((await verify()).code).toBe(1);
    expect(written.code).toBe(0);
    expect(written.stderr).toContain('wrote 4 findings to base.json');
    const again = await verify('--baseline', 'base.json');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('4 findings in the baseline are ignored');
    const report = reportSchema.parse(JSON.parse((await verify('--baseline', 'base.json', '-j')).stdout));
    expect(report.summary.baselined).toBe(4);
    expect(report.episodes[0]?.baselined).toBe(4);
    expect(report.policy.baseline).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await verify('--baseline', 'base.json', '-f', 'ndjson')).stdout).toContain('"baselined":4');
    expect((await verify('--baseline', 'base.json', '-f', 'markdown')).stdout).toContain(
      '4 findings in the baseline',
    );
  });

  test('still applies if lines move, and new findings count', async () => {
    const { log, verify } = await accepted();
    const stored = readFileSync(log, 'utf8');
    writeSettled(log, `\n\n${stored}`);
    const moved = JSON.parse((await verify('--baseline', 'base.json', '-j')).stdout) as VerifyReport;
    expect(moved.summary.baselined).toBe(4);
    const [first = ''] = stored.split('\n');
    const { timestamp: _, ...event } = JSON.parse(first) as Record<string, unknown>;
    writeSettled(log, `${stored.trimEnd()}\n${JSON.stringify({ ...event, id: 'another' })}\n`);
    expect((await verify('--baseline', 'base.json')).code).toBe(1);
  });

  test('applies to several episodes with one id', async () => {
    const cwd = tempDir();
    for (const folder of ['a', 'b'])
      cpSync(join(EXAMPLES, '.noesis/episodes/ep_01KJQ38XW0B21102BHVMR95HBJ'), join(cwd, folder, 'ep_1'), {
        recursive: true,
      });
    cpSync(join(LEGACY, ID), join(cwd, 'c', 'ep_1'), { recursive: true });
    const verify = (...args: string[]) =>
      runHere(['verify', '.', '--baseline', 'base.json', ...args], { cwd });
    await verify('--write-baseline');
    const { stdout, stderr } = await verify();
    expect(stdout).toContain('in the baseline are ignored');
    expect(stderr).not.toContain('gone');
  });

  test('needs a file name: a file after --write-baseline is a target', async () => {
    const { code, stderr } = await runHere(['verify', ID, '--write-baseline', 'base.json'], { cwd: LEGACY });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--write-baseline needs --baseline FILE')]);
  });

  test('names findings that are gone', async () => {
    const { cwd, verify } = await accepted();
    const path = join(cwd, 'base.json');
    const baseline = JSON.parse(readFileSync(path, 'utf8')) as { findings: object[] };
    const gone = {
      episode: ID,
      code: 'event/time-order',
      severity: 'warn',
      file: 'events.jsonl',
      key: 'x',
      count: 2,
    };
    writeFileSync(path, JSON.stringify({ ...baseline, findings: [...baseline.findings, gone] }));
    expect((await verify('--baseline', 'base.json')).stderr).toContain('2 findings of the baseline are gone');
  });

  test.each(['bad-json', 'torn-tail', 'edited-log', 'appended-after-seal', 'nul-bytes'])(
    'never covers %s, even if somebody edits the file',
    async (name) => {
      const cwd = tempDir();
      const target = join(EXAMPLES, 'damaged', name);
      const args = ['verify', target, '--baseline', 'base.json'];
      const written = await runHere([...args, '--write-baseline', '-j'], { cwd });
      expect(written.code).toBe(1);
      const report = JSON.parse(written.stdout) as VerifyReport;
      const codes = report.episodes.flatMap(({ findings }) => findings.map(({ code }) => code));
      expect(codes.length).toBeGreaterThan(0);
      const path = join(cwd, 'base.json');
      const forged = readFileSync(path, 'utf8').replaceAll(/"code": "[^"]+"/g, `"code": "${codes[0]}"`);
      writeFileSync(path, forged);
      expect((await runHere(args, { cwd })).code).toBe(1);
    },
  );

  test('never contains errors that mean a damaged or altered log, or what was not verified', () => {
    for (const { code, severity } of CATALOGUE)
      if (
        (code.startsWith('log/') && severity === 'error') ||
        /(?:hash|content-id|signature)/.test(code) ||
        /^(?:chain|manifest|seal|verify)\//.test(code)
      )
        expect([code, severity === 'error' ? isNeverAccepted(code) : true]).toEqual([code, true]);
    for (const code of ['manifest/unsigned', 'seal/missing', 'order/after-seal', 'lineage/dangling-cause'])
      expect([code, isNeverAccepted(code)]).toEqual([code, true]);
    expect(isNeverAccepted('event/missing-field')).toBe(false);
  });

  test('names codes that do not exist, and those that no baseline can accept', async () => {
    const { cwd, verify } = await accepted();
    const path = join(cwd, 'base.json');
    const [first, second, ...rest] = JSON.parse(readFileSync(path, 'utf8')).findings;
    const findings = [{ ...first, code: 'event/\u001bx' }, { ...second, code: 'log/truncated' }, ...rest];
    writeFileSync(path, JSON.stringify({ schema: 'noesis.baseline/1', findings }));
    const { code, stderr } = await verify('--baseline', 'base.json');
    expect(code).toBe(1);
    expect(stderr).toContain('the baseline names codes that do not exist: event/\\x1bx\n');
    expect(stderr).toContain('the baseline names codes that no baseline can accept: log/truncated\n');
    expect((await verify('--baseline', 'base.json', '--write-baseline')).stderr).not.toContain('names codes');
  });

  test('must be readable before anything is verified', async () => {
    const { cwd, verify } = await accepted();
    expect((await verify('--baseline', 'nowhere.json')).code).toBe(3);
    writeFileSync(join(cwd, 'broken.json'), '{"schema":"noesis.baseline/1"');
    expect((await verify('--baseline', 'broken.json')).code).toBe(2);
    expect((await verify('--write-baseline')).code).toBe(2);
    expect((await verify('--baseline', 'base.json', '--attest', 'a.json', '--attest-key', 'k')).code).toBe(2);
    expect((await verify('--baseline', join(ID, 'events.jsonl'), '--write-baseline')).code).toBe(2);
    expect(existsSync(join(cwd, 'a.json'))).toBe(false);
  });
});

describe('the formats for other services', () => {
  const DAMAGED = join(EXAMPLES, 'damaged');

  test('gitlab gives issues with paths, lines, severities and unique fingerprints', async () => {
    const { code, stdout } = await runHere(['verify', DAMAGED, '-f', 'gitlab']);
    expect(code).toBe(1);
    const issues = JSON.parse(stdout) as {
      description: string;
      check_name: string;
      fingerprint: string;
      severity: string;
      location: { path: string; lines: { begin: number } };
    }[];
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
    for (const { severity, location, fingerprint } of issues) {
      expect(['info', 'minor', 'critical']).toContain(severity);
      expect(existsSync(join(EXAMPLES, location.path))).toBe(true);
      expect(location.lines.begin).toBeGreaterThan(0);
      expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    }
    // Of an episode without findings, how far the verdict goes.
    const latest = JSON.parse((await runHere(['verify', 'latest', '-f', 'gitlab'])).stdout);
    expect(latest).toMatchObject([{ check_name: 'noesis/level', severity: 'info' }]);
    expect(latest).toHaveLength(1);
  });

  test('markdown lists the findings in tables that trace text cannot leave', async () => {
    const { code, stdout } = await runHere(['verify', DAMAGED, '-f', 'markdown']);
    expect(code).toBe(1);
    expect(stdout).toContain('### noesis verify failed');
    expect(stdout).toContain('| error | log/invalid-json |');
    expect(stdout).not.toMatch(/<script|\]\(/);
  });

  test('a summary by code comes first if there are many findings', async () => {
    const cwd = tempDir();
    const event = (index: number) => JSON.stringify({ id: `e${index}`, phase: 'start', payload: {} });
    writeSettled(
      join(cwd, 'events.jsonl'),
      `${Array.from({ length: 30 }, (_, index) => event(index)).join('\n')}\n`,
    );
    const { stdout } = await runHere(['verify', 'events.jsonl', '--dialect', 'noesis'], { cwd });
    const [first = '', second = ''] = stdout.split('\n');
    expect([first, second].join('\n')).toMatch(/^ *\d+ {2}(?:error|warn ) {2}\w+\/[\w-]+$/m);
    expect(Number.parseInt(first, 10)).toBeGreaterThan(20);
    const few = await runHere(['verify', join(DAMAGED, 'bad-json')]);
    expect(few.stdout).toMatch(/^fail /);
  });
});
