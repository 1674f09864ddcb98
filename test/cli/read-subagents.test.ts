import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const PROJECTS = join(SAMPLES, 'claude-code/projects');
const FOLDER = '-home-usr-w-330-sub';
const SESSION = 'adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl';

/** The log in the command that the last sentence of a story contains. */
const namedIn = (text: string) =>
  /folded; --all shows its steps\. To read it alone:\s+`?noesis read ([^\s`]+)`?$/.exec(
    text.trimEnd(),
  )?.[1] ?? '';

test('read says that subagents are folded, with a command that reads one', async () => {
  const cwd = join(PROJECTS, FOLDER);
  const named = namedIn((await runHere(['read', SESSION], { cwd })).stdout);
  expect(named).toBe('adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1/subagents/agent-a4877a4f9f72b03c6.jsonl');
  const { code, stdout } = await runHere(['read', named], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('agent-a4877a4f9f72b03c6');
  const markdown = (await runHere(['read', SESSION, '-f', 'markdown'], { cwd })).stdout;
  expect(namedIn(markdown)).toBe(named);
  const document = JSON.parse((await runHere(['read', SESSION, '-j'], { cwd })).stdout) as unknown;
  expect(document).toMatchObject({ subagent_logs: [named] });
});

test('of a packed session, it names them in the archive', async () => {
  const cwd = tempDir();
  execFileSync('tar', ['-cf', join(cwd, 'runs.tar'), '-C', PROJECTS, `./${FOLDER}`]);
  const named = namedIn((await runHere(['read', 'runs.tar'], { cwd })).stdout);
  expect(named).toMatch(/^runs\.tar\/-home-usr-w-330-sub\//);
  const { code, stdout } = await runHere(['read', named], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('agent-a4877a4f9f72b03c6');
});

const PARTS = 'test/samples/parts/claude-code/projects';

describe.each([
  ['claude-code', PARTS, 'agent-abcd123', 'Task', 'Edit'],
  [
    'codex',
    join(
      SAMPLES,
      'codex/sessions/2026/11/23/rollout-2026-11-23T02-13-13-01a2062d-c8d2-7ce3-a3bd-3c4c7f6dc389.jsonl',
    ),
    '01a2062d-ca98-78f3-a8c8-10dd7b6e6760',
    'spawn_agent',
    'exec_command',
  ],
])('a subagent of %s', (_, target, name, call, step) => {
  const read = async (...args: string[]) =>
    (await runHere(['read', target, ...args], { cwd: '.', columns: 80, env: { NO_COLOR: '1' } })).stdout;

  test('is folded below the call that started it', async () => {
    const story = JSON.parse(await read('-j'));
    const calls = story.turns.flatMap((turn: { items: { kind: string }[] }) =>
      turn.items.filter(({ kind }) => kind === 'call'),
    );
    const started = calls.filter(({ subagents }: { subagents?: unknown }) => subagents !== undefined);
    expect(started).toMatchObject([{ tool: call, subagents: [{ name, status: 'done' }] }]);
    expect(started[0].subagents[0]).not.toHaveProperty('turns');
    expect(started[0].subagents[0]).not.toHaveProperty('charges');
    const text = await read();
    expect(text).toMatch(
      new RegExp(`^ +\\d+  ${call} (?:.*\\n){2,4} {6}↳ (?:.*\\n)?.*${name.slice(0, 18)}`, 'm'),
    );
    expect(text).toContain('1 subagent is folded; --all shows its steps.');
    for (const line of text.split('\n').slice(0, -2)) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('is opened by --all, and has the numbers of its own lines', async () => {
    const text = await read('--all');
    expect(text).toMatch(new RegExp(`^ {6}┊ +\\d+  ${step}`, 'm'));
    expect(text).not.toContain('folded');
    const [part] = JSON.parse(await read('--all', '-j'))
      .turns.flatMap((turn: { items: { subagents?: unknown[] }[] }) => turn.items)
      .flatMap(({ subagents = [] }: { subagents?: unknown[] }) => subagents);
    const alone = JSON.parse((await runHere(['read', part.log, '--all', '-j'], { cwd: '.' })).stdout);
    expect(part.turns).toEqual(alone.turns);
    expect(part.tokens).toEqual(alone.tokens);
    expect(part.cost).toEqual(alone.cost);
    expect(await read('--all', '-f', 'markdown')).toMatch(
      new RegExp(`^> \\*\\*${step.replace('_', '\\\\?_')}\\*\\*`, 'm'),
    );
  });
});

test('subagents of subagents are below the calls of these, and one that nothing starts is at the end', async () => {
  const session = 'abc00041-0000-4000-8000-000003dfd240';
  const source = join(PARTS, '-home-usr-shop');
  const whole = readFileSync(join(source, `${session}.jsonl`), 'utf8');
  const agent = readFileSync(join(source, session, 'subagents/agent-abcd123.jsonl'), 'utf8');
  // The session as the log of a subagent that starts the other one, and a third that no result names.
  const middle = whole.replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"middle"');
  const cwd = writeTree({
    [`${session}.jsonl`]: whole.replace(/"agentId":"abcd123"/, '"agentId":"middle"'),
    [`${session}/subagents/agent-middle.jsonl`]: middle,
    [`${session}/subagents/agent-abcd123.jsonl`]: agent,
    [`${session}/subagents/agent-lost.jsonl`]: agent.replaceAll('abcd123', 'lost'),
  });
  const read = async (...args: string[]) =>
    (await runHere(['read', `${session}.jsonl`, ...args], { cwd, columns: 80, env: { NO_COLOR: '1' } }))
      .stdout;
  const folded = await read();
  expect(folded).toMatch(/^ {6}↳ .*\n?.*agent-middle.*\n(?: {8}.*\n)? {6}┊ {7}↳ .*\n?.*agent-abcd123/m);
  expect(folded).toMatch(/\n── Subagents ─+\n {6}↳ .*\n?.*agent-lost/);
  expect(folded).toContain('3 subagents are folded; --all shows their steps.');
  const open = await read('--all');
  expect(open).toMatch(/^ {6}┊ {7}┊ +\d+ {2}Edit/m);
  expect(open.match(/Edit {2}/g)).toHaveLength(2);
  expect(await read('-f', 'markdown')).toMatch(/^> > \*.*agent-abcd123/m);
  // A part of the run only has the subagents of its calls.
  expect(await read('--turn', '1')).not.toContain('agent-lost');
});

test('each subagent is below its own call, also if one record has the calls', async () => {
  const store = join(SAMPLES, 'opencode/db-1.18.33/opencode.db#ses_de821ff04ffezhb2gNMy81CQ6v');
  const { stdout } = await runHere(['read', store, '-j']);
  const { turns } = JSON.parse(stdout) as {
    turns: { items: { line: number; input?: string; subagents?: { title: string }[] }[] }[];
  };
  const started = turns.flatMap(({ items }) => items.filter(({ subagents }) => subagents !== undefined));
  expect(new Set(started.map(({ line }) => line)).size).toBe(1);
  expect(started.map(({ input, subagents }) => [input, subagents?.map(({ title }) => title)])).toEqual([
    ['Look at notes', ['Look at notes (@general subagent)']],
    ['Break', ['Break (@general subagent)']],
  ]);
});
