import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_TOKENS, type Tokens } from '../../../src/dialects/kit/tokens.ts';
import type { SessionDocument } from '../../../src/dialects/sessions/kit/session.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir } from '../../support/temp.ts';

/** Of what a script that shares no code with the project says of a sample; expected.test.ts compares all of it. */
interface Expected {
  readonly title: string;
  readonly turns: number;
  readonly tools: { readonly byName: Readonly<Record<string, number>> };
}

const FOLDER = join(SAMPLES, 'atif');

const read = <T>(...path: string[]): [name: string, expected: T][] =>
  Object.entries(JSON.parse(readFileSync(join(FOLDER, ...path, 'expected.json'), 'utf8')));

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await runHere(args)).stdout) as T;
}

describe.each(read<Expected>())('%s', (name, expected) => {
  const log = join(FOLDER, name);

  test('is listed, read, compared and exported', async () => {
    const { turns } = await json<{ turns: { turn: number }[] }>('read', log, '-j');
    expect(turns.filter(({ turn }) => turn > 0)).toHaveLength(expected.turns);
    const { stdout } = await runHere(['read', log]);
    for (const tool of Object.keys(expected.tools.byName)) expect(stdout).toContain(tool);
    expect((await runHere(['export', log, '--format', 'otlp'])).code).toBe(0);
    expect((await runHere(['diff', log, log])).stdout).toContain('same');
    expect((await runHere(['search', expected.title.split(' ')[0] ?? '', log])).code).toBe(0);
  });

  test('has no error and no warning', async () => {
    expect((await findingsIn(log)).filter((finding) => !finding.startsWith('info'))).toEqual([]);
  });
});

async function findingsIn(log: string): Promise<string[]> {
  const report = await json<{ episodes: { findings: Finding[] }[] }>('verify', log, '-j');
  const findings = report.episodes.flatMap((episode) => episode.findings);
  return findings.map(({ severity, code, line }) => `${severity} ${code} ${line}`).sort();
}

const call = (id: string) => ({ tool_call_id: id, function_name: 'look', arguments: {} });
const result = (id: string) => ({ source_call_id: id, content: 'text' });
const user = { step_id: 1, source: 'user', message: 'Look' };
const agent = (step_id: number, ids: string[], results: object[]) => ({
  step_id,
  source: 'agent',
  message: '',
  tool_calls: ids.map(call),
  observation: { results },
});

function trajectory(steps: readonly object[], more: object = {}): string {
  const log = join(tempDir(), 'trajectory.json');
  const root = { schema_version: 'ATIF-v1.7', agent: { name: 'a', version: '1' }, ...more };
  // A step per line: it is on the line after its number.
  const lines = steps.map((step) => JSON.stringify(step)).join(',\n');
  writeFileSync(log, JSON.stringify({ ...root, steps: [] }).replace('"steps":[]', `"steps":[\n${lines}]`));
  return log;
}

test.each<[string, string[], readonly object[], object?]>([
  ['nothing', [], [user, agent(2, ['c'], [result('c')]), agent(3, ['c'], [result('c')])]],
  [
    'a result of a call of another step',
    ['error tool/orphan-result 4', 'info tool/unanswered 3'],
    [user, agent(2, ['c'], []), agent(3, ['d'], [result('d'), result('c')])],
  ],
  [
    'a call and a result twice in a step',
    ['warn tool/duplicate-call 3', 'warn tool/duplicate-result 3'],
    [user, agent(2, ['c', 'c'], [result('c'), result('c')])],
  ],
  ['a step twice', ['error sequence/duplicate 3'], [user, user]],
  [
    'a step that comes too late',
    ['error sequence/backwards 4', 'error sequence/gap 3'],
    [user, { ...user, step_id: 3 }, { ...user, step_id: 2 }],
  ],
  ['an empty list of steps', [], []],
  [
    'a wrong source',
    ['error event/wrong-type 2', 'info event/unknown-type 2'],
    [{ ...user, source: 'tool' }],
  ],
  ['an invalid time', ['error event/timestamp 2'], [{ ...user, timestamp: 'noon' }]],
  ['a time without a zone', [], [{ ...user, timestamp: '2026-11-20 10:00:00' }]],
  [
    'no id of the session, which older versions need',
    ['error event/missing-field 1'],
    [user],
    { schema_version: 'ATIF-v1.6' },
  ],
  ['no agent', ['error event/missing-field 1'], [user], { agent: undefined }],
  ['a version to come', ['info event/schema-version 1'], [user], { schema_version: 'ATIF-v1.9' }],
  ['members that nobody described, once each', ['info event/unknown-key 2'], [{ ...user, mood: 1 }]],
  [
    'a step that asked no model, and has tokens',
    ['warn event/llm-count 3'],
    [user, { ...agent(2, [], []), llm_call_count: 0, metrics: { prompt_tokens: 1 } }],
  ],
  [
    'more cached tokens than tokens',
    ['info usage/cached 3'],
    [user, { ...agent(2, [], []), metrics: { prompt_tokens: 1, cached_tokens: 2 } }],
  ],
  [
    'an image without a file',
    ['error event/missing-field 2'],
    [{ ...user, message: [{ type: 'image', source: { media_type: 'image/png' } }] }],
  ],
  [
    'a number of steps that is another one',
    ['info usage/steps 1'],
    [user],
    { final_metrics: { total_steps: 40 } },
  ],
  [
    'a copied step in the middle',
    ['info lineage/copied 3'],
    [user, { ...agent(2, [], []), is_copied_context: true }],
  ],
  [
    'subagents that cannot be found',
    [
      'warn lineage/subagent 1',
      'warn lineage/subagent 1',
      'warn lineage/subagent 2',
      'warn lineage/subagent 2',
    ],
    [{ ...user, observation: { results: [{ subagent_trajectory_ref: [{}, { trajectory_id: 't-3' }] }] } }],
    { subagent_trajectories: [{ trajectory_id: 't-1' }, { trajectory_id: 't-1' }, {}] },
  ],
  [
    'a subagent that is embedded, and one that has a file',
    ['info artifact/missing 2'],
    [
      {
        ...user,
        observation: {
          results: [{ subagent_trajectory_ref: [{ trajectory_id: 't-1' }, { trajectory_path: 'sub.json' }] }],
        },
      },
    ],
    { subagent_trajectories: [{ trajectory_id: 't-1' }] },
  ],
  [
    'files that are not next to it, and looks for none that are outside',
    ['info artifact/missing 1', 'info artifact/missing 2'],
    [
      {
        ...user,
        message: ['fence.png', 'fence.png', '../secret.png', '/etc/passwd', 'https://a.example/x.png'].map(
          (path) => ({ type: 'image', source: { media_type: 'image/png', path } }),
        ),
      },
    ],
    { continued_trajectory_ref: 'next.json' },
  ],
])('verify finds %s', async (_, expected, steps, more) => {
  expect(await findingsIn(trajectory(steps, more))).toEqual(expected);
});

test('the last call needs no result, and a result without an id belongs to all calls of its step', async () => {
  const finish = {
    step_id: 3,
    source: 'agent',
    message: '',
    tool_calls: [{ ...call('f'), function_name: 'finish' }],
  };
  const log = trajectory([user, agent(2, ['c', 'd'], [result('d'), { content: 'for all' }]), finish]);
  const session = await json<SessionDocument>('project', log, '-j');
  expect([session.status, ...session.calls.map(({ status }) => status)]).toEqual(['done', 'ok', 'ok', 'ok']);
  expect(session.calls[0]).not.toHaveProperty('duration_ms');
  expect((await runHere(['read', log])).stdout).toContain('for all');
});

test('stats counts the calls and answers of each trajectory, even if all have the same ids', async () => {
  const steps = [
    user,
    { ...agent(2, ['c'], [result('c')]), metrics: { prompt_tokens: 10, completion_tokens: 2 } },
  ];
  const logs = [trajectory(steps, { session_id: 'one' }), trajectory(steps, { session_id: 'two' })];
  expect(await json('stats', ...logs, '-j')).toMatchObject({ tokens: { input: 20, output: 4 } });
});

test('subagents are listed with what their own trajectories say', async () => {
  const refs = [{ trajectory_id: 't-1' }, { session_id: 's-2', trajectory_path: 'sub.json' }];
  const inner = {
    trajectory_id: 't-1',
    agent: { name: 'helper' },
    steps: [user],
    final_metrics: { total_prompt_tokens: 7 },
  };
  const log = trajectory([{ ...user, observation: { results: [{ subagent_trajectory_ref: refs }] } }], {
    subagent_trajectories: [inner],
  });
  const { agents } = await json<SessionDocument>('project', log, '-j');
  expect(agents).toMatchObject([
    { id: 't-1', name: 'helper', description: 'embedded (steps: 1)', tokens: 7 },
    { id: 's-2', description: 'sub.json' },
  ]);
  expect((await runHere(['show', log])).stdout).toMatch(/7 +helper: embedded \(steps: 1\) +t-1/);
});

test('stats of all parts of a run have the totals of the last one, in any order', async () => {
  const parts = ['continued-v1.5.json', 'continued-v1.5.cont-1.json'].map((name) => join(FOLDER, name));
  for (const logs of [parts, parts.toReversed()]) {
    const { tokens } = await json<{ tokens: Tokens }>('stats', ...logs, '-j');
    expect(tokens).toMatchObject({ input: 2150, output: 80 });
  }
  // The totals of a run contain what its subagents used.
  const run = ['unnamed-results-v1.5.json', 'unnamed-results-v1.5.summary-1.json'].map((name) =>
    join(FOLDER, name),
  );
  expect(await json('stats', ...run, '-j')).toMatchObject({
    tokens: { input: 1600, cached: 100, output: 110 },
  });
});

test('calls of trajectories are grouped by the model that made them', async () => {
  const log = join(FOLDER, 'unnamed-results-v1.5.json');
  const { groups } = await json<{ groups: object }>('stats', log, '-j', '--by', 'model');
  expect(groups).toMatchObject({ 'kiln/made-up-1': { calls: { count: 2 } } });
  expect(Object.keys(groups)).toHaveLength(1);
});

test.each<[string, object, string[], Tokens]>([
  [
    'leave out the cache',
    { total_prompt_tokens: 10, total_completion_tokens: 2 },
    [],
    { ...NO_TOKENS, input: 4, cached: 6, output: 2 },
  ],
  ['leave out answers', { total_prompt_tokens: 10 }, [], { ...NO_TOKENS, input: 4, cached: 6, output: 2 }],
  [
    'are too small',
    { total_prompt_tokens: 9, total_completion_tokens: 1 },
    ['info usage/total-too-small 1', 'info usage/total-too-small 1'],
    { ...NO_TOKENS, input: 4, cached: 6, output: 2 },
  ],
])('totals that %s do not change the sum of the steps', async (_, final_metrics, findings, tokens) => {
  const metrics = { prompt_tokens: 10, cached_tokens: 6, completion_tokens: 2 };
  const log = trajectory([user, { step_id: 2, source: 'agent', message: 'a', metrics }], { final_metrics });
  expect(await findingsIn(log)).toEqual(findings);
  expect(await json('show', log, '-j')).toMatchObject({ tokens });
});

test('show and verify look for the same files next to a trajectory, and look for none next to a pipe', async () => {
  const log = join(FOLDER, 'images-v1.6.json');
  const integrity = async (...args: Parameters<typeof runHere>) =>
    /Integrity +(.*)/.exec((await runHere(...args)).stdout)?.[1];
  expect(await integrity(['show', log])).toContain('2 infos');
  expect((await findingsIn(log)).length).toBe(2);
  expect(await integrity(['show', join(FOLDER, 'unnamed-results-v1.5.json')])).toBe(
    'undamaged, consistent, not sealed; edits may go unseen',
  );
  expect(await integrity(['show', '-'], { input: readFileSync(log) })).toBe(
    'undamaged, consistent, not sealed; edits may go unseen',
  );
});

test('a trajectory that is continued has not ended', async () => {
  const log = join(FOLDER, 'continued-v1.5.json');
  expect(await json('show', log, '-j')).toMatchObject({ status: 'continued', is_over: false });
  const whole = await runHere(['stats', log, join(FOLDER, 'continued-v1.5.cont-1.json')]);
  expect(whole.stdout).toMatch(/Success +100\.0%/);
});
