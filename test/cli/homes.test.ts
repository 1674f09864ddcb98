import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noesis, SAMPLES } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';

/** Where programs keep their sessions: what their folder in the home is called, and what moves it. */
const PROGRAMS = [
  {
    dialect: 'claude-code',
    variable: 'CLAUDE_CONFIG_DIR',
    usual: '.claude',
    folder: 'projects',
    sessions: 11,
  },
  { dialect: 'codex', variable: 'CODEX_HOME', usual: '.codex', folder: 'sessions', sessions: 7 },
  { dialect: 'copilot', variable: 'COPILOT_HOME', usual: '.copilot', folder: 'session-state', sessions: 5 },
];

interface Row {
  readonly episode: string;
  readonly path: string;
  readonly status: string;
  readonly forked_from?: string;
}

async function listed(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Row[]> {
  const { code, stdout, stderr } = await noesis(['list', '-j', ...args], { cwd: tempDir(), env });
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return JSON.parse(stdout) as Row[];
}

describe.each(PROGRAMS)('the sessions of $dialect', ({ dialect, variable, usual, folder, sessions }) => {
  const put = (where: string) =>
    cpSync(join(SAMPLES, dialect, folder), join(where, folder), { recursive: true });

  test(`are found in the home directory, and in ${variable}`, async () => {
    const [home, moved] = [tempDir(), tempDir()];
    put(join(home, usual));
    const atHome = await listed(['--dialect', dialect], { HOME: home });
    expect(atHome).toHaveLength(sessions);
    expect(atHome.every(({ path }) => path.startsWith(join(home, usual, folder)))).toBe(true);
    // The folder in the variable replaces the one in the home.
    mkdirSync(join(moved, folder));
    const empty = await noesis(['list', '--dialect', dialect], {
      cwd: tempDir(),
      env: { HOME: home, [variable]: moved },
    });
    expect(empty.code).toBe(3);
    expect(empty.stderr).toContain(join(moved, folder));
    put(moved);
    const there = await listed(['--dialect', dialect], { HOME: home, [variable]: moved });
    expect(there.map(({ episode }) => episode).sort()).toEqual(atHome.map(({ episode }) => episode).sort());
    expect(there.every(({ path }) => path.startsWith(join(moved, folder)))).toBe(true);
  });
});

test('an unknown id is reported as not being that of a session', async () => {
  const home = tempDir();
  cpSync(join(SAMPLES, 'codex', 'sessions'), join(home, '.codex', 'sessions'), { recursive: true });
  const { code, stderr } = await noesis(['show', 'ef95aa'], { cwd: tempDir(), env: { HOME: home } });
  expect([code, stderr]).toEqual([
    3,
    'error: no session on this machine has the id ef95aa, and there is no such path\nhelp: run noesis list to see the ids\n',
  ]);
  const short = await noesis(['show', '01a'], { cwd: tempDir(), env: { HOME: home } });
  expect([short.code, short.stderr]).toEqual([
    3,
    expect.stringMatching(
      /help: give at least 4 characters of the id; \d+ ids begin like that, noesis list\s+shows\s+them/,
    ),
  ]);
  const listed = await noesis(['list'], { cwd: tempDir(), env: { HOME: home } });
  expect(listed.stderr).toMatch(/^\d+ runs: /);
});

test('a fork is a separate episode, and the list names its origin', async () => {
  const sessions = join(SAMPLES, 'codex', 'sessions');
  const fork = (await listed([sessions], {})).find(({ forked_from: origin }) => origin !== undefined);
  expect(fork?.forked_from).toBe('01a20265-2037-7e02-b97b-69c62b47e2b8');
  const { stdout } = await noesis(['list', sessions], { env: { COLUMNS: '200' } });
  expect(stdout).toContain('fork of 01a20265-2037-7e02-b97b-69c62b47e2b8: TASK-B: what does it say now?');
  const { stdout: shown } = await noesis(['show', '--full', fork?.path ?? '']);
  expect(shown).toMatch(/^forked_from 01a20265-2037-7e02-b97b-69c62b47e2b8$/m);
});

test('sessions in the home directory can be listed, picked by id, and explained', async () => {
  const HOME = tempDir();
  for (const { dialect, usual, folder } of PROGRAMS)
    cpSync(join(SAMPLES, dialect, folder), join(HOME, usual, folder), { recursive: true });
  const rows = await listed([], { HOME });
  expect(rows).toHaveLength(PROGRAMS.reduce((sum, { sessions }) => sum + sessions, 0));
  for (const { episode, status } of rows) {
    const { code, stdout } = await noesis(['show', episode], { cwd: tempDir(), env: { HOME } });
    expect([episode, code]).toEqual([episode, 0]);
    expect(stdout).toContain(status);
  }
});

test('a session in one JSON document has the same id in list, show and search, and is found by it', async () => {
  const [home, cwd] = [tempDir(), tempDir()];
  const chats = join(home, '.gemini', 'tmp', 'shed', 'chats');
  const log = join(chats, 'session-2026-11-23T09-34-9997efb8.json');
  cpSync(join(SAMPLES, 'gemini', 'document-failed-tools-0.21.3.json'), log);
  const run = (args: readonly string[]) => noesis(args, { cwd, env: { HOME: home } });
  const [list, listed, show, latest, found, tail] = await Promise.all([
    run(['list']),
    run(['list', '-q']),
    run(['show', '9997']),
    run(['show', 'latest']),
    run(['search', '-q', 'shed']),
    run(['events', '9997efb8', '-j']),
  ]);
  expect(list.stdout).toMatch(/^9997efb8 /m);
  expect([listed.stdout, found.stdout]).toEqual(['9997efb8\n', '9997efb8\n']);
  expect(show.stdout).toMatch(/^Run {7}9997efb8$/m);
  expect(latest.stdout).toBe(show.stdout);
  expect(tail.code).toBe(0);
});
