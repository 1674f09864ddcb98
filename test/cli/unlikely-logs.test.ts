import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// A file with the name of a log that is probably not one of an agent. Each command says in one message what was seen and what
// to do; a log of an unknown program is still read.

const line = (record: object) => `${JSON.stringify(record)}\n`;
const cwd = writeTree({
  'table.jsonl': line({ a: 1 }) + line({ a: 2, b: 3 }),
  'empty-objects.jsonl': '{}\n{}\n',
  'wide.jsonl': line({ a: 1, b: 1, c: 1, d: 1, e: 1 }),
  'random.jsonl': Buffer.concat([Buffer.of(0xff), randomBytes(500)]),
  'list.jsonl': '[1]\n[2]\n',
  'app.jsonl': line({ level: 'info', msg: 'hi', ts: '2026-01-01T00:00:00Z' }),
  'typed.jsonl': line({ kind: 'start' }),
  'blank.jsonl': '\n \n',
  'empty.jsonl': '',
});
const run = (...args: readonly string[]) => runHere(args, { cwd, home: cwd });

const SEEN: Readonly<Record<string, string>> = {
  'table.jsonl': 'its records have no time, type or id, only `a`, `b`',
  'empty-objects.jsonl': 'its records have no time, type or id',
  'wide.jsonl': 'its records have no time, type or id, only `a`, `b`, `c`, `d`, …',
  'random.jsonl': 'its first lines are no JSON objects',
  'list.jsonl': 'its first lines are no JSON objects',
};

test.each(Object.entries(SEEN))('%s is probably not a log: %s', async (name, seen) => {
  const is = `${name} is probably not a log of an agent: ${seen}`;
  for (const command of ['show', 'read', 'events', 'list', 'timeline', 'view']) {
    const { stderr } = await run(command, name, ...(command === 'view' ? ['-o', `${name}.html`] : []));
    expect([command, stderr]).toEqual([
      command,
      expect.stringContaining(
        `${is}. Name another file; if it is a log, give its dialect (--dialect) or its fields`,
      ),
    ]);
    expect(stderr).not.toContain('is read as JSON Lines');
  }
  const { code, stderr } = await run('doctor', name);
  expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([
    3,
    `error: ${is} help: name a session; noesis list shows those of this machine `,
  ]);
  const verified = await run('verify', name);
  expect(verified.stdout.replace(/\s+/g, ' ')).toContain(`probably not a log of an agent: ${seen}`);
  expect(verified.code).toBe(seen.includes('no JSON') ? 1 : 3);
});

test.each(['app.jsonl', 'typed.jsonl'])('%s may be the log of a program that is not known', async (name) => {
  for (const command of ['show', 'list', 'verify', 'events']) {
    const { code, stdout, stderr } = await run(command, name);
    expect([command, code, `${stdout}${stderr}`]).toEqual([
      command,
      0,
      expect.not.stringContaining('probably not'),
    ]);
  }
});

test.each(['blank.jsonl', 'empty.jsonl'])('%s is empty, and nothing is known of its lines', async (name) => {
  for (const command of ['show', 'list', 'verify', 'events', 'doctor']) {
    const { stdout, stderr } = await run(command, name);
    expect([command, `${stdout}${stderr}`]).toEqual([command, expect.not.stringContaining('probably not')]);
  }
});

test('a user who names the dialect or the fields knows that it is a log', async () => {
  for (const option of [
    ['--dialect', 'generic'],
    ['--map', 'text=a'],
  ]) {
    const { stdout } = await run('verify', 'table.jsonl', ...option);
    expect([option, stdout]).toEqual([option, expect.not.stringContaining('probably not')]);
  }
  expect((await run('show', 'table.jsonl', '--map', 'text=a')).stderr).toBe('');
});

test('verify reports the other files, and exits with 3 for one that was named and is probably not a log', async () => {
  const { code, stdout, stderr } = await run('verify', 'typed.jsonl', 'table.jsonl');
  expect([code, stdout]).toEqual([3, expect.stringContaining('2 runs: 1 ok, 1 not checked')]);
  expect(stderr).toMatch(/error: \S*table\.jsonl is probably not a log of an agent: .*: nothing was checked/);
  expect((await run('verify', 'typed.jsonl', 'empty.jsonl')).code).toBe(0);
  // Among the files of a folder it may be anything.
  const folder = writeTree({ 'x/events.jsonl': line({ kind: 'start' }), 'y/events.jsonl': line({ a: 1 }) });
  expect((await runHere(['verify', folder], { cwd: folder, home: folder })).code).toBe(0);
});

test.each([
  [
    'junit',
    /<testsuites [^>]*errors="1"[\s\S]*<error type="error" message="[^"]*table\.jsonl is probably not a log/,
  ],
  ['github', /^::error title=noesis verify::\S*table\.jsonl is probably not a log/m],
  ['sarif', /"executionSuccessful": false,\s+"toolExecutionNotifications": \[\s+\{\s+"level": "error"/],
])(
  'a build server that reads only the report in %s learns that a file is no log',
  async (format, expected) => {
    expect((await run('verify', 'table.jsonl', '-f', format)).stdout).toMatch(expected);
    expect((await run('verify', 'blank.jsonl', '-f', format)).stdout).not.toMatch(/probably not/);
    expect((await run('verify', 'typed.jsonl', '-f', format)).stdout).not.toMatch(expected);
  },
);

describe('a log that is not of the dialect that the user named', () => {
  const CLAUDE = join(
    SAMPLES,
    'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
  );

  const NOT_CODEX =
    /^error: no record of \S+\.jsonl is one of codex; it looks like a log of claude-code\nhelp: remove --dialect, or use --dialect claude-code$/m;

  test.each([
    ['show', CLAUDE],
    ['read', CLAUDE],
    ['events', CLAUDE],
    ['timeline', CLAUDE],
    ['project', CLAUDE],
    ['stats', CLAUDE],
    ['search', 'price', CLAUDE],
    ['diff', CLAUDE, CLAUDE],
    ['list', CLAUDE],
    ['view', CLAUDE],
    ['tail', CLAUDE],
    ['doctor', CLAUDE],
    ['export', '-f', 'otlp', CLAUDE],
    ['export', '-f', 'csv', '-o', join(tempDir(), 'tables'), CLAUDE],
  ])('%s says whose it is instead of an empty run', async (...words) => {
    const { code, stdout, stderr } = await runHere([...words, '--dialect', 'codex']);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(NOT_CODEX);
    expect((await runHere([...words, '--dialect', 'claude-code'])).stderr).not.toContain('looks like');
  });

  test('of several logs, the others are shown', async () => {
    const codex = join(
      SAMPLES,
      'codex/sessions/2026/11/22/rollout-2026-11-22T08-37-29-01a20267-3b5a-7330-8e90-645a845357cd.jsonl',
    );
    const both = [CLAUDE, codex, '--dialect', 'codex'];
    const list = await runHere(['list', ...both]);
    expect([list.code, list.stdout.split('\n').length]).toEqual([0, 4]);
    expect(list.stderr).toContain('1 of 2 logs is not of codex: no record of ');
    for (const words of [['stats'], ['events'], ['search', 'echo']]) {
      const { code, stdout, stderr } = await runHere([...words, ...both]);
      expect([code, stdout === '']).toEqual([1, false]);
      expect(stderr).toMatch(NOT_CODEX);
    }
  });

  test('verify does not call most of its records foreign', async () => {
    const { stdout } = await runHere(['verify', CLAUDE, '--dialect', 'codex']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'this record and 33 more are of `claude-code`, and were checked as records of `codex`',
    );
  });
});
