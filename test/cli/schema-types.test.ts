import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

interface Entry {
  readonly dialect: string;
  readonly type: string;
  readonly group?: string;
  readonly source?: string;
  readonly documented?: boolean;
  readonly meaning?: string;
  readonly fields?: readonly string[];
}

async function types(...args: string[]): Promise<Entry[]> {
  const { code, stdout, stderr } = await runHere(['schema', 'types', '-j', ...args]);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Entry[];
}

test('the types of every dialect are listed, or those of one', async () => {
  const all = await types();
  expect([...new Set(all.map(({ dialect }) => dialect))]).toEqual([
    'noesis',
    'exarchos',
    'fishbowl',
    'coordinator',
    'claude-code',
    'codex',
    'copilot',
    'pi',
    'qwen',
    'gemini',
    'atif',
    'opencode',
  ]);
  const exarchos = await types('--dialect', 'exarchos');
  expect(exarchos).toEqual(all.filter(({ dialect }) => dialect === 'exarchos'));
  expect(exarchos).toHaveLength(84);
  expect(exarchos.filter(({ documented }) => documented)).toHaveLength(60);
  expect(exarchos).toContainEqual({
    dialect: 'exarchos',
    type: 'benchmark.completed',
    group: 'benchmark',
    source: 'hook',
    documented: true,
    meaning: 'Performance benchmark results',
    fields: ['taskId', 'results'],
  });
  expect(all).toContainEqual(
    expect.objectContaining({ dialect: 'noesis', type: 'terminate', group: 'phase' }) as unknown,
  );
  expect(all).toContainEqual(
    expect.objectContaining({ dialect: 'noesis', type: 'run.interrupt', group: 'runtime' }) as unknown,
  );
  expect(all).toContainEqual(
    expect.objectContaining({ dialect: 'fishbowl', type: 'judge.verdict', group: 'core' }) as unknown,
  );
  expect(all).toContainEqual({
    dialect: 'coordinator',
    type: 'session_pause',
    group: 'listed',
    meaning: 'Session limit reached, coordinator pausing',
    fields: ['reason', 'remaining_percent', 'resets_at'],
  });
  expect(new Set(all.map(({ dialect, type }) => `${dialect} ${type}`)).size).toBe(all.length);
});

test('custom types of the nearest configuration are listed with the others', async () => {
  const cwd = writeTree({
    'noesis.toml': '[exarchos]\ncustom_types = ["deploy.started", "deploy.roll_back"]\n',
  });
  const { stdout } = await runHere(['schema', 'types', '-j', '--dialect', 'exarchos'], { cwd });
  expect(JSON.parse(stdout).slice(-2)).toEqual([
    { dialect: 'exarchos', type: 'deploy.started', group: 'custom' },
    { dialect: 'exarchos', type: 'deploy.roll_back', group: 'custom' },
  ]);
});

test.each([
  ['exarchos', 'event', 'streamId'],
  ['exarchos', 'state', 'featureId'],
  ['fishbowl', 'event', 'run_id'],
  ['coordinator', 'event', 'session_id'],
  ['coordinator', 'state', 'completed_tasks'],
  ['noesis', 'event', 'phase'],
])('schema of %s %s differs from the others', async (dialect, name, key) => {
  const { stdout } = await runHere(['schema', name, '--dialect', dialect]);
  expect(Object.keys((JSON.parse(stdout) as { properties: object }).properties)).toContain(key);
});

test('an unknown schema is a usage error that lists the known ones', async () => {
  const { code, stdout, stderr } = await runHere(['schema', 'manifest', '--dialect', 'fishbowl']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('known schemas: event, report');
});

test('a table of them fits the terminal', async () => {
  const { stdout } = await runHere(['schema', 'types', '--dialect', 'exarchos'], { env: { COLUMNS: '80' } });
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'TYPE                           GROUP       SOURCE  DOC MEANING',
    'workflow.started               workflow    auto    yes Workflow initialized',
    'workflow.transition            workflow    auto    yes Phase transition',
  ]);
  const several = await runHere(['schema', 'types'], { env: { COLUMNS: '80' } });
  expect(several.stdout).toMatch(/^noesis: 21 types\nTYPE /);
  expect(several.stdout).toMatch(/\n\nexarchos: 84 types\nTYPE /);
  for (const line of several.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const { stdout: names } = await runHere(['schema', 'types', '-q', '--dialect', 'fishbowl']);
  expect(names).toMatch(/^run\.started\nrun\.finished\n/);
});

test('the help mentions it', async () => {
  const { stdout } = await runHere(['schema', '--help']);
  expect(stdout).toContain('list the types of events');
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('a dialect without a list of types says so', async () => {
  const { code, stdout, stderr } = await runHere(['schema', 'types', '--dialect', 'generic']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain('generic has no list of event types');
  expect(await types('--dialect', 'generic')).toEqual([]);
});

test('the meanings are those of the documents, and a narrow terminal leaves out the fields', async () => {
  const all = await types();
  const meant = (dialect: string) =>
    all.filter((type) => type.dialect === dialect && type.meaning !== undefined);
  expect(meant('exarchos')).toHaveLength(84);
  expect(meant('coordinator')).toHaveLength(53);
  const wide = await runHere(['schema', 'types', '--dialect', 'exarchos']);
  expect(wide.stdout).toMatch(
    /task\.claimed +task +auto +yes +Agent claimed a task +taskId agentId claimedAt/,
  );
  const narrow = await runHere(['schema', 'types', '--dialect', 'exarchos'], { columns: 80 });
  expect(narrow.stdout).toContain('Agent claimed a task');
  expect(narrow.stdout).not.toContain('claimedAt');
});

test('explain describes a type of event in each dialect that has it', async () => {
  const { stdout } = await runHere(['explain', 'task.claimed']);
  expect(stdout).toBe(`task.claimed: a type of event of exarchos
Agent claimed a task

Group   task
Source  auto: written by the program itself, not by hand
Fields  taskId, agentId, claimedAt
`);
  const json = await runHere(['explain', 'task_complete', '-j']);
  expect(JSON.parse(json.stdout)).toMatchObject([
    {
      dialect: 'coordinator',
      type: 'task_complete',
      meaning: expect.stringContaining('Auditor confirms') as unknown,
    },
  ]);
  const cwd = writeTree({ 'noesis.toml': '[exarchos]\ncustom_types = ["deploy.started"]\n' });
  expect((await runHere(['explain', 'deploy.started'], { cwd })).stdout).toContain('Group   custom');
  expect((await runHere(['explain', 'critic_processed'])).code).toBe(2);
});
