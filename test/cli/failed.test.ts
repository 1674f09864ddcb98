import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Story, StoryItem } from '../../src/dialects/kit/story.ts';
import { SESSION_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');

const SESSIONS = SESSION_DIALECTS.flatMap(sampleLogs);

const utc = { env: { TZ: 'UTC' } };

/** The numbers of the lines that `events` prints with some options, without those of subagents. */
async function linesOf(log: string, ...options: string[]): Promise<number[]> {
  const read = await runHere(['read', log, '-j']);
  const { episode } = JSON.parse(read.stdout);
  const { stdout } = await runHere(['events', log, '-j', '--with-source', ...options]);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter((one) => one.episode === episode)
    .map(({ line }) => line);
}

/** The lines of a story that say that something failed. */
function failuresIn(item: StoryItem): number[] {
  if (item.kind === 'call')
    return ['ok', 'open', 'unknown'].includes(item.status) ? [] : [item.result_line ?? item.line];
  return item.kind === 'divider' && /error|interrupted$/i.test(item.title) ? [item.line] : [];
}

describe.each(SESSIONS.map((log) => [relative(SAMPLES, log), log]))('%s', (_name, log) => {
  test('--failed prints the calls and requests that the story shows as failed', async () => {
    const { stdout } = await runHere(['read', log, '-j']);
    if (stdout === '') return;
    const story: Story = JSON.parse(stdout);
    const told = story.turns.flatMap(({ items }) => items.flatMap(failuresIn));
    const failed = await linesOf(log, '--failed', '--partial');
    const calls = story.turns.flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === 'call' ? failuresIn(item) : [])),
    );
    expect(failed).toEqual(expect.arrayContaining(calls));
    expect(told).toEqual(expect.arrayContaining(failed));
  });
});

test.each([
  ['exarchos', 'exarchos/demo-feature.events.jsonl'],
  ['coordinator', 'coordinator/nested-two-sessions.jsonl'],
  ['claude-code', 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl'],
])('--failed prints what failed or was refused in a log of %s', async (_dialect, log) => {
  const { stdout } = await runHere(['events', join(SAMPLES, log), '--failed'], utc);
  expect(stdout).toMatchSnapshot();
});

test('--failed prints acts that failed and vetoes of Noēsis episodes', async () => {
  const { stdout } = await runHere(['events', '--all', '--root', EXAMPLES, '--failed'], utc);
  expect(stdout).toMatchSnapshot();
});

test('says that a log has no failure', async () => {
  const log = join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl');
  expect((await runHere(['events', log, '--failed'])).stderr).toContain('no event failed');
});

test('a call without a result failed once its turn is over, but not the newest of an open run', async () => {
  const day = join(SAMPLES, 'codex/sessions/2026/11/22');
  const cut = join(day, 'rollout-2026-11-22T08-37-29-01a20267-3b5a-7330-8e90-645a845357cd.jsonl');
  expect(await linesOf(cut, '--failed')).toEqual([13]);
  const { stdout } = await runHere(['show', '--full', cut]);
  expect(stdout).toMatch(/^On the way\nno result exec_command: sleep 45; echo slept, line 13$/m);
  expect(stdout).toContain('(1 call, 1 no result)');
  expect(stdout).toMatch(/^ {2}2 {6}1 no result +13 +124 ms {2}exec_command$/m);
  // Line 39 may still get one.
  expect(await linesOf(SHOP, '--failed', '--tool', 'Bash')).not.toContain(39);
});

test('--tool prints the calls of a tool with their results', async () => {
  expect(await linesOf(SHOP, '--tool', 'Bash')).toEqual([12, 13, 26, 29, 35, 36, 39]);
  expect(await linesOf(SHOP, '--tool', 'Bash', '--failed')).toEqual([13, 26, 29, 36]);
  const unknown = await runHere(['events', SHOP, '--tool', 'Bsh']);
  expect(unknown.stderr).toContain('no event of tool Bsh; did you mean Bash?');
});

test('--tool prints the acts of a Noēsis episode and the tool events of a workflow', async () => {
  const all = await runHere(['events', '--all', '--root', EXAMPLES, '-j', '--tool', 'adapter:core.minimal']);
  expect(all.stdout).toContain('"adapter:core.minimal"');
  for (const line of all.stdout.trim().split('\n')) expect(JSON.parse(line).phase).toBe('act');
});

test.each([
  [SHOP, 'thinking,call'],
  [SHOP, 'answer'],
  [join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl'), 'judge.verdict'],
])('-p takes every word of KIND: %s %s', async (log, words) => {
  const { stdout } = await runHere(['events', log, '-p', words]);
  const rows = stdout.trim().split('\n').slice(1);
  expect(rows.length).toBeGreaterThan(0);
  if (words !== 'answer') for (const row of rows) expect(row).toMatch(new RegExp(words.replace(',', '|')));
});

test('a result shows the tool of its call, also where only results are printed', async () => {
  const { stdout } = await runHere(['events', SHOP, '-p', 'result'], utc);
  expect(stdout).toMatch(/^13 .* result +Bash /m);
  const last = await runHere(['tail', SHOP, '-n', '4'], utc);
  expect(last.stdout).toMatch(/^36 .* result +Bash /m);
});

test('show names what failed in every turn, and counts what it leaves out', async () => {
  const { stdout } = await runHere(['show', SHOP, '-j']);
  const { on_the_way }: { on_the_way: { kind: string; line: number }[] } = JSON.parse(stdout);
  expect(on_the_way.map(({ kind, line }) => [kind, line])).toEqual([
    ['failed call', 12],
    ['API error', 18],
    ['no result', 26],
    ['no result', 29],
    ['denied call', 35],
    ['interrupted', 37],
  ]);
  const plan = await runHere(['show', join(SAMPLES, 'coordinator/nested-two-sessions.jsonl')]);
  expect(plan.stdout.replace(/\s+/g, ' ')).toMatch(
    /and 3 more before: noesis events \S*nested-two-sessions\.jsonl --failed/,
  );
});

test('show counts failures that it does not list', async () => {
  const events = Array.from({ length: 50 }, (_, index) => ({
    phase: 'act',
    payload: { tool: 'shell', result_status: 'error', error: `broken ${index}` },
    episode_id: 'ep_1',
    timestamp: `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`,
  }));
  const log = join(tempDir(), 'events.jsonl');
  writeFileSync(log, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { more_failed, on_the_way } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
  expect([on_the_way.length, more_failed]).toEqual([20, 29]);
  expect(on_the_way.at(-1)).toMatchObject({ kind: 'failed', text: 'shell: broken 48', line: 49 });
});

test('in a terminal a failed call with a long path leaves room for its error', async () => {
  const log = join(
    SAMPLES,
    'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
  );
  const { stdout } = await runHere(['events', log, '--failed'], { columns: 80, ...utc });
  expect(stdout).toMatch(/…\S*\/tokenizer\.js → error /);
});

interface Place {
  readonly line: number;
  readonly result_line?: number;
}

const placed = ({ line, result_line }: Place): number => result_line ?? line;

/** The lines that `events --failed` prints, and what `stats` and `show` say about failures of the same log. */
async function failuresOf(log: string) {
  const {
    episode,
    more_failed,
    on_the_way = [],
    why,
  } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
  const stats = JSON.parse((await runHere(['stats', log, '-j'])).stdout);
  const all: (Place & { readonly count: number })[] = [...stats.failed, ...stats.refused];
  const { stdout } = await runHere(['events', log, '-j', '--with-source', '--failed']);
  const events = stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  const named: Place[] = [...on_the_way, ...why];
  return {
    episode,
    lines: events.map(({ line }: Place) => line),
    counted: all.reduce((sum, { count }) => sum + count, 0),
    last: all.map(placed),
    shown: named.map(placed),
    more: more_failed ?? 0,
  };
}

const failingEvents: readonly (readonly [type: string, data: object])[] = [
  ['ci.status', { pr: 3, status: 'failing' }],
  ['test.result', { passed: false, passCount: 3, failCount: 2 }],
  ['typecheck.result', { passed: false, errorCount: 2 }],
  ['benchmark.completed', { taskId: 't', results: [{ operation: 'x', passed: false }] }],
  ['task.completed', { taskId: 't', evidence: { type: 'test', passed: false } }],
  ['team.task.completed', { taskId: 't', testsPassed: false }],
  ['worktree.baseline', { taskId: 't', status: 'failed' }],
  ['eval.case.completed', { caseId: 'c', passed: false }],
  ['review.completed', { stage: 'spec', verdict: 'fail' }],
  ['review.completed', { stage: 'spec', verdict: 'blocked' }],
  ['pr.merged', { prId: '5', merged: false }],
  ['preflight.executed', { passed: false }],
  ['quality.regression', { gate: 'lint', consecutiveFailures: 2 }],
  ['merge.rollback', {}],
  ['tool.errored', {}],
  ['workflow.guard-failed', {}],
];

test.each(failingEvents)('%s %j is a failure for events, stats and show', async (type, data) => {
  const start = { type: 'workflow.started', data: { featureId: 'ci', workflowType: 'feature' } };
  const events = [start, { type, data }].map((event, index) => ({
    streamId: 'ci',
    sequence: index + 1,
    timestamp: `2026-01-01T00:00:0${index}.000Z`,
    schemaVersion: '1.0',
    ...event,
  }));
  const log = join(tempDir(), 'ci.events.jsonl');
  writeFileSync(log, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { lines, counted, shown } = await failuresOf(log);
  expect([lines, counted, shown]).toEqual([[2], 1, expect.arrayContaining([2])]);
});

const LOGS = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /(?:events?|event-log|sessions?|ledger)[^/]*\.jsonl$/.test(name) && !/sidecar|^doctor/.test(name),
);

test.each(sampled(LOGS, 20))('stats and show count each failure that --failed prints of %s', async (name) => {
  const log = join(SAMPLES, name);
  if ((await runHere(['events', log, '--failed', '-j'])).stdout === '') return;
  const { lines, counted, last, shown, more } = await failuresOf(log);
  // Directions, reflections and the end of a run may repeat a failure before them.
  const echoes = lines.length - counted;
  if (!name.startsWith('noesis')) expect(echoes).toBe(0);
  expect(lines).toEqual(expect.arrayContaining(last));
  if (more === 0) expect(shown).toEqual(expect.arrayContaining(last));
  expect(counted).toBeGreaterThan(0);
});

test.each([
  ['reflect', { success: false, reasons: ['goal not met'] }, 'goal not met'],
  ['direction', { status: 'blocked', reason: 'low confidence' }, 'low confidence'],
  ['terminate', { status: 'vetoed', message: 'not now' }, 'not now'],
  ['error', { message: 'disk full' }, 'disk full'],
])('a %s that no other failure explains is counted', async (phase, payload, reason) => {
  const log = join(tempDir(), 'events.jsonl');
  const start = { phase: 'start', payload: { task: 't' } };
  const events = [start, { phase, payload }].map((event, index) => ({
    id: `e${index}`,
    episode_id: 'ep_1',
    timestamp: `2026-01-01T00:00:0${index}Z`,
    ...event,
  }));
  writeFileSync(log, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { lines, counted } = await failuresOf(log);
  expect([lines, counted]).toEqual([[2], 1]);
  expect((await runHere(['stats', log])).stdout).toContain(reason);
});

test('diff says how many of the calls without success were refused', async () => {
  const lines = readFileSync(SHOP, 'utf8').split('\n');
  const shorter = tempFile(`${lines.slice(0, 33).join('\n')}\n`, basename(SHOP));
  const { stdout } = await runHere(['diff', SHOP, shorter], utc);
  expect(stdout).toMatch(/^Failed .*in A only \(1 refused, 2 no result\)$/m);
  expect(stdout).toMatch(/^ {2}- A:35.* refused: /m);
  const { behaviour } = JSON.parse((await runHere(['diff', SHOP, shorter, '-j'])).stdout);
  expect(behaviour.failed).toMatchObject({
    refused: 1,
    only: expect.arrayContaining([{ a: expect.objectContaining({ line: 35, how: 'refused' }) }]),
  });
});

test('every command counts calls without a result apart from those that failed', async () => {
  const [by, wide] = [['--by', 'tool'], { env: { TZ: 'UTC', COLUMNS: '200' } }];
  const json = async (...words: string[]) => JSON.parse((await runHere([...words, '-j'])).stdout);
  type Counts = { failed?: number; refused?: number; interrupted?: number; no_result?: number };
  const sum = (all: readonly Counts[]) =>
    (['failed', 'refused', 'interrupted', 'no_result'] as const).map((of) =>
      all.reduce((total, one) => total + (one[of] ?? 0), 0),
    );
  const { steps, tools } = await json('show', SHOP);
  const { groups } = await json('stats', SHOP, ...by);
  const { behaviour } = await json('diff', SHOP, SHOP);
  const counts = [steps, tools, Object.values(groups), [behaviour.facts.a]].map((all) => sum(all));
  expect(counts).toEqual(counts.map(() => [4, 1, 0, 2]));
  for (const [words, text] of [
    [['show', SHOP, '--full'], /\(\d+ calls, 1 failed, .*1 no result\)|\(\d+ calls?, 1 no result\)/],
    [['read', SHOP], /\d+ calls?, 1 no result;/],
    [
      ['diff', SHOP, SHOP],
      /^Failed +4 \(1 refused, 2 no result\) +4 .*\n[\s\S]*^Failed +4 calls, in both \(1 refused, 2 no result\)$/m,
    ],
    [['stats', SHOP, ...by], /\d \+ 1 refused \+ 2 no result /],
  ] as const)
    expect((await runHere(words, wide)).stdout).toMatch(text);
});
