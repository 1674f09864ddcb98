import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SessionDocument } from '../../../src/dialects/session.ts';
import { NO_TOKENS, type Tokens } from '../../../src/dialects/tokens.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir } from '../../support/temp.ts';
import { toolsOf } from '../sessions.ts';

/** What a script that shares no code with the project says of a sample. */
interface Expected {
  readonly version: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly title: string;
  readonly first?: string;
  readonly last?: string;
  readonly steps: number;
  readonly sources: Readonly<Record<string, number>>;
  readonly turns: number;
  readonly tools: {
    readonly calls: number;
    readonly ok: number;
    readonly open: number;
    readonly byName: Readonly<Record<string, number>>;
  };
  readonly tokensOfSteps: { readonly prompt: number; readonly completion: number; readonly cached: number };
  readonly costOfSteps: number;
  readonly finalMetrics?: Readonly<Record<string, number>>;
  readonly models: Readonly<Record<string, number>>;
  readonly continuedIn?: string;
  readonly status: string;
}

const FOLDER = join(SAMPLES, 'atif');

const read = <T>(...path: string[]): [name: string, expected: T][] =>
  Object.entries(JSON.parse(readFileSync(join(FOLDER, ...path, 'expected.json'), 'utf8')));

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await runHere(args)).stdout) as T;
}

const timeOf = (time: string | undefined) => time && new Date(time).toISOString();

/** The totals if there are some, else the sums of the steps. */
function tokensOf({ finalMetrics, tokensOfSteps }: Expected): Tokens {
  const prompt = finalMetrics?.['total_prompt_tokens'] ?? tokensOfSteps.prompt;
  const cached = finalMetrics ? (finalMetrics['total_cached_tokens'] ?? 0) : tokensOfSteps.cached;
  const output = finalMetrics?.['total_completion_tokens'] ?? tokensOfSteps.completion;
  return { ...NO_TOKENS, input: prompt - cached, cached, output };
}

describe.each(read<Expected>())('%s', (name, expected) => {
  const log = join(FOLDER, name);

  test('is the session that was counted', async () => {
    const session = await json<SessionDocument>('project', log, '-j');
    const withStatus = (...statuses: string[]) =>
      session.calls.filter(({ status }) => statuses.includes(status)).length;
    expect({
      about: session.session,
      title: session.title ?? session.task,
      first: timeOf(session.started_at),
      last: timeOf(session.ended_at),
      status: session.status,
      turns: session.turns.length,
      calls: session.calls.length,
      ok: withStatus('ok'),
      open: withStatus('open', 'no result'),
      byName: toolsOf(session),
      total: session.total_tokens,
    }).toEqual({
      about: {
        id: expected.sessionId,
        agent: expected.agent,
        format: expected.version,
        ...(expected.continuedIn && { continued_in: expected.continuedIn }),
        ...(expected.version !== 'ATIF-v1.0' &&
          name !== 'images-v1.6.json' &&
          name !== 'killed-v1.5.json' && {
            cost_usd: expected.finalMetrics?.['total_cost_usd'] ?? expected.costOfSteps,
          }),
      },
      title: expected.title,
      first: expected.first,
      last: expected.last,
      status: expected.status,
      turns: expected.turns,
      calls: expected.tools.calls,
      ok: expected.tools.ok,
      open: expected.tools.open,
      byName: expected.tools.byName,
      total: Object.values(tokensOf(expected)).reduce((sum, count) => sum + count),
    });
  });

  test('has the same numbers in show, stats and events', async () => {
    type Shown = { models?: Record<string, { answers: number }>; tokens?: Tokens };
    const shown = await json<Shown>('show', log, '-j');
    const answers = Object.entries(shown.models ?? {}).map(([model, { answers }]) => [model, answers]);
    expect({ ...shown, answers: Object.fromEntries(answers) }).toMatchObject({
      dialect: 'atif',
      verdict: 'ok',
      status: expected.status,
      // The trajectory without its steps is a record too.
      events: expected.steps + 1,
      answers: Object.fromEntries(
        Object.entries(expected.models).map(([model, count]) => [model.replace('?', 'unknown'), count]),
      ),
      tokens: tokensOf(expected),
    });
    const stats = await json<{ tokens?: Tokens }>('stats', log, '-j');
    expect(stats.tokens ?? NO_TOKENS).toMatchObject(tokensOf(expected));
    for (const [source, count] of Object.entries(expected.sources)) {
      const { stdout } = await runHere(['events', log, '-j', '--type', source]);
      expect([source, stdout.trimEnd().split('\n').length]).toEqual([source, count]);
    }
  });

  test('is listed, read, compared and exported', async () => {
    const [listed] = await json<[{ dialect: string; status: string; task: string }]>('list', log, '-j');
    expect(listed).toMatchObject({ dialect: 'atif', status: expected.status, task: expected.title });
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

type Damaged = { readonly findings: readonly Pick<Finding, 'code' | 'severity' | 'line'>[] };

test.each(read<Damaged>('damaged'))('%s has the findings that name the cause', async (name, { findings }) => {
  expect(await findingsIn(join(FOLDER, 'damaged', name))).toEqual(
    findings.map(({ severity, code, line }) => `${severity} ${code} ${line}`).sort(),
  );
});

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
  writeFileSync(log, JSON.stringify({ ...root, steps }));
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
  ['a time that is none', ['error event/timestamp 2'], [{ ...user, timestamp: 'noon' }]],
  ['a time without a zone', [], [{ ...user, timestamp: '2026-11-20 10:00:00' }]],
  [
    'no id of the session, which older versions need',
    ['error event/missing-field 1'],
    [user],
    { schema_version: 'ATIF-v1.6' },
  ],
  ['no agent', ['error event/missing-field 1'], [user], { agent: undefined }],
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
    ['warn usage/total-too-small 1', 'warn usage/total-too-small 1'],
    { ...NO_TOKENS, input: 4, cached: 6, output: 2 },
  ],
])('totals that %s do not change the sum of the steps', async (_, final_metrics, findings, tokens) => {
  const metrics = { prompt_tokens: 10, cached_tokens: 6, completion_tokens: 2 };
  const log = trajectory([user, { step_id: 2, source: 'agent', message: 'a', metrics }], { final_metrics });
  expect(await findingsIn(log)).toEqual(findings);
  expect(await json('show', log, '-j')).toMatchObject({ tokens });
});
