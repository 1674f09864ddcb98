import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDialectExamples } from '../../scripts/make-dialect-examples.ts';
import { EXAMPLES, noesis, start } from '../support/cli.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const OTHER = join(EXAMPLES, 'other-dialects');
const STREAM = join(OTHER, 'exarchos/checkout.events.jsonl');
const LEDGER = join(OTHER, 'fishbowl/ledger.jsonl');
const PLAN = join(OTHER, 'coordinator/.claude/bonfire/search-index');
const DAMAGED = join(OTHER, 'damaged');

const json = async (...args: string[]): Promise<unknown> =>
  JSON.parse((await noesis([...args, '-j'])).stdout);

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(dir, name)).isFile())
    .sort();
}

test('the script makes the examples again, byte for byte', () => {
  const folder = tempDir();
  makeDialectExamples(folder);
  makeDialectExamples(folder);
  expect(filesBelow(folder)).toEqual(filesBelow(OTHER));
  for (const name of filesBelow(folder)) {
    expect(readFileSync(join(folder, name), 'utf8'), name).toBe(readFileSync(join(OTHER, name), 'utf8'));
  }
});

test('a state file has the dialect of the log next to it', async () => {
  const byLog = await noesis(['state', STREAM]);
  expect(byLog).toMatchObject({ code: 0, stderr: '' });
  expect(await noesis(['state', STREAM.replace('events.jsonl', 'state.json')])).toEqual(byLog);
});

describe('verify', () => {
  test('finds nothing in good logs, wherever they are below a folder', async () => {
    for (const name of ['exarchos', 'fishbowl', 'coordinator']) {
      expect(await json('verify', join(OTHER, name), '--strict')).toMatchObject({
        verdict: 'ok',
        episodes: [{ dialect: name }],
      });
    }
  });

  test('finds the faults of damaged ones', async () => {
    const report = (await json('verify', DAMAGED)) as {
      episodes: { dialect: string; findings: { code: string; severity: string }[] }[];
    };
    const found = report.episodes.map(({ dialect, findings }) => [
      dialect,
      findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code),
    ]);
    expect(found).toEqual([
      ['coordinator', ['log/glued-records']],
      ['exarchos', ['sequence/duplicate', 'sequence/gap', 'sequence/counter', 'projection/state']],
      ['fishbowl', ['event/duplicate-id', 'consistency/attribution']],
    ]);
  });

  test.each(['pretty', 'json', 'sarif', 'junit', 'github'])('reports them as %s', async (format) => {
    const { code, stdout, stderr } = await noesis(['verify', DAMAGED, '-f', format]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('sequence/gap');
    if (format === 'sarif' || format === 'json') JSON.parse(stdout);
  });

  test('does not count stages that no log of the dialect has', async () => {
    const { stdout } = await noesis(['verify', join(OTHER, 'exarchos'), join(OTHER, 'fishbowl')]);
    expect(stdout).not.toMatch(/does not apply|\d\/\d stages/);
  });
});

describe('a state directory of exarchos', () => {
  const event = (stream: string) =>
    `${JSON.stringify({ streamId: stream, sequence: 1, timestamp: '2026-01-01T00:00:00Z', type: 'tool.invoked', schemaVersion: '1.0', data: { tool: 'x' } })}\n`;
  const look = '{"type":"team.task.failed","data":{}}\n';

  test('contains its streams, and nothing that only looks like them', async () => {
    const dir = writeTree({
      'telemetry.events.jsonl': event('telemetry'),
      'telemetry.events.jsonl.1': event('telemetry'),
      'telemetry.seq': '{"sequence":1}',
      'checkout.hook-events.drain-12-34.jsonl': look,
      'checkout.events.jsonl.repair.tmp': '{',
      'checkout.pipeline.snapshot.json': '{}',
      'checkout.projections.jsonl': '',
      'archives/old.archive.json': '{}',
      'exarchos.db': 'SQLite format 3\0',
      '.event-store.lock': '1',
      'sessions/.manifest.jsonl': '{"sessionId":"a","workflowId":"checkout"}\n',
      'sessions/a.events.jsonl': '{"t":"tool","ts":"x","sid":"a"}\n',
    });
    cpSync(join(OTHER, 'exarchos'), dir, { recursive: true });
    const { episodes, summary } = (await json('verify', dir)) as {
      episodes: { episode: string; findings: { code: string; file: string }[] }[];
      summary: object;
    };
    expect(episodes.map(({ episode }) => episode)).toEqual([
      'checkout.events.jsonl',
      'telemetry.events.jsonl',
      basename(dir),
    ]);
    // The old part of a stream is in nobody's way, and named.
    expect(episodes[2]?.findings).toMatchObject([
      { code: 'verify/not-verified', file: 'checkout.events.jsonl.repair.tmp' },
      { code: 'verify/not-verified', file: 'telemetry.events.jsonl.1' },
    ]);
    expect(summary).toMatchObject({ episodes: 2, not_verified: 2 });
    expect((await noesis(['list', '.', '-q'], { cwd: dir })).stdout).toBe(
      'checkout.events.jsonl\ntelemetry.events.jsonl\n',
    );
    expect((await noesis(['verify', join(dir, 'sessions')])).code).toBe(3);
    // Named on its own, an old part of a stream is read like the stream.
    expect((await noesis(['events', join(dir, 'telemetry.events.jsonl.1')])).stdout).toContain(
      'tool.invoked',
    );
  });
});

test('list shows when logs of other dialects began', async () => {
  const episodes = (await json('list', OTHER)) as { path: string; started_at: string }[];
  const began = episodes
    .filter(({ path }) => !path.includes('damaged'))
    .map(({ started_at: start }) => start);
  expect(began).toEqual([
    '2026-03-05T10:04:00.000Z',
    '2026-03-04T18:30:01.510Z',
    '2026-03-04T18:30:00.340Z',
    '2026-03-03T09:00:00.180Z',
  ]);
});

test('list on a ledger lists its runs, by the names that other commands take', async () => {
  const names = ['ledger.jsonl#heist-0002', 'ledger.jsonl#debate-0001'];
  const paths = names.map((name) => join('other-dialects/fishbowl', name));
  expect((await noesis(['list', LEDGER, '-q'])).stdout).toBe(`${paths.join('\n')}\n`);
  expect((await noesis(['list', 'ledger.jsonl', '-q'], { cwd: dirname(LEDGER) })).stdout).toBe(
    `${names.join('\n')}\n`,
  );
  expect(await json('list', join(OTHER, 'fishbowl'))).toMatchObject([
    {
      episode: names[0],
      path: `${LEDGER}#heist-0002`,
      status: 'running',
      task: 'A vault, a storm, and no plan',
    },
    { episode: names[1], path: `${LEDGER}#debate-0001`, status: 'verdict' },
  ]);
});

describe('state', () => {
  test('prints the state file of the stream', async () => {
    const stored = readFileSync(join(OTHER, 'exarchos/checkout.state.json'), 'utf8');
    expect((await noesis(['state', STREAM, '-j'])).stdout).toBe(stored);
    expect((await noesis(['state', STREAM, 'tasks[1].status'])).stdout).toBe('complete\n');
    expect((await noesis(['state', PLAN, 'completed_tasks[0]'])).stdout).toBe('1-1-1\n');
  });

  test('does not exist for a ledger', async () => {
    expect((await noesis(['state', LEDGER])).code).toBe(3);
  });
});

describe('project', () => {
  test('rebuilds the state of a stream, at any event', async () => {
    expect(await json('project', STREAM)).toMatchObject({
      featureId: 'checkout',
      workflowType: 'feature',
      phase: 'delegate',
      artifacts: { design: 'docs/design/checkout.md', plan: 'docs/plans/checkout.md', pr: null },
      tasks: [
        { id: 't1', status: 'complete' },
        { id: 't2', status: 'complete' },
      ],
    });
    expect(await json('project', STREAM, '--at', 'checkout:15')).toMatchObject({
      tasks: [{ status: 'complete' }, { status: 'failed' }],
    });
    expect(await json('project', STREAM, '--at', '6')).toMatchObject({ phase: 'plan-review' });
  });

  test('--diff compares the state file with it, and names the event', async () => {
    expect(await json('project', STREAM, '--diff')).toMatchObject({
      equal: true,
      differences: [],
      underivable: [],
    });
    const damaged = join(DAMAGED, 'exarchos/checkout.events.jsonl');
    const { code, stdout } = await noesis(['project', damaged, '--diff']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/tasks\[1\]\.status\n.*"pending"\n.*"complete"\n.*checkout\.events\.jsonl:21/);
  });

  test('--diff is refused if nothing can be compared', async () => {
    const { code, stdout } = await noesis(['project', LEDGER, '--diff']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('--diff compares the state of a plan with the log', async () => {
    const { code, stdout } = await noesis(['project', PLAN, '--diff']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/not compared here: available_tasks \(only the plan/);
    expect(stdout).toMatch(/no differences in the parts that could be compared/);
  });

  test('prints nothing for a corrupt log', async () => {
    const target = join(DAMAGED, 'coordinator/.claude/bonfire/search-index');
    const { code, stdout } = await noesis(['project', target]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});

// Most of the time they wait.
describe.concurrent('tail -f', () => {
  test.each([
    ['checkout.events.jsonl', STREAM],
    ['event-log.jsonl', join(PLAN, 'event-log.jsonl')],
  ])('follows %s while the work in it goes on', async (name, source) => {
    const lines = readFileSync(source, 'utf8').trimEnd().split('\n');
    const last = lines.at(-1) ?? '';
    const path = join(writeTree({ [name]: `${lines.slice(0, -1).join('\n')}\n` }), name);
    const running = start(['tail', '-f', path, '-n', '1', '-j']);
    await running.sees(lines.at(-2) ?? '');
    writeFileSync(path, last, { flag: 'a' });
    writeFileSync(path, '\n', { flag: 'a' });
    await running.sees(last);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.finished();
    expect({ code, stdout }).toEqual({ code: 130, stdout: `${lines.slice(-2).join('\n')}\n` });
  });

  test.each([
    [
      'checkout.events.jsonl',
      STREAM,
      { type: 'workflow.cleanup', data: { from: 'review', to: 'completed' } },
    ],
    ['event-log.jsonl', join(PLAN, 'event-log.jsonl'), { event_type: 'workflow_complete' }],
    ['ledger.jsonl', LEDGER, { run_id: 'heist-0002', kind: 'run.finished', payload: { reason: 'budget' } }],
  ])('ends after the last event of the work: %s', async (name, source, change) => {
    const text = readFileSync(source, 'utf8');
    const before = text.trimEnd().split('\n').at(-1) ?? '{}';
    const last = JSON.stringify({ ...(JSON.parse(before) as object), ...change });
    const path = join(writeTree({ [name]: text }), name);
    const running = start(['tail', '-f', path, '-n', '1', '-j']);
    await running.sees(before);
    writeFileSync(path, `${last}\n`, { flag: 'a' });
    const { code, stdout } = await running.finished();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${before}\n${last}\n` });
  });

  test('ends with the one run of a ledger that is followed', async () => {
    const { code, stdout } = await start(['tail', '-f', `${LEDGER}#debate-0001`, '-n', '1', '-j']).finished();
    expect(code).toBe(0);
    expect(stdout).toContain('"run.finished"');
  });

  test('follows one run of a ledger', async () => {
    const path = join(tempDir(), 'ledger.jsonl');
    cpSync(LEDGER, path);
    const running = start(['tail', '-f', `${path}#debate-0001`, '-n', '1', '-j', '--forever']);
    await running.sees('"run.finished"');
    const [first = ''] = readFileSync(path, 'utf8').split('\n');
    const event = (run: string) => `${first.replace('"debate-0001"', `"${run}"`)}\n`;
    writeFileSync(path, event('heist-0002') + event('debate-0001'), { flag: 'a' });
    await running.sees('"run.started"');
    running.child.kill('SIGINT');
    expect((await running.finished()).stdout).not.toContain('heist-0002');
  });

  test('knows a log that does not exist yet by its name', async () => {
    const path = join(tempDir(), 'new.events.jsonl');
    const running = start(['tail', '-f', path]);
    await running.sees('waiting', 'stderr');
    cpSync(STREAM, path);
    await running.sees('workflow.fix-cycle');
    running.child.kill('SIGINT');
    expect((await running.finished()).stdout).toMatch(/^LINE .*SEQ +TYPE/);
  });
});
