import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folded } from '../../src/read/describe/run-fold.ts';
import { GROUPINGS } from '../../src/read/describe/run-groups.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

const RUNTIME = join(SAMPLES, 'noesis', 'runtime');

interface StoredEvent {
  readonly phase: string;
  readonly metrics?: { readonly duration_ms: number } | null;
  readonly payload: Record<string, unknown>;
}

/** The events of every whole log below a folder. */
function logsBelow(folder: string): StoredEvent[][] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('events.jsonl'),
  );
  return paths.flatMap((path) => {
    try {
      const lines = readFileSync(join(folder, path), 'utf8').split('\n').filter(Boolean);
      return [lines.map((line) => JSON.parse(line) as StoredEvent)];
    } catch {
      return [];
    }
  });
}

describe('stats', () => {
  test('gives the same counts as a plain reader', async () => {
    const { code, stdout, stderr } = await runHere(['stats', RUNTIME, '-j']);
    const events = logsBelow(RUNTIME).flat();
    const statistics = JSON.parse(stdout);
    expect(statistics.events).toBe(events.length);

    const acts = events.filter(({ phase }) => phase === 'act');
    const times = acts.flatMap(({ metrics }) => metrics?.duration_ms ?? []).sort((a, b) => a - b);
    const rank = (share: number) => times[Math.ceil(share * times.length) - 1];
    expect(statistics.phases.act).toEqual({
      count: acts.length,
      p50: rank(0.5),
      p95: rank(0.95),
      max: times.at(-1),
    });

    const vetoes = events.filter(
      ({ phase, payload }) => phase === 'governance' && payload['decision'] === 'veto',
    );
    const counted = Object.values(statistics.vetoes as Record<string, number>).reduce((a, b) => a + b, 0);
    expect(counted).toBe(vetoes.length);
    expect(statistics.failures['tool exploded: connection refused']).toBe(2);

    // Two logs there are damaged: they are named, and not counted.
    expect(code).toBe(1);
    expect(stderr.match(/"code":"log-corrupt"/g)).toHaveLength(2);
  });

  test('says in the table what it left out, because it would look like an answer about all logs', async () => {
    const damaged = join(SAMPLES, 'claude-code/damaged/spliced.jsonl');
    const one = await runHere(['stats', damaged]);
    expect(one.code).toBe(1);
    expect(one.stdout).toMatch(/^Runs +0\nLeft out +1 damaged log \(--partial counts its intact records\)$/m);
    expect((await runHere(['stats', damaged, '--partial'])).stdout).not.toContain('Left out');
    const both = await runHere(['stats', damaged, join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl')]);
    expect(both.stdout).toMatch(/^Runs +10\nLeft out +1 damaged log /m);
  });

  test('counts each run of a ledger by itself, as list and export do', async () => {
    const ledger = join(SAMPLES, 'fishbowl', 'ledger-10-runs.scrubbed.jsonl');
    const { stdout } = await runHere(['stats', ledger, '-j']);
    const listed = JSON.parse((await runHere(['list', ledger, '-j'])).stdout) as { status: string }[];
    const statistics = JSON.parse(stdout);
    expect(statistics).toMatchObject({
      episodes: listed.length,
      events: 256,
      statuses: { verdict: 8, running: 1, user_stop: 1 },
    });
    const one = JSON.parse((await runHere(['list', `${ledger}#4f88de22`, '-j'])).stdout) as object[];
    expect(one).toEqual([expect.objectContaining({ status: 'verdict' })]);
    // Nine are over, and one of them was stopped.
    expect(statistics.success_rate).toBeCloseTo(8 / 9);
  });

  test('counts the damaged lines of a ledger once, also in each group', async () => {
    const ledger = readFileSync(join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl'), 'utf8').split('\n');
    const damaged = ledger.map((line, at) => (at === 4 || at === 8 ? line.slice(0, -1) : line)).join('\n');
    const cwd = writeTree({ 'one.jsonl': damaged, 'two.jsonl': damaged });
    const counted = async (...args: string[]) =>
      JSON.parse((await runHere(['stats', '--partial', '-j', ...args], { cwd })).stdout);
    expect((await counted('one.jsonl')).lacks).toEqual({ lines: 2 });
    expect((await counted('one.jsonl', 'two.jsonl')).lacks).toEqual({ lines: 4 });
    const { groups } = await counted('--by', 'day', 'one.jsonl');
    expect(Object.values(groups as Record<string, object>)).toMatchObject([{ lacks: { lines: 2 } }]);
    const byStatus = await counted('--by', 'status', 'one.jsonl');
    for (const group of Object.values(byStatus.groups)) expect(group).toMatchObject({ lacks: { lines: 2 } });
  });

  test('does not count a live workflow as failed', async () => {
    const { stdout } = await runHere(['stats', join(SAMPLES, 'exarchos'), '-j']);
    const statistics = JSON.parse(stdout);
    expect(statistics.statuses).toEqual({ completed: 1, ideate: 1, plan: 1, 'plan-review': 1 });
    expect(statistics.success_rate).toBe(1);
  });

  test('cuts no counts of tokens, however narrow it is', async () => {
    const { stdout } = await runHere(['stats', join(SAMPLES, 'claude-code/projects/-home-usr-git-sync')], {
      env: { COLUMNS: '60' },
    });
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'input 4,450, cached 263,155, cache write 31,281 (31,281 for 1 h), output 1,787',
    );
  });

  test('is a view for people', async () => {
    const { code, stdout } = await runHere(['stats', join(EXAMPLES, '.noesis')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Runs {6}4$/m);
    expect(stdout).toMatch(/^Status {4}ok 2, .*vetoed 1/m);
    expect(stdout).toMatch(/^Refused or stopped$/m);
  });

  const SESSIONS = ['claude-code/projects', 'codex/sessions'].map((path) => join(SAMPLES, path));

  interface Groups {
    readonly failed: { name: string; reason: string; count: number; episode: string; line: number }[];
    readonly groups: Record<
      string,
      { runs: number; calls: { count: number }; failed: number; tokens?: Record<string, number> }
    >;
    readonly models: Record<string, { tokens: Record<string, number> }>;
    readonly episodes: number;
    readonly events: number;
  }

  const statsOf = async (...args: string[]): Promise<Groups> =>
    JSON.parse((await runHere(['stats', ...args, '-j'])).stdout);

  test.each(GROUPINGS)('counts by %s', async (by) => {
    const { stdout } = await runHere(['stats', ...SESSIONS, '--by', by], {
      cwd: SAMPLES,
      env: { TZ: 'UTC' },
    });
    expect(stdout).toMatchSnapshot();
  });

  test('lists failures below groups only if these are tools, which the lists name', async () => {
    const titles = async (by: string) =>
      (await runHere(['stats', ...SESSIONS, '--by', by])).stdout.match(
        /^(?:By \w+|Total|Failures|Refused or stopped|Models|Tools|Days)$/gm,
      );
    expect(await titles('tool')).toEqual(['By tool', 'Total', 'Failures', 'Refused or stopped']);
    expect(await titles('week')).toEqual(['By week', 'Total']);
  });

  test('has each group on one line of 80 columns, with no number cut', async () => {
    for (const by of GROUPINGS)
      for (const columns of [60, 80, 100]) {
        const { stdout } = await runHere(['stats', ...SESSIONS, '--by', by], {
          cwd: SAMPLES,
          columns,
          env: { TZ: 'UTC', NO_COLOR: '1' },
        });
        const names = Object.keys((await statsOf(...SESSIONS, '--by', by)).groups);
        const [, table = ''] = /^By .*\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
        const [head = '', ...lines] = table.split('\n');
        expect(head, by).toContain(by.toUpperCase());
        const rows = lines.filter((line) => /^ {2}\d+ /.test(line));
        expect(rows.length, table).toBe(Math.min(15, names.length));
        const at = head.indexOf(by.toUpperCase());
        for (const row of rows) {
          expect(row.length).toBeLessThanOrEqual(columns);
          expect(row.slice(0, at), row).not.toContain('…');
          const shown = row.slice(at).replace(/…$/, '');
          expect(shown === '' || !names.some((name) => name.startsWith(shown)), row).toBe(false);
        }
      }
  });

  test('counts the same calls, failures and tokens for every grouping', async () => {
    const sums = [];
    for (const by of ['tool', 'model', 'day', 'project', 'dialect', 'status']) {
      const { groups, models } = await statsOf(join(SAMPLES, 'claude-code/projects'), '--by', by);
      const all = Object.values(groups);
      const tokens = (lists: readonly { tokens?: Record<string, number> }[]) =>
        lists.flatMap(({ tokens: own = {} }) => Object.values(own)).reduce((a, b) => a + b, 0);
      sums.push({
        calls: all.reduce((sum, { calls }) => sum + calls.count, 0),
        failed: all.reduce((sum, { failed }) => sum + failed, 0),
      });
      if (by !== 'tool') expect(tokens(all)).toBe(tokens(Object.values(models)));
    }
    expect(new Set(sums.map((sum) => JSON.stringify(sum))).size).toBe(1);
  });

  test('counts each call once, also those without a result or with results in one record', async () => {
    const projects = join(SAMPLES, 'claude-code/projects');
    const count = async (folder: string, tool: string) =>
      (await statsOf(folder, '--by', 'tool')).groups[tool];
    expect(await count(join(projects, '-home-usr-git-sync'), 'Bash')).toMatchObject({ calls: { count: 9 } });
    // The newest of the five is still open; two others were cut off.
    const shop = join(projects, '-home-usr-shop');
    expect(await count(shop, 'Bash')).toMatchObject({ calls: { count: 5 }, failed: 4 });
    const codex = await count(join(SAMPLES, 'codex/sessions'), 'exec_command');
    expect(codex).toMatchObject({ calls: { count: 12 }, failed: 3 });
  });

  test('names failures with their reasons and latest places', async () => {
    const { failed } = await statsOf(...SESSIONS);
    expect(failed).toContainEqual({
      name: 'Bash',
      reason: 'expected #, got #',
      message: 'expected 10, got 9',
      input: 'npm test -- price',
      count: 1,
      episode: '5e550000-0000-4000-8000-00000000a001',
      line: 12,
      result_line: 13,
    });
    expect(failed.find(({ name }) => name === 'shell')).toMatchObject({ reason: 'check failed', count: 2 });
  });

  test('counts only events in a period, and runs with such events', async () => {
    const folder = join(SAMPLES, 'claude-code/projects/-home-usr-shop');
    const since = await statsOf(folder, '--since', '2026-10-05T09:00:10Z', '--by', 'tool');
    expect([since.episodes, since.failed.map(({ line }) => line)]).toEqual([1, [29, 18]]);
    // The call of the result was before.
    expect(since.groups['Read']).toMatchObject({ calls: { count: 2 } });
    const before = await statsOf(folder, '--until', '2026-10-05T09:00:10Z');
    expect(before.events).toBeLessThan((await statsOf(folder)).events);
    expect(before.failed.map(({ name }) => name)).toContain('Bash');
  });

  const UNDATED = 'rollout-2026-11-22T08-35-43-fbe58d05-fd2d-4d4c-8f52-8989e25ba5e1.jsonl';
  const undated = join(SAMPLES, 'codex/sessions/2026/11/22', UNDATED);

  test('says what a range of time leaves out because it has no time', async () => {
    const whole = (await runHere(['stats', undated])).stdout;
    expect(whole).toMatch(/^Duration +unknown: 1 run without times$/m);
    expect(whole).not.toContain('Undated');
    expect(await statsOf(undated, '--since', '2026-11-22')).toMatchObject({
      episodes: 1,
      undated: { runs: 0, calls: 5 },
    });
    const { stdout } = await runHere(['stats', undated, '--since', '2026-11-23']);
    expect(stdout).toMatch(/^No time +5 calls, not counted$/m);
    const bare = writeTree({ 'log.jsonl': '{"a":1}\n{"a":2}\n' });
    const two = (await runHere(['stats', join(bare, 'log.jsonl'), undated, '--until', '2026-11-01'])).stdout;
    expect(two).toMatch(/^No time +1 run and 5 calls, not counted$/m);
    expect((await runHere(['stats', ...SESSIONS])).stdout).toMatch(
      /^Duration +p50 .*; 1 run without times$/m,
    );
  });

  test('gives no duration for a run if only its head has a time', async () => {
    expect((await runHere(['show', undated])).stdout).toMatch(
      /^Lasted +unknown, because only one event has a time$/m,
    );
    expect(JSON.parse((await runHere(['show', undated, '-j'])).stdout)).not.toHaveProperty('end');
    const { stdout } = await runHere(['diff', undated, undated]);
    expect(stdout).not.toMatch(/^(?:Worked|Lasted)/m);
    const bare = writeTree({ 'log.jsonl': '{"a":1}\n{"a":2}\n' });
    expect((await runHere(['show', join(bare, 'log.jsonl')])).stdout).toMatch(
      /^Lasted +unknown, because no event has a time$/m,
    );
  });

  test('counts calls and tokens of a range on their own days', async () => {
    const line = (type: string, day: string, message: object) =>
      JSON.stringify({
        type,
        uuid: `${type} ${JSON.stringify(message)}`,
        parentUuid: null,
        version: '2.1.0',
        sessionId: 's',
        timestamp: `${day}T12:00:00.000Z`,
        message,
      });
    const call = (day: string, id: string) => [
      line('assistant', day, {
        id,
        model: 'm',
        role: 'assistant',
        content: [{ type: 'tool_use', id: `call-${id}`, name: 'Bash', input: { command: 'ls' } }],
        usage: { input_tokens: 5, output_tokens: 1 },
      }),
      line('user', day, {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `call-${id}`, content: 'ok' }],
      }),
    ];
    const lines = [...call('2026-03-01', 'a'), ...call('2026-03-02', 'b'), ...call('2026-03-02', 'c')];
    const log = join(writeTree({ 's.jsonl': `${lines.join('\n')}\n` }), 's.jsonl');
    const { groups } = await statsOf(log, '--by', 'day');
    expect(groups).toMatchObject({
      '2026-03-01': { runs: 1, calls: { count: 1 }, tokens: { input: 5 } },
      '2026-03-02': { runs: 1, calls: { count: 2 }, tokens: { input: 10 } },
    });
    const { models } = await statsOf(log, '--since', '2026-03-02');
    expect(models['m']).toMatchObject({ tokens: { input: 10 }, tools: { Bash: 2 } });
    const until = await statsOf(log, '--until', '2026-03-01T20:00:00Z');
    expect(until.models['m']).toMatchObject({ tokens: { input: 5 } });
  });

  test('counts calls that failed, were refused or got no result, and names each', async () => {
    const shop = join(SAMPLES, 'claude-code/projects/-home-usr-shop');
    const statistics = await statsOf(shop, '--by', 'tool');
    expect(statistics).toMatchObject({ failed_calls: { failed: 1, refused: 1, 'no result': 2 } });
    expect(statistics.failed).toContainEqual(
      expect.objectContaining({ name: 'Bash', reason: 'no result', count: 2, line: 29 }),
    );
    const { stdout } = await runHere(['stats', shop, '--by', 'tool']);
    expect(stdout).toContain('\n  calls without success: no result 2, failed 1, refused 1\n');
    const runtime = (await runHere(['stats', RUNTIME, '--by', 'tool'])).stdout;
    expect(runtime).toContain('\n  calls without success: failed 3\n');
    expect((await runHere(['stats', RUNTIME, '--by', 'day'])).stdout).toContain(
      'calls without success: failed 3',
    );
  });

  test('counts only runs of a status', async () => {
    const { episodes, groups } = await statsOf(...SESSIONS, '--status', 'open', '--by', 'project');
    expect([episodes, Object.keys(groups)]).toEqual([1, ['shop']]);
    expect((await statsOf(...SESSIONS, '--status', 'nothing')).episodes).toBe(0);
    expect((await statsOf(join(EXAMPLES, '.noesis'), '--by', 'model')).groups['unknown']).toMatchObject({
      // A roll-up of acts is not a call.
      calls: { count: 12 },
      failed: 1,
    });
  });

  test('has no project for a run in the root of its file system, as list has none', async () => {
    const record = { type: 'user', uuid: 'a', sessionId: 's', timestamp: '2026-10-05T09:00:00Z', cwd: '/' };
    const log = JSON.stringify({ ...record, message: { role: 'user', content: 'go' } });
    const cwd = writeTree({ 's.jsonl': `${log}\n` });
    const { stdout } = await runHere(['stats', 's.jsonl', '--by', 'project', '-j'], { cwd });
    expect(Object.keys(JSON.parse(stdout).groups)).toEqual(['unknown']);
  });

  test('combines failures that differ only in ids and numbers', () => {
    expect(folded('timeout after 30.5 s in 6855a461-96d8-4a06-8fcd-cb812ac6d23a, try 3')).toBe(
      'timeout after # s in #, try #',
    );
    expect(folded('object deadbeef01 is gone')).toBe('object # is gone');
    expect(folded('connection refused')).toBe('connection refused');
  });
});

test('a group of what a log does not name says what it lacks', async () => {
  const home = writeTree({
    'a.jsonl': [
      { type: 'user', sessionId: 's', uuid: '1', parentUuid: null, message: { role: 'user', content: 'go' } },
      {
        type: 'assistant',
        sessionId: 's',
        uuid: '2',
        parentUuid: '1',
        message: {
          id: 'm',
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }],
        },
      },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  });
  const args = ['stats', home, '--dialect', 'claude-code', '--by'];
  const by = async (what: string) => (await runHere([...args, what])).stdout;
  expect(await by('model')).toContain('unknown: the log does not name the model');
  expect(await by('day')).toContain('unknown: the log has no time');
  expect(await by('project')).toContain('unknown: the log has no working folder');
  expect(await by('tool')).not.toContain('unknown: the log');
});

test('the latest run with a failure is the one with the latest time, in whatever order the runs are read', async () => {
  const failing = (sessionId: string, timestamp: string) =>
    `${JSON.stringify({
      type: 'assistant',
      sessionId,
      uuid: sessionId,
      parentUuid: null,
      timestamp,
      isApiErrorMessage: true,
      message: {
        role: 'assistant',
        model: '<synthetic>',
        content: [{ type: 'text', text: 'API Error: down' }],
      },
    })}\n`;
  for (const [first, second] of [
    ['2026-01-01', '2026-02-01'],
    ['2026-02-01', '2026-01-01'],
  ] as const) {
    const home = writeTree({
      'a.jsonl': failing('a', `${first}T00:00:00Z`),
      'b.jsonl': failing('b', `${second}T00:00:00Z`),
    });
    const { failed } = JSON.parse((await runHere(['stats', home, '-j'])).stdout);
    expect(failed).toMatchObject([{ count: 2, episode: first < second ? 'b.jsonl' : 'a.jsonl' }]);
  }
});
