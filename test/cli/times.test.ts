import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatDuration } from '../../src/base/time/duration.ts';
import type { TimeOfRun } from '../../src/dialects/kit/account.ts';
import type { Story } from '../../src/dialects/kit/story.ts';
import { SESSION_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const LOGS = [
  ...SESSION_DIALECTS.flatMap(sampleLogs),
  ...['db-1.18.33/opencode.db', 'db-1.2.27/opencode.db', 'tree-1.1.65/storage'].map((name) =>
    join(SAMPLES, 'opencode', name),
  ),
];

/** The output of a command, as JSON. */
const jsonOf = async (...args: string[]) => {
  const { stdout } = await runHere([...args, '-j']);
  return stdout === '' ? undefined : (JSON.parse(stdout) as unknown);
};

describe('where the time of a session went', () => {
  test.each(sampled(LOGS, 12))('%s: the parts add up to what it lasted, in every command', async (log) => {
    const listed = (await jsonOf('list', log)) as readonly { path: string; took_ms?: number }[];
    for (const { path, took_ms: took } of listed) {
      const { time } = (await jsonOf('show', path)) as { time?: TimeOfRun };
      if (time === undefined) continue;
      const { lasted_ms: lasted, model_ms, tools_ms, waited_ms, idle_ms } = time;
      expect(model_ms + tools_ms + waited_ms + idle_ms).toBeCloseTo(lasted, 3);
      for (const part of [model_ms, tools_ms, waited_ms, idle_ms]) expect(part).toBeGreaterThanOrEqual(0);
      expect(took, 'list').toBeCloseTo(lasted, 3);
      expect((await runHere(['show', path])).stdout).toMatch(`\nLasted    ${formatDuration(lasted)}\n`);
      expect(((await jsonOf('read', path)) as Story).time).toEqual(time);
      const compared = await jsonOf('diff', path, path);
      if (compared !== undefined) expect(compared).toMatchObject({ a: { duration_ms: lasted } });
    }
  });
});

describe('a call that was longer than the work on its turn', () => {
  const log = join(
    SAMPLES,
    'claude-code/projects/-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl',
  );

  test('worked at most as long as its turn in every command, and the wait is named', async () => {
    const text = async (...args: string[]) => (await runHere([...args, log])).stdout;
    const { turns } = (await jsonOf('read', log)) as Story;
    const calls = turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));
    const waiting = calls.filter((call) => call.at_most_ms !== undefined);
    expect(waiting.map(({ line }) => line)).toEqual([14, 15, 32, 37, 40]);
    for (const { duration_ms, at_most_ms, waited_ms = 0 } of waiting)
      expect([duration_ms, at_most_ms, waited_ms > 10_000]).toEqual([undefined, 45_120, true]);
    expect(await text('read')).toMatch(
      /Bash {2}gh run list .* ≤ 45\.1 s {2}✓\n.*waited for you at least 21m 42s\n/,
    );
    expect(await text('read', '-f', 'markdown')).toContain('(≤ 45.1 s, waited for you at least 21m 42s, ✓');
    expect(await text('timeline')).toMatch(/^14 .* ≤ 45\.1 s ≥ 21m 42s$/m);
    const left = 'without 5 calls that waited for you: the log does not say how long they worked';
    expect((await text('show', '--full')).split(left)).toHaveLength(3);
    // Without them, the longest call took 17.5 s.
    const stats = await text('stats', '--by', 'tool');
    expect(stats).toMatch(/^ {2}1 +9 +1\.71 s +17\.5 s +Bash$/m);
    expect(stats).toContain('P50 and P95 without 5 calls whose duration the logs do not contain');
    for (const command of ['read', 'timeline', 'show', 'stats'])
      expect(await text(command), command).not.toContain('22m 27s');
  });

  test('its turn took the time of its work everywhere, and the wait in addition', async () => {
    const { turns } = (await jsonOf('read', log)) as Story;
    const { steps } = (await jsonOf('show', log)) as { steps: { duration_ms: number }[] };
    expect(turns.map((turn) => turn.duration_ms)).toEqual(steps.map((step) => step.duration_ms));
    expect(turns[0]).toMatchObject({ duration_ms: 45_120, waited_ms: 2_772_840 });
    expect((await runHere(['read', log])).stdout).toContain('45.1 s, waited for you 46m 12s');
    expect((await runHere(['timeline', log])).stdout).toMatch(/ 1\. can you check .* 45\.1 s +46m 12s$/m);
  });
});

describe('the time between a prompt without an answer and the next prompt', () => {
  test('is idle time and not work, also if the log has a second head in it', async () => {
    const record = (second: number, type: string, more: object) => ({
      type,
      id: `r${second}`,
      parentId: null,
      timestamp: new Date(Date.UTC(2026, 0, 1, 10, 0, second)).toISOString(),
      ...more,
    });
    const said = (second: number, role: string, text: string) =>
      record(second, 'message', { message: { role, content: [{ type: 'text', text }] } });
    const head = (second: number) => ({ ...record(second, 'session', { version: 3, cwd: '/w' }), id: 's' });
    const records = [
      head(0),
      said(5, 'user', 'a'),
      head(20),
      said(30, 'user', 'b'),
      said(37, 'assistant', 'c'),
    ];
    const path = tempFile(records.map((one) => `${JSON.stringify(one)}\n`).join(''), '2026-01-01_s.jsonl');
    const { turns, time } = (await jsonOf('read', path)) as Story;
    expect(turns.map((turn) => turn.duration_ms ?? 0)).toEqual([0, 7000]);
    expect(time).toMatchObject({ lasted_ms: 37_000, model_ms: 7000, idle_ms: 30_000 });
    expect(await jsonOf('project', path)).toMatchObject({
      lasted_ms: 37_000,
      turns: [{}, { duration_ms: 7000 }],
    });
  });
});

describe('idle time after the last turn', () => {
  const log = join(
    SAMPLES,
    'claude-code/projects/-home-usr-project/03eb5929-52b3-4b13-ada3-b93ae35806b8.jsonl',
  );

  test('is in a timeline, and is not work in statistics', async () => {
    expect((await runHere(['timeline', log])).stdout).toMatch(/\n── 4h 46m idle ─+\n\nTime/);
    const { stdout } = await runHere(['stats', log]);
    expect(stdout).toMatch(/^Duration +p50 5h 27m,/m);
    expect(stdout).toMatch(/^Worked +p50 1m 21s,/m);
  });

  test('statistics say which calls are in several logs', async () => {
    const dir = tempDir();
    for (const name of ['a', 'b']) {
      mkdirSync(join(dir, name));
      copyFileSync(log, join(dir, name, basename(log)));
    }
    const { stdout } = await runHere(['stats', dir, '--by', 'model']);
    expect(stdout).toMatch(/^Copies +2 calls of copied sessions are not counted again$/m);
    expect(await jsonOf('stats', dir)).toMatchObject({ copied_calls: 2 });
  });

  test('statistics by project have the tokens of copies in one row', async () => {
    const dir = tempDir();
    const text = readFileSync(log, 'utf8');
    for (const name of ['a', 'b']) {
      mkdirSync(join(dir, name));
      writeFileSync(
        join(dir, name, basename(log)),
        text.replaceAll('"/home/usr/project"', `"/home/usr/${name}"`),
      );
    }
    const total = (stdout: string) => /^Tokens +at least ([\d,]+)/m.exec(stdout)?.[1] ?? '';
    const one = total((await runHere(['stats', log])).stdout);
    const { stdout } = await runHere(['stats', dir, '--by', 'project']);
    expect(total(stdout)).toBe(one);
    expect(stdout.split('\nTotal\n')[0]?.split(one)).toHaveLength(2);
  });
});
