import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { entriesOf, makeTar } from '../support/archives.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// Each line is a record, and the second has the id of the first.
const BAD = '{"id":"a","phase":"start","payload":{},"episode_id":"ep_b"}\n'.repeat(2);
const LEDGER = '{"id":"a","run_id":"r","turn":0,"kind":"run.started","payload":{}}\n'.repeat(2);
const SESSION = '{"sessionId":"s","projectHash":"h","messages":[]}';

async function verified(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await runHere(['verify', ...args, '-j'], { cwd });
  expect(stderr).not.toContain('"error"');
  const report = outputIn(stdout) as VerifyReport;
  const told = report.episodes.map(({ path, verdict, findings }) => ({
    path: path.slice(cwd.length + 1),
    verdict,
    codes: [...new Set(findings.map((finding) => finding.code))],
    files: findings.map(({ file }) => file),
  }));
  return { code, told, summary: report.summary };
}

const pathsOf = ({ told }: Awaited<ReturnType<typeof verified>>, verdict: string) =>
  told.filter((one) => one.verdict === verdict).map(({ path }) => path);

/** A folder that is an intact episode, with the given files below it. */
function folderAbove(files: Readonly<Record<string, string | Uint8Array>>, without: readonly string[] = []) {
  const cwd = tempDir();
  const { dir, id } = episodeIn(cwd, GOOD);
  writeTree(files, dir);
  for (const name of without) writeFileSync(join(dir, name), '');
  return { cwd, id };
}

describe('a log is not hidden by the episode above it', () => {
  test.each<[string, string, string, string?]>([
    ['in a folder of its own', 'sub/ep_b/events.jsonl', BAD],
    ['deep below', 'a/b/c/events.jsonl', BAD],
    ['under another name', 'a/renamed.jsonl', BAD],
    ['of another format', 'attachments/any.jsonl', LEDGER, 'attachments'],
    ['next to its own log', 'any.jsonl', LEDGER],
    ['in a folder of tools', 'node_modules/ep_b/events.jsonl', BAD],
  ])('%s', async (_, name, text, found = name.replace('/events.jsonl', '')) => {
    const { cwd, id } = folderAbove({ [name]: text });
    for (const target of ['.', id]) {
      const report = await verified(cwd, target);
      expect(report.code).toBe(1);
      expect(pathsOf(report, 'fail')).toEqual([join(id, found)]);
    }
  });

  test.each([
    ['learn.jsonl', LEDGER],
    ['prompts.jsonl', LEDGER],
    ['summary.json', SESSION],
    ['state.json', '{"schema_version":"ATIF-v1.4","agent":{},"steps":[{}]}'],
  ])('in place of its %s, which its own checks read', async (name, text) => {
    const { cwd, id } = folderAbove({ [name]: text });
    const { told } = await verified(cwd, '.');
    expect(told).toMatchObject([{ path: id, verdict: 'fail' }]);
    expect(told[0]?.files).toContain(name);
  });

  test('in place of an artifact, if a named dialect replaces the checks that read it', async () => {
    const cwd = tempDir();
    const { dir, id } = episodeIn(join(cwd, '.noesis/episodes'), GOOD);
    const root = dir.slice(cwd.length + 1);
    writeTree({ 'learn.jsonl': LEDGER, 'summary.json': SESSION }, dir);
    for (const args of [[], [id], [root], ['.']]) {
      const { told } = await verified(cwd, ...args, '--dialect', 'fishbowl');
      expect([args, told.map(({ path }) => path)]).toEqual([
        args,
        [root, join(root, 'learn.jsonl'), join(root, 'summary.json')],
      ]);
    }
    writeFileSync(join(cwd, 'runs.tar'), await makeTar(entriesOf(dir, 'ep/')));
    const { told } = await verified(cwd, 'runs.tar', '--dialect', 'fishbowl');
    expect(told.map(({ path }) => path)).toEqual([
      'runs.tar/ep',
      'runs.tar/ep/learn.jsonl',
      'runs.tar/ep/summary.json',
    ]);
    expect((await verified(cwd, '.noesis', '--dialect', 'noesis')).told).toHaveLength(1);
  });

  test('found by its id, its path or the root', async () => {
    const cwd = tempDir();
    const { dir, id } = episodeIn(join(cwd, '.noesis/episodes'), GOOD);
    writeTree({ 'sub/ep_b/events.jsonl': BAD }, dir);
    for (const args of [[], [id], [id.slice(0, 12)], ['latest'], [dir], ['.'], ['--root', '.']])
      expect([args, (await verified(cwd, ...args)).code]).toEqual([args, 1]);
  });

  test('is a finding if no manifest lists it', async () => {
    const good = episodeIn(tempDir(), { ...GOOD, seed: 5 });
    const { cwd, id } = folderAbove({ 'sub/ep_b/events.jsonl': good.lines.join('\n').concat('\n') });
    const { told } = await verified(cwd, id);
    const own = told.find(({ path }) => path === id);
    expect(own?.verdict).toBe('warn');
    expect(own?.codes).toContain('manifest/unlisted-file');
    expect(own?.files).toContain('sub/ep_b/events.jsonl');
  });
});

describe('a compressed log below a folder', () => {
  test('is verified, by its name or by its records', async () => {
    const cwd = writeTree({
      'ep_b/events.jsonl.gz': gzipSync(BAD),
      'runs/any.jsonl.gz': gzipSync(LEDGER),
      'damaged/any.jsonl.gz': gzipSync(LEDGER).subarray(0, 40),
    });
    episodeIn(cwd, GOOD);
    const report = await verified(cwd, '.');
    expect(report.code).toBe(1);
    expect(pathsOf(report, 'fail')).toEqual([
      'damaged/any.jsonl.gz',
      'ep_b/events.jsonl.gz',
      'runs/any.jsonl.gz',
    ]);
  });

  test('is verified whatever its first record takes, as without compression', async () => {
    const long = LEDGER.replace('{}', `{"text":"${'x'.repeat(100_000)}"}`);
    const cwd = writeTree({ 'plain/any.jsonl': long, 'packed/any.jsonl.gz': gzipSync(long) });
    const report = await verified(cwd, '.');
    expect(pathsOf(report, 'fail')).toEqual(['packed/any.jsonl.gz', 'plain']);
    expect(report.summary.notVerified).toBeUndefined();
  });

  test('fails if it has no end of a line, or unpacks to too much, next to an intact episode', async () => {
    const cwd = tempDir();
    episodeIn(cwd, GOOD);
    writeTree({ 'bomb.jsonl.gz': gzipSync(Buffer.alloc(80 * 1024 ** 2)) }, cwd);
    const { code, told, summary } = await verified(cwd, '.');
    expect([code, summary.notVerified]).toEqual([1, undefined]);
    expect(told).toContainEqual({
      path: 'bomb.jsonl.gz',
      verdict: 'fail',
      codes: ['archive/too-large'],
      files: ['bomb.jsonl.gz'],
    });
  });

  test('is listed, and read by its folder', async () => {
    const cwd = writeTree({ 'run/any.jsonl.gz': gzipSync(LEDGER.split('\n')[0] ?? '') });
    const { stdout } = await runHere(['list', 'run', '-j'], { cwd });
    expect(outputIn(stdout)).toHaveLength(1);
    expect((await runHere(['events', 'run', '-j'], { cwd })).stdout).toContain('run.started');
  });

  test('is a run next to the plain log', async () => {
    const plain = LEDGER.split('\n')[0] ?? '';
    const cwd = writeTree({ 'run/a.jsonl': `${plain}\n`, 'run/b.jsonl.gz': gzipSync(BAD) });
    const { code, stderr } = await runHere(['show', 'run'], { cwd });
    expect([code, stderr]).toEqual([3, expect.stringContaining('contains 2 runs')]);
    expect((await verified(cwd, 'run')).code).toBe(1);
  });
});

describe('a file that may hold episodes and is not verified', () => {
  test('is named and counted, and not among the episodes', async () => {
    const cwd = tempDir();
    const { id, dir } = episodeIn(cwd, GOOD);
    writeTree(
      {
        'old/backup.tar.gz': gzipSync(await makeTar(entriesOf(dir))),
        'old/other.jsonl': '{"any":1}\n',
        'old/other.jsonl.gz': gzipSync('{"any":1}\n'),
        'notes.txt': 'x',
      },
      cwd,
    );
    const { code, told, summary } = await verified(cwd, '.');
    expect([code, summary.episodes, summary.notVerified]).toEqual([0, 1, 3]);
    expect(told.find(({ codes }) => codes.includes('verify/not-verified'))?.files).toEqual([
      'old/backup.tar.gz',
      'old/other.jsonl',
      'old/other.jsonl.gz',
    ]);
    const { stdout } = await runHere(['verify', '.'], { cwd });
    expect(stdout).toMatch(/^note .*3 files not verified: old\/backup\.tar\.gz, /m);
    expect(stdout).toContain(`1 run: 1 ok; 3 files not verified`);
    expect((await verified(cwd, '.', '--rule', 'verify/not-verified=error')).code).toBe(1);
    // Commands that only read do not report them.
    expect(outputIn((await runHere(['list', '.', '-j'], { cwd })).stdout)).toMatchObject([{ episode: id }]);
    expect((await runHere(['stats', '.', '-j'], { cwd })).code).toBe(0);
  });

  test('also in an archive', async () => {
    const cwd = tempDir();
    const { dir } = episodeIn(tempDir(), GOOD);
    const content = Buffer.from('{"any":1}\n');
    const tar = await makeTar([...entriesOf(dir, 'ep/'), { name: 'x/other.jsonl', content }]);
    writeFileSync(join(cwd, 'runs.tar'), tar);
    const { summary, told } = await verified(cwd, 'runs.tar');
    expect(summary).toMatchObject({ episodes: 1, notVerified: 1 });
    expect(told.at(-1)?.files).toEqual(['x/other.jsonl']);
  });
});

test('a link to a folder is named if there are episodes at any depth below it', async () => {
  const outside = writeTree({ 'a/b/c/d/ep_b/events.jsonl': BAD });
  const cwd = tempDir();
  episodeIn(cwd, GOOD);
  symlinkSync(join(outside, 'a'), join(cwd, 'link'));
  // The contents of a folder that is too large to search are unknown.
  const large = tempDir();
  for (let n = 0; n < 300; n += 1) mkdirSync(join(large, String(n)));
  symlinkSync(large, join(cwd, 'wide'));
  symlinkSync(writeTree({ 'x/y/z.txt': '' }), join(cwd, 'without'));
  const { told } = await verified(cwd, '.');
  expect(
    told.filter(({ codes }) => codes.includes('verify/unfollowed-link')).map(({ path }) => path),
  ).toEqual(['link', 'wide']);
});

describe('no content of a log can hide it', () => {
  const agent = (session: string) => `{"sessionId":"${session}"}\n${BAD}`;
  const codexOf = (thread: string) =>
    `${JSON.stringify({
      timestamp: '2026-01-01T00:00:00Z',
      type: 'session_meta',
      payload: { id: 'abc', source: { subagent: { thread_spawn: { parent_thread_id: thread } } } },
    })}\n${BAD}`;

  test.each<[string, (id: string) => Record<string, string>]>([
    ['a part of itself', () => ({ 'x/agent-1.jsonl': agent('agent-1') })],
    [
      'two parts of each other',
      () => ({ 'x/agent-1.jsonl': agent('agent-2'), 'x/agent-2.jsonl': agent('agent-1') }),
    ],
    ['a part of an episode of another dialect', (id) => ({ 'x/agent-1.jsonl': agent(id) })],
    [
      'a part of an episode of another dialect, by its thread',
      (id) => ({ 'x/rollout-2026-01-01T00-00-00-abc.jsonl': codexOf(id) }),
    ],
  ])('%s', async (_, filesOf) => {
    const cwd = tempDir();
    const { id } = episodeIn(cwd, GOOD);
    const files = filesOf(id);
    writeTree(files, cwd);
    const report = await verified(cwd, '.');
    expect(report.code).toBe(1);
    expect(pathsOf(report, 'fail').sort()).toEqual(Object.keys(files).sort());
  });

  test('an episode in another one whose log is compressed', async () => {
    const { cwd, id } = folderAbove({ 'sub/state.json': '{}', 'sub/events.jsonl.gz': gzipSync(BAD) });
    const report = await verified(cwd, '.');
    expect([report.code, pathsOf(report, 'fail')]).toEqual([1, [join(id, 'sub/events.jsonl.gz')]]);
  });

  test('a link to a folder that is not searched is named', async () => {
    const cwd = tempDir();
    episodeIn(cwd, GOOD);
    writeTree({ 'node_modules/bad/events.jsonl': BAD }, cwd);
    symlinkSync('node_modules/bad', join(cwd, 'ep_bad'));
    const report = await verified(cwd, '.');
    expect(report.told.flatMap(({ codes }) => codes)).toContain('verify/unfollowed-link');
  });

  test('a rotated log next to an episode is named', async () => {
    const { cwd } = folderAbove({ 'events.jsonl.1': BAD }, []);
    const report = await verified(cwd, '.');
    expect(report.told.flatMap(({ codes }) => codes)).toContain('verify/not-verified');
  });
});

// Exarchos keeps them next to transcripts of sessions, whose files have the names of streams.
test.each(['.manifest.jsonl', '.completions.jsonl'])('a stream next to %s is verified', async (marker) => {
  const torn = '{"streamId":"bad","sequence":1,"type":"workflow.started"';
  const transcript = '{"t":"turn","ts":"2026-01-01T00:00:00Z","sid":"s"}\n';
  const cwd = writeTree({ [marker]: '', 'bad.events.jsonl': torn, 's.events.jsonl': transcript });
  const report = await verified(cwd, '.');
  expect(report.code).toBe(1);
  expect(pathsOf(report, 'fail')).toEqual(['bad.events.jsonl']);
  expect(report.told).toHaveLength(1);
});
