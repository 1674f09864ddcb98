import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeZstd } from '../support/archives.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// What a folder contains may come from a stranger. A file that was found in it, and not named by the user, is opened only
// if it is a regular file inside the folder.

const SECRET = 'ghp_verySecretToken';
const FOREIGN = 'A foreign task';

/** A log, and the files that its program keeps next to it, by the name of its dialect. */
const COMPANIONS: Readonly<Record<string, { readonly log: string; readonly beside: readonly string[] }>> = {
  exarchos: {
    log: 'test/samples/exarchos/demo-feature.events.jsonl',
    beside: ['demo-feature.state.json', 'demo-feature.seq', 'demo-feature.projections.jsonl'],
  },
  coordinator: { log: 'test/samples/coordinator/interrupted-session1.jsonl', beside: ['state.json'] },
};

const READERS = [
  ['verify'],
  ['show'],
  ['events'],
  ['state'],
  ['project'],
  ['project', '--diff'],
  ['stats'],
  ['list'],
  ['search', 'a'],
  ['timeline'],
  ['view', '-o', 'page.html'],
];

/** Runs a command that must end by itself, and returns everything it prints and writes. */
async function said(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runHere([...args], { cwd });
  const page = readdirSync(cwd).includes('page.html') ? readFileSync(join(cwd, 'page.html'), 'utf8') : '';
  return stdout + stderr + page;
}

describe.each(Object.entries(COMPANIONS))('%s', (dialect, { log, beside }) => {
  const name = dialect === 'coordinator' ? 'event-log.jsonl' : basename(log);

  test.each(beside)('never shows what a link in place of %s leads to', async (file) => {
    const cwd = writeTree({ 'outside/secret': SECRET });
    mkdirSync(join(cwd, 'in'));
    cpSync(log, join(cwd, 'in', name));
    symlinkSync('../outside/secret', join(cwd, 'in', file));
    for (const [command = '', ...more] of READERS)
      for (const target of ['in', join('in', name)]) {
        const args = command === 'search' ? [command, 'a', target] : [command, target, ...more];
        expect([args, await said(cwd, args)]).toEqual([args, expect.not.stringContaining(SECRET)]);
      }
  });

  test.each(['a FIFO', '/dev/zero'])('does not wait for %s next to it', async (kind) => {
    for (const file of beside) {
      const cwd = tempDir();
      mkdirSync(join(cwd, 'in'));
      cpSync(log, join(cwd, 'in', name));
      if (kind === 'a FIFO') execFileSync('mkfifo', [join(cwd, 'in', file)]);
      else symlinkSync('/dev/zero', join(cwd, 'in', file));
      for (const [command = '', ...more] of READERS) {
        const args = command === 'search' ? [command, 'a', 'in'] : [command, 'in', ...more];
        await said(cwd, args);
      }
      await said(cwd, ['redact', join('in', name), '-o', 'copy']);
      expect(readdirSync(join(cwd, 'copy'))).not.toContain(file);
    }
  });
});

test.each(['events.jsonl', 'events.jsonl.gz', 'events.jsonl.zst'])(
  'a link out of an episode in place of its log is not followed: %s',
  async (name) => {
    const cwd = tempDir();
    const root = join(cwd, '.noesis/episodes');
    const { dir, log, id } = episodeIn(root, GOOD);
    const text = readFileSync(log, 'utf8').replace('"task":"', `"task":"${FOREIGN} `);
    mkdirSync(join(cwd, 'outside'));
    const bytes = name.endsWith('.gz')
      ? gzipSync(text)
      : name.endsWith('.zst')
        ? await makeZstd(Buffer.from(text))
        : text;
    writeFileSync(join(cwd, 'outside', name), bytes);
    // A stored state would answer instead of the log.
    for (const file of ['events.jsonl', 'state.json', 'summary.json'])
      rmSync(join(dir, file), { force: true });
    symlinkSync(join(cwd, 'outside', name), join(dir, name));
    for (const [command = '', ...more] of READERS)
      for (const target of [[], [id], [dir], [root], ['--root', join(cwd, '.noesis')]]) {
        const args = command === 'search' ? [command, 'a', ...target] : [command, ...target, ...more];
        expect([args, await said(cwd, args)]).toEqual([args, expect.not.stringContaining(FOREIGN)]);
      }
    expect(await said(cwd, ['read', join('outside', name)])).toContain(FOREIGN);
    expect((await runHere(['verify', dir], { cwd })).code).toBe(1);
  },
);

test('a link to a log elsewhere is named and not followed, however the folder is named', async () => {
  const cwd = tempDir();
  mkdirSync(join(cwd, 'outside'));
  mkdirSync(join(cwd, 'checkout'));
  const text = readFileSync('test/samples/exarchos/demo-feature.events.jsonl', 'utf8');
  writeFileSync(join(cwd, 'outside/a.events.jsonl'), text.replaceAll('demo-feature', FOREIGN));
  symlinkSync('../outside/a.events.jsonl', join(cwd, 'checkout/a.events.jsonl'));
  for (const [command = '', ...more] of READERS) {
    const args = command === 'search' ? [command, 'a', 'checkout'] : [command, 'checkout', ...more];
    const text = await said(cwd, args);
    expect([args, text]).toEqual([args, expect.not.stringContaining(FOREIGN)]);
    expect([args, text]).toEqual([args, expect.stringContaining('checkout')]);
  }
  for (const format of ['csv', 'parquet']) {
    await said(cwd, ['export', 'checkout', '--format', format, '-o', `out-${format}`]);
    const files = readdirSync(join(cwd, `out-${format}`), { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile()))
      expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(FOREIGN);
  }
  // The ids of streams are looked up in the working directory.
  const inside = join(cwd, 'checkout');
  for (const args of [['verify'], ['list'], ['show', 'a'], ['events', 'a'], ['state', 'a'], ['show']])
    expect([args, await said(inside, args)]).toEqual([args, expect.not.stringContaining(FOREIGN)]);
  const { code, stdout } = await runHere(['verify', 'checkout', '--strict'], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining('verify/unfollowed-link')]);
  // The user may name a link.
  expect((await runHere(['events', 'checkout/a.events.jsonl'], { cwd })).stdout).toContain(
    'workflow.started',
  );
});

test('a link to a document elsewhere is named and not followed', async () => {
  const text = `{"schema_version":"ATIF-v1.5","agent":{"name":"${SECRET}"},"steps":[]}`;
  const cwd = writeTree({ 'outside/any.json': text, 'outside/other.json': '{}' });
  mkdirSync(join(cwd, 'in'));
  symlinkSync('../outside/any.json', join(cwd, 'in/run.json'));
  symlinkSync('../outside/other.json', join(cwd, 'in/tsconfig.json'));
  const { code, stdout } = await runHere(['verify', 'in', '--strict'], { cwd });
  expect([code, stdout.match(/unfollowed-link\]/g)]).toEqual([1, ['unfollowed-link]']]);
  expect(stdout).not.toContain(SECRET);
});

test.each(['a FIFO', '/dev/zero'])(
  'commands that write do not wait for %s in place of a manifest',
  async (kind) => {
    for (const args of [['seal', '--force'], ['seal'], ['sign', '--key', 'a=secret']]) {
      const cwd = writeTree({ secret: 'a secret of these tests, of 32 bytes and more' });
      const { dir } = episodeIn(cwd, GOOD);
      rmSync(join(dir, 'manifest.json'), { force: true });
      if (kind === 'a FIFO') execFileSync('mkfifo', [join(dir, 'manifest.json')]);
      else symlinkSync('/dev/zero', join(dir, 'manifest.json'));
      const [command = '', ...more] = args;
      const { code } = await runHere([command, dir, ...more], { cwd });
      expect([args, code]).not.toEqual([args, 0]);
    }
  },
);

describe('what takes the place of the log of a subagent', () => {
  const SESSION = '5e550000-0000-4000-8000-00000000a001';
  const SAMPLE = `test/samples/claude-code/projects/-home-usr-shop/${SESSION}.jsonl`;
  const places: readonly (readonly [string, string, (cwd: string) => void])[] = [
    ['a link to its folder', SESSION, (cwd) => symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'p', SESSION))],
    [
      'a link below it',
      `${SESSION}/subagents`,
      (cwd) => {
        mkdirSync(join(cwd, 'p', SESSION));
        symlinkSync(join(cwd, 'elsewhere/subagents'), join(cwd, 'p', SESSION, 'subagents'));
      },
    ],
    [
      'a link to the log',
      `${SESSION}/subagents/agent-a1.jsonl`,
      (cwd) => {
        mkdirSync(join(cwd, 'p', SESSION, 'subagents'), { recursive: true });
        symlinkSync(
          join(cwd, 'elsewhere/subagents/agent-a1.jsonl'),
          join(cwd, 'p', SESSION, 'subagents/agent-a1.jsonl'),
        );
      },
    ],
    [
      'a FIFO',
      `${SESSION}/subagents/agent-a1.jsonl`,
      (cwd) => {
        mkdirSync(join(cwd, 'p', SESSION, 'subagents'), { recursive: true });
        execFileSync('mkfifo', [join(cwd, 'p', SESSION, 'subagents/agent-a1.jsonl')]);
      },
    ],
  ];

  test.each(places)('%s is named, also if only the session is verified', async (_, file, put) => {
    const text = readFileSync(SAMPLE, 'utf8');
    const cwd = writeTree({ [`p/${SESSION}.jsonl`]: text, 'elsewhere/subagents/agent-a1.jsonl': text });
    const log = `p/${SESSION}.jsonl`;
    const before = await runHere(['verify', log, '--strict'], { cwd });
    expect(before.stdout).not.toMatch(/a link is not followed|nothing in it was verified/);
    put(cwd);
    const { code, stdout } = await runHere(['verify', log, '--strict', '-j'], { cwd });
    const { episodes } = JSON.parse(stdout) as {
      episodes: { findings: { code: string; severity: string; file: string }[] }[];
    };
    expect(code).toBe(1);
    expect(episodes).toHaveLength(1);
    expect(episodes[0]?.findings.filter((finding) => finding.file === file)).toEqual([
      expect.objectContaining({ severity: 'warn', code: expect.stringMatching(/^verify\//) }),
    ]);
    const copied = JSON.parse((await runHere(['redact', log, '-o', 'copy', '-j'], { cwd })).stdout);
    expect(copied).toMatchObject({ files: [`${SESSION}.jsonl`], left_out: [file] });
    const shown = await runHere(['show', log], { cwd });
    expect(shown.stdout).toMatch(/Integrity +(?:warn|.*\(\d+ info)/);
  });
});
