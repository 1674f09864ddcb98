import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claude, logOf } from '../support/claude-records.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

const RESUMED = join(EXAMPLES, '.noesis', 'episodes', 'ep_01KJQ6PSG0DGB6DN0XWB2R05AD');
const PLAN = join(EXAMPLES, 'other-dialects', 'coordinator', '.claude', 'bonfire', 'search-index');

describe('timeline', () => {
  test.each([40, 80, 200])('fits into %i columns', async (columns) => {
    const { stdout } = await runHere(['timeline', RESUMED, '--width', String(columns)]);
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(26);
    for (const row of rows) expect([...row].length).toBeLessThanOrEqual(Math.max(columns, 49));
  });

  test('names a subagent by its kind and its task, not by the name of its log', async () => {
    const store = join(SAMPLES, 'opencode/db-1.18.33/opencode.db');
    const { stdout: listed } = await runHere(['list', store, '-j']);
    const helped = JSON.parse(listed).find(({ episode = '' }) => episode.startsWith('ses_de821ff'));
    const { stdout } = await runHere(['timeline', helped.path]);
    expect(stdout).toMatch(/^general: Look at notes$/m);
    expect(stdout).not.toMatch(/^ses_/m);
  });

  test('says which turns had which model if there were several', async () => {
    const turn = (number: number, model: string) => {
      const message = {
        id: `m${number}`,
        role: 'assistant',
        model,
        content: 'fine',
        stop_reason: 'end_turn',
      };
      const usage = { input_tokens: 1, output_tokens: 1 };
      return [
        claude(number * 2, 'user', 'go', { parentUuid: number === 0 ? null : `u${number * 2 - 1}` }),
        claude(number * 2 + 1, 'assistant', '', {
          parentUuid: `u${number * 2}`,
          message: { ...message, usage },
        }),
      ];
    };
    const linesOf = async (...models: readonly string[]) => {
      const log = logOf(
        'models.jsonl',
        models.flatMap((model, at) => turn(at, model)),
      );
      return (await runHere(['timeline', log])).stdout;
    };
    expect(await linesOf('one', 'one', 'two', 'one')).toMatch(
      /^Models {2}one in turns 1 to 2, 4; two in turn 3$/m,
    );
    expect(await linesOf('one', 'one')).not.toContain('Models');
  });

  test('marks failures, and draws bars for durations', async () => {
    const { stdout } = await runHere(['timeline', RESUMED]);
    expect(stdout).toMatch(/^7 .* ✗ adapter:core\.minimal .*▊.* 10 ms$/m);
    expect(stdout).toMatch(/^1 .* start +·$/m);
  });

  test('gives a result before its call no duration, because the call has it', async () => {
    const session = join(SAMPLES, 'claude-code', 'projects', '-home-usr-shop');
    const { stdout } = await runHere(['timeline', session, '--records']);
    expect(stdout).toMatch(/^15 .* result +·$/m);
    expect(stdout).toMatch(/^16 .* Read .* 700 ms$/m);
    const { stdout: shown } = await runHere(['show', session, '15']);
    expect(shown).not.toContain('Took');
  });

  test('leaves times without events out of the bars, and says how long they were', async () => {
    const { stdout } = await runHere(['timeline', PLAN]);
    const rows = stdout.split('\n');
    const gap = rows.findIndex((row) => row.startsWith('── 3h 20m without events ─'));
    expect(rows[gap - 1]).toMatch(/^12 .*session_pause/);
    expect(rows[gap + 1]).toMatch(/^13 .*session_resumed/);
  });

  test('does not call the time between two records of a turn idle, because the model worked in it', async () => {
    const session = join(SAMPLES, 'claude-code', 'projects', '-home-usr-shop');
    const { stdout } = await runHere(['timeline', session, '--records']);
    expect(stdout).toMatch(/^── [\dmhs. ]+ without events ─+$/m);
    expect(stdout).not.toContain('idle');
    // There are records between the selected ones.
    const { stdout: selected } = await runHere(['timeline', session, '--role', 'user']);
    expect(selected).toMatch(/^── [\dmhs. ]+ without selected events ─+$/m);
    expect(selected).not.toContain('idle');
  });

  test('takes the filters of events, and gives spans as JSON lines', async () => {
    const { stdout } = await runHere(['timeline', RESUMED, '-p', 'act', '-j']);
    const spans = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(spans).toHaveLength(7);
    expect(spans[0]).toEqual({
      line: 7,
      id: expect.any(String),
      parent: expect.any(String),
      name: 'adapter:core.minimal',
      phase: 'act',
      start: '2026-03-02T12:00:00.063105+00:00',
      end: '2026-03-02T12:00:00.073381+00:00',
      duration_ms: 10.274,
      status: 'error',
    });
  });

  const WAITED = join(
    SAMPLES,
    'claude-code/projects/-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl',
  );

  test('draws the time that a call waited for a person apart from its work, and says how long it was', async () => {
    const { stdout } = await runHere(['timeline', WAITED, '--width', '100']);
    const [head = '', ...rows] = stdout.split('\n');
    expect(head).toMatch(/^LINE .* █ work ░ wait .*TOOK +WAITED$/);
    expect(rows.find((row) => row.startsWith('7 '))).toMatch(/^7 .*░+.* 45\.1 s +46m 13s$/);
    expect(rows.filter((row) => /░.* ≤ 45\.1 s +≥ \d+m \d+s$/.test(row)).length).toBeGreaterThan(0);
    for (const columns of ['60', '80', '120'])
      for (const row of (await runHere(['timeline', WAITED, '--width', columns])).stdout.split('\n'))
        expect([...row].length).toBeLessThanOrEqual(Number(columns));
    expect((await runHere(['timeline', WAITED, '--records', '--width', '100'])).stdout).toMatch(/░.*≥ /);
  });

  test('gives the turns and calls of a session as JSON lines, and its records with --records', async () => {
    const linesOf = async (...options: string[]) =>
      (await runHere(['timeline', WAITED, '-j', ...options])).stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const rows = await linesOf();
    expect(rows.map(({ kind }) => kind)).toEqual([
      'turn',
      ...Array(8).fill('call'),
      'turn',
      'call',
      undefined,
    ]);
    expect(rows[0]).toMatchObject({
      line: 7,
      turn: 1,
      name: 'can you check why linting is failing in CI',
      waited_ms: expect.any(Number),
    });
    expect(rows[1]).toMatchObject({ kind: 'call', turn: 1, tool: 'Bash', result_line: expect.any(Number) });
    expect(rows.at(-1)).toHaveProperty('totals');
    const records = await linesOf('--records');
    expect(records.length).toBeGreaterThan(50);
    expect(records[0]).not.toHaveProperty('kind');
  });

  test('shows the intact part of a damaged log, and fails', async () => {
    const damaged = join(EXAMPLES, 'damaged', 'bad-json', 'ep_01KJPWD6M0GKJVH2GKEFTDNN55');
    const { code, stdout } = await runHere(['timeline', damaged]);
    expect({ code, lines: stdout.match(/^(?:6|7|8) /gm) }).toEqual({ code: 1, lines: ['6 ', '7 ', '8 '] });
  });
});
