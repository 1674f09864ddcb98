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

test('a duration is rounded to the last digit that is shown, and goes over to the next unit', () => {
  const shown: readonly (readonly [ms: number, text: string])[] = [
    [9.96, '10 ms'],
    [999.6, '1.00 s'],
    [9996, '10.0 s'],
    [59_960, '1m 00s'],
    [64_990, '1m 05s'],
    [3_599_600, '1h 00m'],
    [7_199_000, '2h 00m'],
    [86_399_000, '1d 00h'],
    [273_000_000, '3d 04h'],
  ];
  expect(shown.map(([ms]) => formatDuration(ms))).toEqual(shown.map(([, text]) => text));
});

describe('where the time of a session went', () => {
  test.each(sampled(LOGS, 12))('%s: the parts add up to what it lasted, in every command', async (log) => {
    const listed = (await jsonOf('list', log)) as readonly { path: string; took_ms?: number }[];
    for (const { path, took_ms: took } of listed) {
      const { time } = (await jsonOf('show', path)) as { time?: TimeOfRun };
      if (time === undefined) continue;
      const { lasted_ms: lasted, model_ms, tools_ms, waited_ms, idle_ms, unknown_ms = 0 } = time;
      const parts = [model_ms, tools_ms, waited_ms, idle_ms, unknown_ms];
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(lasted, 3);
      for (const part of parts) expect(part).toBeGreaterThanOrEqual(0);
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
      /Bash {2}gh run list .* ≤ 45\.1 s {2}✓\n.*waited for you at least 21m 43s\n/,
    );
    expect(await text('read', '-f', 'markdown')).toContain('(≤ 45.1 s, waited for you at least 21m 43s, ✓');
    expect(await text('timeline')).toMatch(/^14 .* ≤ 45\.1 s ≥ 21m 43s$/m);
    const left = 'without 5 calls, because the log does not say how long they worked';
    expect((await text('show', '--full')).split(left)).toHaveLength(3);
    // Without them, the longest call took 17.5 s.
    const stats = await text('stats', '--by', 'tool');
    expect(stats).toMatch(/^ {2}1 +9 +1\.71 s +17\.5 s +Bash$/m);
    expect(stats).toContain('durations without 5 calls: their logs do not say how long they took');
    for (const command of ['read', 'timeline', 'show', 'stats'])
      expect(await text(command), command).not.toContain('22m 27s');
  });

  test('its turn took the time of its work everywhere, and the wait in addition', async () => {
    const { turns } = (await jsonOf('read', log)) as Story;
    const { steps } = (await jsonOf('show', log)) as { steps: { duration_ms: number }[] };
    expect(turns.map((turn) => turn.duration_ms)).toEqual(steps.map((step) => step.duration_ms));
    expect(turns[0]).toMatchObject({ duration_ms: 45_120, waited_ms: 2_772_840 });
    expect((await runHere(['read', log])).stdout).toContain('45.1 s, waited for you 46m 13s');
    expect((await runHere(['timeline', log])).stdout).toMatch(/ 1\. can you check .* 45\.1 s +46m 13s$/m);
  });
});

/** A turn with the calls in it, as `read -j` prints them. */
const callsOf = ({ items }: Story['turns'][number]) => items.filter((item) => item.kind === 'call');

describe.each(sampled(LOGS, 12))('%s: nothing lasted longer', (log) => {
  test('than the whole session, and no call than its turn', async () => {
    const listed = (await jsonOf('list', log)) as readonly { path: string }[];
    for (const { path } of listed) {
      const { turns, time } = (await jsonOf('read', path)) as Story;
      if (time === undefined) continue;
      const longest = time.lasted_ms + 0.001;
      // What was copied took its time in another session.
      for (const turn of turns.filter(({ copied }) => !copied)) {
        const { duration_ms: work = 0, waited_ms: waited = 0 } = turn;
        expect(work + waited, `turn ${turn.turn}`).toBeLessThanOrEqual(longest);
        for (const call of callsOf(turn)) {
          const took = call.duration_ms ?? 0;
          // A turn with damaged lines has the time up to the first of them, and its calls may come later.
          if (turn.turn > 0 && turn.lacks?.lines === undefined)
            expect(took, `line ${call.line}`).toBeLessThanOrEqual(work + 0.001);
          const clock = (call.duration_ms ?? call.at_most_ms ?? 0) + (call.waited_ms ?? 0);
          expect(clock, `line ${call.line}`).toBeLessThanOrEqual(longest);
        }
      }
    }
  });
});

describe('a call during which the program was killed', () => {
  const log = join(SAMPLES, 'copilot/session-state/ffc20ccd-6741-4d9a-a3cd-ac12dd32114a/events.jsonl');
  const outputOf = async (...args: string[]) => (await runHere(args)).stdout;

  test('worked at most until the program was started again, in every command', async () => {
    const [turn] = ((await jsonOf('read', log)) as Story).turns;
    expect(turn && callsOf(turn)).toMatchObject([{ line: 7, status: 'interrupted', at_most_ms: 8353 }]);
    expect(turn?.duration_ms).toBe(110);
    expect(await outputOf('read', log)).toMatch(/bash {2}sleep 45; echo slept +≤ 8\.35 s {2}⊘ interrupted\n/);
    expect(await outputOf('timeline', log)).toMatch(/^7 .* ≤ 8\.35 s$/m);
    expect(await outputOf('timeline', log, '--records')).toMatch(/^9 .* ≤ 8\.35 s$/m);
    const shown = (await jsonOf('show', log)) as { time: TimeOfRun; slowest: { line: number }[] };
    expect(shown).toMatchObject({ time: { tools_ms: 3 } });
    expect(shown.slowest.map(({ line }) => line)).not.toContain(7);
    for (const command of ['read', 'show', 'timeline', 'stats'])
      expect(await outputOf(command, log), command).not.toContain('8.47 s');
  });

  test.each([
    ['pi', 'session', { version: 3, id: 's', cwd: '/w' }],
    ['copilot', 'session.resume', { data: { eventCount: 3 } }],
  ])('also if another start of %s wrote the result', async (dialect, type, head) => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 10, 0, second)).toISOString();
    const said = (role: string, content: object[], more = {}) => ({
      type: 'message',
      message: { role, content, ...more },
    });
    const event = (name: string, data: object) => ({ type: name, data });
    const ofDialect: Readonly<Record<string, readonly [before: object[], after: object[]]>> = {
      pi: [
        [
          { type, ...head },
          said('user', [{ type: 'text', text: 'a' }]),
          said('assistant', [{ type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'sleep' } }]),
        ],
        [said('toolResult', [{ type: 'text', text: 'gone' }], { toolCallId: 'c', toolName: 'bash' })],
      ],
      copilot: [
        [
          event('session.start', { sessionId: 's', version: 1, copilotVersion: '1.0.102' }),
          event('user.message', { content: 'a' }),
          event('tool.execution_start', { toolCallId: 'c', toolName: 'bash', arguments: {} }),
        ],
        [event('tool.execution_complete', { toolCallId: 'c', success: false })],
      ],
    };
    const [before, after] = ofDialect[dialect] ?? [[], []];
    const records = [...before, { type, ...head }, ...after].map((record, index) => ({
      id: `r${index}`,
      parentId: index === 0 ? null : `r${index - 1}`,
      timestamp: at(index < 3 ? index : 100 * index),
      ...record,
    }));
    const path = tempFile(records.map((one) => `${JSON.stringify(one)}\n`).join(''), '2026-01-01_s.jsonl');
    const { turns } = (await jsonOf('read', path, '--dialect', dialect)) as Story;
    expect(turns.flatMap(callsOf)).toMatchObject([{ line: 3, result_line: 5, at_most_ms: 298_000 }]);
    expect(turns).toMatchObject([{ duration_ms: 1000 }]);
  });
});

describe('a call whose result comes after the answer of its turn', () => {
  test('is part of the work on the turn', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 10, 0, second)).toISOString();
    const events: [second: number, type: string, data: object][] = [
      [0, 'session.start', { sessionId: 's', version: 1, copilotVersion: '1.0.102' }],
      [1, 'user.message', { content: 'a' }],
      [2, 'assistant.turn_start', { turnId: '0' }],
      [3, 'tool.execution_start', { toolCallId: 'c', toolName: 'bash', arguments: {} }],
      [4, 'assistant.message', { content: 'It runs.', toolRequests: [] }],
      [5, 'assistant.turn_end', { turnId: '0' }],
      [9, 'tool.execution_complete', { toolCallId: 'c', success: true }],
      [20, 'user.message', { content: 'b' }],
    ];
    const text = events
      .map(([second, type, data], index) => {
        const parentId = index === 0 ? null : `r${index - 1}`;
        return `${JSON.stringify({ type, data, id: `r${index}`, timestamp: at(second), parentId })}\n`;
      })
      .join('');
    const { turns, time } = (await jsonOf('read', tempFile(text, 'events.jsonl'))) as Story;
    expect(turns).toMatchObject([{ duration_ms: 8000, idle_ms: 11_000 }, {}]);
    expect(time).toMatchObject({ tools_ms: 6000, model_ms: 2000, idle_ms: 12_000 });
  });
});

describe('an answer during which opencode was killed', () => {
  test('lasted until its last part', async () => {
    const { turns, time } = (await jsonOf(
      'read',
      join(SAMPLES, 'opencode/export/killed-tool-1.18.33.json'),
    )) as Story;
    expect(turns).toMatchObject([{ duration_ms: 2003 }]);
    expect(time).toMatchObject({ lasted_ms: 2441, model_ms: 2003, idle_ms: 438 });
  });
});

describe('a call of opencode during which it was killed', () => {
  const log = `${join(SAMPLES, 'opencode/db-1.18.33/opencode.db')}#ses_de8231f74ffeEfpjsZdN4HnrRB`;

  test('worked at least until the database last had its output', async () => {
    const { turns, time } = (await jsonOf('read', log)) as Story;
    const calls = turns.flatMap(({ items }) => items.filter(({ kind }) => kind === 'call'));
    expect(calls).toMatchObject([{ at_least_ms: 824 }, { duration_ms: 132 }]);
    expect(calls[0]).not.toHaveProperty('duration_ms');
    expect(turns).toMatchObject([{ duration_ms: 4922 }, { duration_ms: 5491 }]);
    expect(time).toMatchObject({ tools_ms: 824 + 132 });
    expect(await jsonOf('show', log)).toMatchObject({
      time,
      tools: [
        { tool: 'bash', took_ms: 824, is_minimum: true },
        { tool: 'read', took_ms: 132 },
      ],
    });
  });

  test.each([
    ['read', /bash {2}echo begun.* ≥ 824 ms {2}✗ no result\n/],
    ['timeline', /✗ {3}bash echo begun.* ≥ 824 ms\n/],
    ['show', / ≥ 824 ms {2}bash\n/],
  ])('%s marks it as a minimum', async (command, expected) => {
    expect((await runHere([command, log])).stdout).toMatch(expected);
  });

  test('has no time in an export, which does not say it', async () => {
    const { turns } = (await jsonOf(
      'read',
      join(SAMPLES, 'opencode/export/killed-tool-1.18.33.json'),
    )) as Story;
    const call = turns[0]?.items.find(({ kind }) => kind === 'call');
    expect(call).toMatchObject({ status: 'open' });
    expect(call).not.toHaveProperty('at_least_ms');
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
    expect((await runHere(['timeline', log])).stdout).toMatch(/\n── 4h 47m idle ─+\n\nTime/);
    const { stdout } = await runHere(['stats', log]);
    expect(stdout).toMatch(/^Duration +p50 5h 27m,/m);
    expect(stdout).toMatch(/^Worked +p50 ≥ 1m 22s,/m);
  });

  test('statistics say which calls are in several logs', async () => {
    const dir = tempDir();
    for (const name of ['a', 'b']) {
      mkdirSync(join(dir, name));
      copyFileSync(log, join(dir, name, basename(log)));
    }
    const { stdout } = await runHere(['stats', dir, '--by', 'model']);
    expect(stdout).toMatch(/^Copies +2 calls, and [\d,]+ tokens are in several logs and count once$/m);
    expect(await jsonOf('stats', dir)).toMatchObject({ copied_calls: 2, copied_tokens: expect.any(Number) });
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

describe('a time that is far outside those of the other records', () => {
  const log = join(
    SAMPLES,
    'claude-code/projects/-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl',
  );
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const stamped = lines.flatMap((line, index) => ('timestamp' in JSON.parse(line) ? [index] : []));
  const [, , early = 0, late = 0] = stamped;
  const at = (line: string | undefined, timestamp: string) =>
    JSON.stringify({ ...JSON.parse(line ?? ''), timestamp });

  test('is named next to what it makes untrue', async () => {
    const edited = lines
      .with(early, at(lines[early], '2020-01-01T00:00:00.000Z'))
      .with(late, at(lines[late], '2099-01-01T00:00:00.000Z'));
    const file = tempFile(`${edited.join('\n')}\n`, 'log.jsonl');
    const { stdout } = await runHere(['show', file]);
    expect(stdout).toMatch(
      new RegExp(
        `line ${early + 1} is stamped .* before the first event\\n.*line ${late + 1} is stamped .* after the last event`,
      ),
    );
    expect(await jsonOf('show', file)).toMatchObject({
      outlying: [{ line: early + 1 }, { line: late + 1 }],
    });
  });

  test('is named if it makes a short run look much longer', async () => {
    const first = stamped.slice(0, 12).map((index) => lines[index] ?? '');
    const day = JSON.parse(first.at(-1) ?? '') as { timestamp: string };
    const later = new Date(Date.parse(day.timestamp) + 3_600_000).toISOString();
    const file = tempFile(`${first.with(5, at(first[5], later)).join('\n')}\n`, 'log.jsonl');
    expect(await jsonOf('show', file)).toMatchObject({ outlying: [{ line: 6, after_ms: 3_600_000 }] });
  });

  test.each(sampled(LOGS, 12))('%s has none', async (path) => {
    for (const run of (await jsonOf('list', path)) as readonly { path: string }[])
      expect(await jsonOf('show', run.path)).not.toHaveProperty('outlying');
  });
});

describe('the time of a compaction between turns', () => {
  test.each([
    [
      'doctor/claude-compact/original/.claude/projects/-home-usr-work/bbbbbbbb-0000-4000-8000-000000000002.jsonl',
      2,
      185,
    ],
    ['copilot/session-state/4e847a81-138a-4613-9f96-49673e91c9c3/events.jsonl', 2, 3],
  ])('is that of the model: %s', async (name, turn, took) => {
    const { time, turns } = (await jsonOf('read', join(SAMPLES, name))) as Story;
    expect(turns.flatMap((one) => one.compacted_ms ?? [])).toEqual([took]);
    expect(turns.find((one) => one.turn === turn)?.compacted_ms).toBe(took);
    const idle = turns.reduce((sum, { idle_ms = 0 }) => sum + idle_ms, 0);
    expect(idle).toBeLessThanOrEqual(time?.idle_ms ?? 0);
    const worked = turns.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0);
    expect((time?.model_ms ?? 0) + (time?.tools_ms ?? 0)).toBe(worked + took);
  });

  test('is named apart from the idle time in the pause of a timeline', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    const event = (second: number, type: string, payload = {}) => ({
      timestamp: at(second),
      type: 'event_msg',
      payload: { type, ...payload },
    });
    const turn = (second: number, prompt: string) => [
      event(second, 'task_started'),
      event(second, 'user_message', { message: prompt }),
      event(second + 9, 'agent_message', { message: 'Done.' }),
      event(second + 10, 'task_complete', { last_agent_message: 'Done.', duration_ms: 10_000 }),
    ];
    const log = (took: number | undefined, start: ReturnType<typeof event>) =>
      tempFile(
        [
          { timestamp: at(0), type: 'session_meta', payload: { id: 'a', cwd: '/' } },
          ...turn(0, 'one'),
          start,
          { timestamp: at(70), type: 'compacted', payload: { message: 'one' } },
          event(70, 'task_complete', { last_agent_message: null, duration_ms: took }),
          ...turn(100, 'two'),
        ]
          .map((record) => `${JSON.stringify(record)}\n`)
          .join(''),
        'rollout-2026-01-01T00-00-00-a.jsonl',
      );
    const begun = event(45, 'task_started');
    const compacted = [
      [log(20_000, begun), 20],
      // Older versions do not measure it.
      [log(undefined, begun), 25],
      [log(undefined, event(70, 'task_started')), 0],
    ] as const;
    for (const [path, took] of compacted) {
      const idle = `${formatDuration(90_000 - took * 1000)} idle`;
      const pause = took === 0 ? idle : `${idle}, ${took}.0 s compaction`;
      expect((await runHere(['timeline', path])).stdout).toContain(`── ${pause} ──`);
      expect(((await jsonOf('show', path)) as { time: TimeOfRun }).time).toMatchObject({
        lasted_ms: 110_000,
        model_ms: 20_000 + took * 1000,
        idle_ms: 90_000 - took * 1000,
      });
    }
  });
});
