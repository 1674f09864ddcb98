import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const SESSION = '5e550000-0000-4000-8000-00000000a001';
const home = tempDir();
const folder = join(home, '.claude/projects/-home-usr-shop');
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, `${SESSION}.jsonl`),
  readFileSync(join(SAMPLES, `claude-code/projects/-home-usr-shop/${SESSION}.jsonl`)),
);
const cwd = tempDir();
const run = (...args: string[]) => runHere(args, { cwd, home });

test.each([
  ['search', 'rate', 'limit'],
  ['search', 'rate', 'limit', 'hit'],
])('a word after the text of a search is a target, or a part of the text: %s %s %s', async (...args) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(3);
  expect(stderr).toContain(
    `help: give a run, a log or a folder after the text; one text of several words needs quotes: noesis search '${args.slice(1).join(' ')}'\n`,
  );
});

test('the beginning of an id is too short below four characters', async () => {
  const { code, stderr } = await run('show', '5e5');
  expect([code, stderr]).toEqual([
    3,
    'error: there is no path 5e5, and it is too short for an id\nhelp: give at least 4 characters of the id; one id begins like that, noesis list shows them\n',
  ]);
});

test('an id with the wrong dialect is answered with its dialect', async () => {
  const { code, stderr } = await run('show', '5e550000', '--dialect', 'codex');
  expect([code, stderr]).toEqual([
    3,
    'error: no session of codex on this machine has the id 5e550000, and there is no such path\nhelp: use --dialect claude-code, the dialect of 5e550000\n',
  ]);
  expect((await run('show', 'nothing', '--dialect', 'codex')).stderr).toContain(
    'error: nothing does not exist',
  );
});

test('sql with a run in the place of the query says that the query comes first', async () => {
  const { code, stderr } = await run('sql', '5e550000');
  expect(code).toBe(2);
  expect(stderr).toContain('error: "5e550000" is not a query\n');
  expect(stderr).toContain("help: give the query first: noesis sql 'select * from episodes' 5e550000\n");
});

test('a root without runs has a next step', async () => {
  const { code, stderr } = await run('show', '--root', tempDir());
  expect(code).toBe(3);
  expect(stderr).toContain('help: give a run, its log, or the folder with the runs: --root DIR\n');
});

test('the id of a session of which only a subagent is left is answered with the subagent', async () => {
  const gone = 'ef958aa1-0000-4000-8000-000000000001';
  const below = join(folder, gone, 'subagents');
  mkdirSync(below, { recursive: true });
  const record = {
    type: 'user',
    isSidechain: true,
    sessionId: gone,
    agentId: 'a1',
    uuid: 'u1',
    parentUuid: null,
  };
  const said = {
    ...record,
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: 'Look.' },
  };
  writeFileSync(join(below, 'agent-a1.jsonl'), `${JSON.stringify(said)}\n`);
  const { code, stderr } = await run('show', 'ef958aa1');
  expect([code, stderr]).toEqual([
    3,
    'error: no session on this machine has the id ef958aa1, but 1 log is in a folder with this name\nhelp: give agent-a1\n',
  ]);
  expect((await run('show', 'agent-a1')).code).toBe(0);
});

test('a line that is damaged is not said to be absent', async () => {
  const log = join(tempDir(), `${SESSION}.jsonl`);
  const lines = readFileSync(join(folder, `${SESSION}.jsonl`), 'utf8').split('\n');
  writeFileSync(log, lines.with(2, '{"type":').join('\n'));
  const { code, stderr } = await run('show', log, '3');
  expect(code).toBe(3);
  expect(stderr).toContain('error: no event 3 in this log: line 3 is damaged or empty\n');
});

test.each([
  ['-v', 'use noesis --version'],
  ['version', 'did you mean noesis --version?'],
  ['head 5e550000', 'use noesis events --limit 20 5e550000'],
  ['config', 'use noesis help configuration'],
  ['show -v 5e550000', 'use --full'],
  ['list --since week', 'use 7d, which means that long ago, or a day such as 2026-11-21'],
  ['search rate --since last-month', 'give an age such as 7d, which means 7 days ago'],
  ['events --until soon', 'give an age such as 7d, which means 7 days ago'],
  ['show 5e550000..6e55', 'to compare two runs: noesis diff 5e550000 6e55'],
  ['show 5e550000:3', 'to see line 3 of a run: noesis show 5e550000 3'],
  [
    'search rate -l',
    'put a text of several words in quotes: noesis search "rm -rf"; noesis search --help lists the options',
  ],
])('noesis %s is answered with a next step', async (line, hint) => {
  const { code, stderr } = await run(...line.split(' '));
  expect([code, stderr]).toEqual([
    line.startsWith('show 5e') ? 3 : 2,
    expect.stringContaining(`help: ${hint}`),
  ]);
});

test('stats names only the damaged logs that its filters choose', async () => {
  const other = tempDir();
  const logs = join(other, '.claude/projects/-home-usr-shop');
  mkdirSync(logs, { recursive: true });
  const whole = readFileSync(join(folder, `${SESSION}.jsonl`), 'utf8');
  writeFileSync(join(logs, `${SESSION}.jsonl`), `${whole}{"torn\n`);
  const stats = (...args: string[]) => runHere(['stats', ...args], { cwd, home: other });
  expect((await stats()).stderr).toContain('is damaged');
  expect((await stats('--project', 'shop')).stderr).toContain('is damaged');
  const { code, stderr } = await stats('--project', 'garden');
  expect([code, stderr]).toEqual([1, expect.not.stringContaining('is damaged')]);
});
