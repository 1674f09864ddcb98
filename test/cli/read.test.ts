import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Story } from '../../src/dialects/kit/story.ts';
import { NO_TOKENS, plusTokens } from '../../src/dialects/kit/tokens.ts';
import { SESSION_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
const SPLICED = join(SAMPLES, 'claude-code/damaged/spliced.jsonl');

const SESSIONS = SESSION_DIALECTS.flatMap(sampleLogs);

async function storyOf(log: string, ...options: string[]): Promise<Story> {
  const { stdout } = await runHere(['read', log, '-j', ...options]);
  return JSON.parse(stdout);
}

describe.each(SESSIONS.map((log) => [relative(SAMPLES, log), log]))('%s', (name, log) => {
  test('reads from top to bottom', async () => {
    const { stdout } = await runHere(['read', name], { cwd: SAMPLES, env: { TZ: 'UTC' } });
    expect(stdout).toMatchSnapshot();
  });

  test('calls a turn interrupted only if its program says so, and says of others that they have no answer', async () => {
    const { turns } = await storyOf(log);
    const { stdout } = await runHere(['read', log]);
    const unanswered = turns.filter((turn) => turn.is_unanswered);
    for (const turn of unanswered) expect(turn.status).toBe('interrupted');
    expect((stdout.match(/^ +no answer\b/gm) ?? []).length).toBe(unanswered.length);
  });

  test('has the turns, calls and tokens of the session', async () => {
    const [story, session] = [
      await storyOf(log),
      JSON.parse((await runHere(['project', log, '-j'])).stdout || '{}'),
    ];
    if (session.turns === undefined) return;
    const turns = story.turns.filter(({ turn }) => turn > 0);
    expect(turns.map(({ line, status, duration_ms }) => ({ line, status, duration_ms }))).toEqual(
      session.turns.map(({ line, status, duration_ms }: (typeof turns)[number]) => ({
        line,
        status,
        duration_ms,
      })),
    );
    const calls = story.turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));
    expect(calls.map(({ line, status, duration_ms }) => ({ line, status, duration_ms }))).toEqual(
      session.calls.map(({ line, status, duration_ms }: (typeof calls)[number]) => ({
        line,
        status,
        duration_ms,
      })),
    );
    const byTurn = story.turns.flatMap(({ tokens }) => tokens ?? []);
    const parts = [...byTurn, story.subagents?.tokens ?? NO_TOKENS];
    if (byTurn.length > 0) expect(parts.reduce(plusTokens)).toMatchObject(story.tokens ?? {});
  });

  test('is Markdown that quotes trace text', async () => {
    const { stdout } = await runHere(['read', log, '-f', 'markdown', '--full', '--thinking']);
    // Fences are on separate lines; outside them nothing begins HTML.
    const outside = stdout.replace(/^(`{3,})\w*\n[\s\S]*?^\1$/gm, '');
    expect(outside).not.toMatch(/^\s*<\w/m);
  });
});

const OTHERS = readdirSync(join(EXAMPLES, 'other-dialects'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.jsonl'))
  .sort();

test.each(OTHERS)('%s reads from top to bottom, each record in its place', async (path) => {
  const log = join(EXAMPLES, 'other-dialects', path);
  const { stdout } = await runHere(['read', log], { env: { TZ: 'UTC' } });
  expect(stdout).toMatchSnapshot();
  const { turns } = await storyOf(log);
  const whole = JSON.parse((await runHere(['show', log, '-j'])).stdout || '{}').events;
  const records = turns.flatMap(({ items }) =>
    items.filter((item) => item.kind !== 'divider' || item.damaged === undefined),
  );
  expect(records).toHaveLength(whole);
});

const EPISODES = readdirSync(join(EXAMPLES, '.noesis/episodes')).sort();

test.each(EPISODES)('the example %s reads from top to bottom', async (id) => {
  const { stdout } = await runHere(['read', id], { env: { TZ: 'UTC' } });
  expect(stdout).toMatchSnapshot();
});

test('a candidate, its decision and its act are one item', async () => {
  const log = join(tempDir(), 'events.jsonl');
  const event = (phase: string, payload: object, more: object = {}) =>
    JSON.stringify({ phase, timestamp: '2026-03-02T12:00:00Z', payload, ...more });
  const candidate = (id: string) =>
    event('action_candidate', { action_candidate_id: id, kind: 'adapter' }, { id });
  const decision = (decision: string, cause: string, more: object = {}) =>
    event('governance', { decision, policy_id: 'p', ...more }, { caused_by: cause });
  writeFileSync(
    log,
    `${[
      event('start', { task: 'go' }),
      candidate('a'),
      decision('allow', 'a'),
      event('act', { action_candidate_id: 'a', tool: 't', outcome: 'error', error: 'no disk', step_id: 's' }),
      candidate('b'),
      decision('veto', 'b', { enforced: true, message: 'not allowed' }),
      candidate('c'),
      decision('veto', 'c', { mode: 'audit' }),
      event('terminate', { status: 'vetoed' }),
    ].join('\n')}\n`,
  );
  const [turn] = (await storyOf(log, '--dialect', 'noesis')).turns;
  const calls = turn?.items.filter((item) => item.kind === 'call') ?? [];
  expect(
    calls.map(({ line, status, output, points }) => ({
      line,
      status,
      output,
      points: points?.map(({ text }) => text),
    })),
  ).toEqual([
    { line: 4, status: 'error', output: 'no disk', points: ['allow by p, line 3', 's'] },
    { line: 5, status: 'denied', points: ['veto by p: not allowed, line 6'] },
    { line: 7, status: 'open', points: ['veto (not enforced) by p, line 8'] },
  ]);
});

test('shows the requested part', async () => {
  const turns = async (...options: string[]) =>
    (await storyOf(SHOP, ...options)).turns.map(({ turn }) => turn);
  expect(await turns('--turn', '2..3')).toEqual([2, 3]);
  expect(await turns('--turn', '4')).toEqual([4]);
  expect(await turns('--turn', '3..')).toEqual([3, 4]);
  expect(await turns('--turn', '..1')).toEqual([1]);
  const { turns: some } = await storyOf(SHOP, '--from', '12', '--to', '16');
  expect(some.flatMap(({ items }) => items.map(({ line }) => line))).toEqual([12, 14, 16]);
});

test.each(['99', '99..'])('says how many turns there are if none is in the range %j', async (range) => {
  const { code, stdout, stderr } = await runHere(['read', SHOP, '--turn', range]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('the run has 4 turns')]);
  const prompt = { type: 'user', sessionId: 's', uuid: 'u', message: { role: 'user', content: 'go' } };
  const log = tempFile(`${JSON.stringify(prompt)}\n`);
  const one = await runHere(['read', log, '--dialect', 'claude-code', '--turn', range]);
  expect([one.code, one.stderr]).toEqual([2, expect.stringContaining('the run has 1 turn')]);
});

test('keeps the date of the run in the heading if the part has no time', async () => {
  const prompt = (uuid: string, more: object) =>
    JSON.stringify({ type: 'user', sessionId: 's', uuid, message: { role: 'user', content: uuid }, ...more });
  const log = tempFile(`${prompt('one', { timestamp: '2026-10-05T10:00:00Z' })}\n${prompt('two', {})}\n`);
  const args = ['read', log, '--dialect', 'claude-code', '--from', '2'];
  const { stdout } = await runHere(args, { env: { TZ: 'UTC' } });
  expect(stdout).toContain('claude-code  2026-10-05');
  expect(stdout).not.toContain('    1  You');
});

test.each(['', 'x', '2..x', '..'])('refuses turns %j', async (range) => {
  const { code, stderr } = await runHere(['read', SHOP, '--turn', range]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--turn takes a number or a range')]);
});

test.each([
  ['--from', '9999'],
  ['--from', '9999', '--to', '99999'],
  ['--turn', '1', '--from', '9999'],
])('fails if no item is on the lines that are asked for: %j', async (...range) => {
  for (const format of [[], ['-j'], ['-f', 'markdown']]) {
    const { code, stdout, stderr } = await runHere(['read', SHOP, ...range, ...format]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/no record to show in these lines; the last one that read shows is on line \d+/);
  }
});

test.each([
  [['--turn', '3..2'], '--turn 3..2 ends before it begins'],
  [['--from', '20', '--to', '10'], '--to 10 is before --from 20'],
])('refuses a range that ends before it begins: %j', async (range, message) => {
  const { code, stderr } = await runHere(['read', SHOP, ...range]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('shows the records that a story leaves out if all are requested', async () => {
  const { turns } = await storyOf(SHOP, '--all');
  const lines = turns.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'call' ? [item.line, item.result_line ?? 0] : [item.line])),
  );
  const stored = readFileSync(SHOP, 'utf8').trimEnd().split('\n').length;
  expect(new Set(lines.filter((line) => line > 0)).size).toBe(stored);
});

test('folds long outputs and thinking unless the full text is requested', async () => {
  const dir = tempDir();
  const log = join(dir, 'long.jsonl');
  const output = Array.from({ length: 40 }, (_, index) => `row ${index}`).join('\\n');
  writeFileSync(
    log,
    readFileSync(SHOP, 'utf8')
      .replace('expected 10, got 9\\nExit code 1', output)
      .replace('Look at the test first.', 'Look at the test first.\\nThen at the code.'),
  );
  const short = (await runHere(['read', log])).stdout;
  expect(short).toContain('28 more lines, on line 13 (--full)');
  expect(short).toContain('thinks: Look at the test first. (1 more line)');
  const whole = (await runHere(['read', log, '--full', '--thinking'])).stdout;
  expect(whole).toContain('row 39');
  expect(whole).toContain('thinks: Look at the test first.\n      Then at the code.');
});

test('--full cuts neither commands nor outputs nor diffs', async () => {
  const dir = tempDir();
  const log = join(dir, 'wide.jsonl');
  const wide = (end: string) => `${'wide '.repeat(40)}${end}`;
  writeFileSync(
    log,
    readFileSync(SHOP, 'utf8')
      .replaceAll('npm test -- price', `${wide('commandend')}\\necho second`)
      .replace('expected 10, got 9', wide('outputend'))
      .replaceAll('const rate = 1;', wide('changeend')),
  );
  const joined = async (...args: string[]) => {
    const { stdout } = await runHere([...args, log]);
    return stdout.replaceAll(/\n[ │]*/g, '').replaceAll(' ', '');
  };
  const cut = await joined('read');
  const whole = await joined('read', '--full');
  for (const end of ['commandend', 'echosecond', 'outputend', 'changeend']) {
    expect(cut).not.toContain(end);
    expect(whole).toContain(end);
  }
  expect(await joined('show', '--changes')).toContain('changeend');
});

test('a path that is too long keeps its end, and a long title has two lines', async () => {
  const log = tempFile(
    readFileSync(SHOP, 'utf8')
      .replaceAll('/home/usr/shop/rate.js', `/home/${'folder/'.repeat(20)}rate.js`)
      .replaceAll('Fix the price test', 'Fix the price test. '.repeat(20)),
  );
  const [first, second, third] = (await runHere(['read', log])).stdout.split('\n');
  expect(first).toMatch(/^Fix the price test\./);
  expect(second).toMatch(/…$/);
  expect(third).toContain('claude-code');
  expect((await runHere(['read', log])).stdout).toMatch(/Read {2}…\/(?:folder\/)+rate\.js /);
});

test('shows the intact part of a damaged log, names the rest, and exits with 1', async () => {
  const { code, stdout, stderr } = await runHere(['read', SPLICED]);
  expect(code).toBe(1);
  expect(stdout).toContain('Turn 1');
  expect(stderr).toContain('skipped damaged lines 13, 31: ');
});

test.each([40, 80, 120])('fits into %i columns', async (columns) => {
  const { stdout } = await runHere(['read', SHOP], { columns });
  for (const row of stdout.replace(/\x1b\[[0-9;]*m/g, '').split('\n'))
    expect([...row].length, row).toBeLessThanOrEqual(columns);
});

test('escapes trace text', async () => {
  const log = join(tempDir(), 'hostile.jsonl');
  writeFileSync(
    log,
    readFileSync(SHOP, 'utf8').replace('I will run the test.', 'red \\u001b[31m and \\u202e bidi'),
  );
  for (const [format, red] of [
    ['text', '\\x1b[31m'],
    ['markdown', '\\\\x1b\\[31m'],
  ] as const) {
    const { stdout } = await runHere(['read', log, '-f', format]);
    expect(stdout).toContain(red);
    expect(stdout).toContain('\\u{202e}');
  }
});

/** A session of Claude Code with calls, each with its result. */
function calling(...calls: (readonly [name: string, input: object, result?: object])[]): string {
  let uuid = 0;
  const record = (type: string, content: unknown) =>
    JSON.stringify({
      type,
      uuid: `u${uuid++}`,
      parentUuid: null,
      sessionId: 's',
      isSidechain: false,
      message: { role: type, content },
    });
  const records = calls.flatMap(([name, input, result = { content: 'fine' }], index) => [
    record('assistant', [{ type: 'tool_use', id: `c${index}`, name, input }]),
    record('user', [{ type: 'tool_result', tool_use_id: `c${index}`, ...result }]),
  ]);
  return tempFile(`${[record('user', 'go'), ...records].join('\n')}\n`, 's.jsonl');
}

test('a call says what it does, not how it is stored', async () => {
  const tasks = (...statuses: string[]) => ({
    todos: statuses.map((status, index) => ({ content: `task ${index + 1}`, status })),
  });
  const log = calling(
    ['Grep', { pattern: 'innerHTML', path: '/home/usr/src', glob: '*.ts' }],
    ['Glob', { pattern: '**/*.ts' }],
    ['TodoWrite', tasks('completed', 'in_progress', 'pending')],
    ['TodoWrite', tasks('pending', 'pending')],
    ['TodoWrite', tasks('completed', 'done')],
    ['TodoWrite', tasks()],
    ['update_plan', { plan: [{ step: 'Look', status: 'completed' }] }],
    ['ExitPlanMode', { plan: '# The plan\nin steps' }],
    ['AskUserQuestion', { questions: [{ question: 'Which one?' }, { question: 'And then?' }] }],
    ['Odd', { todos: [{ id: 1 }] }],
    [
      'Edit',
      { file_path: 'a' },
      { is_error: true, content: '<tool_use_error>Read it first.</tool_use_error>' },
    ],
    ['Bash', { command: `echo ${'long '.repeat(300)}end` }],
  );
  const { stdout } = await runHere(['read', log]);
  const rows = stdout.split('\n').map((row) => row.replace(/ {2,}✓$/, ''));
  for (const row of [
    'Grep  innerHTML  in /home/usr/src',
    'Glob  **/*.ts',
    'TodoWrite  1 of 3 done, now: task 2 …',
    'TodoWrite  0 of 2 done, next: task 1 …',
    'TodoWrite  2 of 2 done …',
    'TodoWrite  no tasks',
    'update_plan  1 of 1 done …',
    'ExitPlanMode  # The plan …',
    'AskUserQuestion  Which one? …',
    'Odd  {"todos":[{"id":1}]}',
    '│ Read it first.',
  ])
    expect(rows).toContainEqual(expect.stringMatching(new RegExp(`${row.replace(/[[\]*|{}?.]/g, '\\$&')}$`)));
  const whole = (await runHere(['read', log, '--full'])).stdout;
  expect(whole).toMatch(/\[x\] task 1\n +\[>\] task 2\n +\[ \] task 3\n/);
  expect(whole).toContain('long end\n');
});

const HELPER = join(SAMPLES, 'copilot/session-state/bf0ec435-cfef-42de-9f40-b66bedb9d877');

test('a subagent has its title and a margin', async () => {
  expect((await runHere(['read', HELPER, '--from', '8', '--to', '30'])).stdout).toContain(
    '↳ counter: count lines\n  16  ┊ view  /home/usr/demo/notes.txt',
  );
  const { stdout } = await runHere(['read', HELPER, '-f', 'markdown', '--from', '8', '--to', '30']);
  expect(stdout).toContain('> *counter: count lines*\n>\n> **view** ');
  expect(stdout).toContain(
    '> ```\n>\n> **Agent** (line 21)\n>\n> > There is 1 line.\n\n**Agent** (line 28)\n',
  );
  expect((await storyOf(HELPER)).agents).toEqual({
    '0f4bf42e-5cf4-4ca6-849f-63501fb8084e': 'counter: count lines',
  });
});

test('Markdown has the cost of a run', async () => {
  const cwd = tempDir();
  writeFileSync(
    join(cwd, 'noesis.toml'),
    '[prices]\ncurrency = "USD"\n[prices.models."claude-*"]\ninput = 1\noutput = 2\n',
  );
  const { stdout, stderr } = await runHere(['read', SHOP, '-f', 'markdown'], { cwd });
  expect(stderr).toBe('prices of 1 model are from noesis.toml\n');
  expect(stdout).toMatch(/^`5e55.*, cost /m);
});
