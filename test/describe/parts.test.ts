import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// What the logs of subagents add to the account of their run: each call, failure and write once.

const json = async (...args: string[]) => JSON.parse((await runHere(args)).stdout);

type Rec = Record<string, unknown>;

const textOf = (records: readonly unknown[]) => `${records.map((one) => JSON.stringify(one)).join('\n')}\n`;

const recordsIn = (...path: string[]): Rec[] =>
  readFileSync(join(...path), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The calls by tool according to `show`, and according to `stats`. */
async function callsOf(log: string) {
  const [shown, { models }] = [await json('show', log, '-j'), await json('stats', log, '-j')];
  const counted: Record<string, number> = {};
  for (const { tools } of Object.values<{ tools: Record<string, number> }>(models))
    for (const [tool, count] of Object.entries(tools)) counted[tool] = (counted[tool] ?? 0) + count;
  const calls = (shown.tools as { tool: string; calls: number }[]).map(({ tool, calls }) => [tool, calls]);
  expect(Object.fromEntries(calls)).toEqual(counted);
  // `read` folds subagents with the counts of `show`, and `timeline` has a row per call.
  const rows = (await runHere(['timeline', log, '-j'])).stdout.trimEnd().split('\n');
  const ofRows: Record<string, number> = {};
  for (const { kind, tool } of rows.map((row) => JSON.parse(row)))
    if (kind === 'call') ofRows[tool] = (ofRows[tool] ?? 0) + 1;
  expect(ofRows).toEqual(counted);
  const { turns, subagent_runs: others = [] } = await json('read', log, '-j');
  const folded = [...others, ...turns.flatMap(({ items }: { items: Rec[] }) => items)].flatMap(
    (item: { subagents?: Rec[] }) => item.subagents ?? ('calls' in item ? [item] : []),
  );
  expect(folded.map(({ calls, failed }) => ({ calls, failed }))).toEqual(
    (shown.agents ?? []).map(({ calls, failed }: Rec) => ({ calls, failed })),
  );
  return { shown, calls: counted };
}

const CODEX = join(SAMPLES, 'parts/codex-child');
const [PARENT = '', CHILD = ''] = readdirSync(CODEX).sort();

test('the history that codex copies into the log of a subagent counts once', async () => {
  const { shown, calls } = await callsOf(join(CODEX, PARENT));
  expect(calls).toEqual({ exec_command: 2, spawn_agent: 1 });
  expect(shown.agents).toMatchObject([{ calls: 1, failed: 0 }]);
  expect(shown).not.toHaveProperty('on_the_way');
  expect(shown.tools.filter(({ failed }: { failed: number }) => failed > 0)).toEqual([]);
});

test('a call in a copied history of codex, whose result is in the log of the parent, has not failed', async () => {
  const child = await json('show', join(CODEX, CHILD), '-j');
  expect(child).not.toHaveProperty('on_the_way');
  expect(child.tools.map(({ failed }: { failed: number }) => failed)).toEqual([0]);
  expect((await json('stats', join(CODEX, PARENT), '-j')).failed).toEqual([]);
});

const ITEM = 'response_item';

/** A call of codex and its result. */
const codexCall = (id: string, name: string, input: string, output: string): Rec[] => [
  { type: ITEM, payload: { type: 'custom_tool_call', name, call_id: id, input } },
  { type: ITEM, payload: { type: 'custom_tool_call_output', call_id: id, output } },
];

const patchOf = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`;

/** Adds records at a place, with the time of the record before them. */
const insert = (into: readonly Rec[], at: number, records: readonly Rec[]): Rec[] =>
  into.toSpliced(at, 0, ...records.map((one) => ({ timestamp: into[at - 1]?.['timestamp'], ...one })));

test('writes, failures and interruptions in a copied history of codex count once', async () => {
  const history = [
    ...codexCall('p', 'apply_patch', patchOf('a.js'), 'Process exited with code 0\nok'),
    ...codexCall('f', 'exec_command', 'false', 'Process exited with code 1\nno'),
    { type: 'event_msg', payload: { type: 'error', message: 'the server was busy' } },
  ];
  const own = [
    ...codexCall('q', 'apply_patch', patchOf('a.js'), 'Process exited with code 0\nok'),
    ...codexCall('g', 'exec_command', 'false', 'Process exited with code 2\nno'),
  ];
  const parent = insert(recordsIn(CODEX, PARENT), 7, history);
  const child = insert(insert(recordsIn(CODEX, CHILD), 23, own), 7, history);
  const folder = writeTree({ [PARENT]: textOf(parent), [CHILD]: textOf(child) });
  const { shown, calls } = await callsOf(join(folder, PARENT));
  expect(calls).toEqual({ exec_command: 4, apply_patch: 2, spawn_agent: 1 });
  expect(shown.agents).toMatchObject([{ calls: 3, failed: 1 }]);
  const part = shown.agents[0].id;
  expect(shown.files).toEqual([
    { path: 'a.js', edits: 1, line: 8 },
    { path: 'a.js', edits: 1, line: 29, part },
  ]);
  expect(shown.on_the_way).toMatchObject([
    { kind: 'failed call', line: 10 },
    { kind: 'error', line: 12 },
    { kind: 'failed call', line: 31, part },
  ]);
});

test('a call at the beginning of a further log of a codex session counts', async () => {
  const segments = join(SAMPLES, 'parts/codex-segments/sessions/2026/09/01');
  const [first = '', second = ''] = readdirSync(segments).sort();
  const [head = {}, ...rest] = recordsIn(segments, second);
  const call = codexCall('n', 'exec_command', 'ls', 'Process exited with code 0\nok');
  const folder = writeTree({
    [first]: textOf(recordsIn(segments, first)),
    [second]: textOf([head, ...call.map((one) => ({ ...one, timestamp: rest[0]?.['timestamp'] })), ...rest]),
  });
  const { calls } = await callsOf(join(folder, first));
  expect(calls).toEqual({ exec_command: 2 });
});

const SHOP = join(SAMPLES, 'parts/claude-code/projects/-home-usr-shop');
const [SESSION = ''] = readdirSync(SHOP).filter((name) => name.endsWith('.jsonl'));
const AGENTS = join(SESSION.replace('.jsonl', ''), 'subagents');
const AGENT = 'agent-abcd123.jsonl';

/** The session of claude-code, with logs of subagents. */
const withAgents = (session: readonly Rec[], agents: Readonly<Record<string, readonly Rec[]>>): string => {
  const logs = Object.entries(agents).map(([name, records]) => [join(AGENTS, name), textOf(records)]);
  return join(writeTree({ [SESSION]: textOf(session), ...Object.fromEntries(logs) }), SESSION);
};

const session = recordsIn(SHOP, SESSION);
const agent = recordsIn(SHOP, AGENTS, AGENT);

test('the records that claude-code repeats in the log of a subagent count once', async () => {
  const main = [
    ...session,
    ...agent.slice(1, 6).map(({ agentId: _, ...one }) => ({ ...one, isSidechain: false })),
  ];
  const copy = main.map((one) => ({ ...one, isSidechain: true, agentId: 'abcd123' }));
  const { shown, calls } = await callsOf(withAgents(main, { [AGENT]: copy }));
  expect(calls).toEqual({ Task: 1, Bash: 1, Edit: 1 });
  expect(shown.files).toEqual([{ path: '/home/usr/shop/a.js', edits: 1, line: 8 }]);
  expect(shown.why.concat(shown.on_the_way ?? []).filter(({ part }: { part?: string }) => part)).toEqual([]);
  expect(shown.agents).toMatchObject([{ calls: 0, failed: 0 }]);
});

test('equal calls of two subagents count twice if they are no copies', async () => {
  const later = agent.map((one) => ({
    ...one,
    agentId: 'other',
    timestamp: String(one['timestamp']).replace('09:00', '09:10'),
  }));
  const log = withAgents(session, { [AGENT]: agent, 'agent-other.jsonl': later });
  const { tools } = await json('show', log, '-j');
  expect(tools).toMatchObject([{ tool: 'Bash', calls: 2 }, { tool: 'Edit', calls: 2 }, { tool: 'Task' }]);
});

test('failures of a subagent are in the order of its log, and a call that still runs is not one', async () => {
  const failed = agent.slice(1, 3);
  const again = JSON.parse(JSON.stringify(failed).replaceAll(/toolu_s|dfd43(?=[78])/g, '$&x'));
  const open = agent.slice(4, 5);
  const log = withAgents(session, { [AGENT]: [...agent.slice(0, 3), ...again, ...open] });
  const { on_the_way: failures, agents } = await json('show', log, '-j');
  const part = 'agent-abcd123';
  expect(failures).toMatchObject([
    { kind: 'failed call', line: 2, part },
    { kind: 'failed call', line: 4, part },
  ]);
  expect(agents).toMatchObject([{ calls: 3, failed: 2 }]);
});

test('a subagent with several logs has the calls and tokens of all of them', async () => {
  const rest = agent.slice(4).map((one) => ({ ...one, parentUuid: null }));
  const whole = await json('show', withAgents(session, { [AGENT]: agent }), '-j');
  const log = withAgents(session, { [AGENT]: agent.slice(0, 4), 'agent-later.jsonl': rest });
  const { agents, subagents } = await json('show', log, '-j');
  expect(subagents.logs).toBe(2);
  expect(agents).toEqual(whole.agents);
  expect(agents).toMatchObject([{ calls: 2, failed: 1 }]);
});

test('the slowest calls of a run are those of all its logs', async () => {
  const id = '5e550000-0000-4000-8000-0000000000b1';
  const at = (second: number) => ({ timestamp: `2026-10-05T09:00:${String(second).padStart(2, '0')}.000Z` });
  const record = (uuid: string, parent: string | null, second: number, more: Rec) => ({
    uuid,
    parentUuid: parent,
    sessionId: id,
    isSidechain: false,
    ...at(second),
    ...more,
  });
  const call = (name: string, of: string) => ({
    type: 'assistant',
    message: {
      role: 'assistant',
      model: 'm',
      content: [{ type: 'tool_use', id: of, name, input: { file_path: `/${of}` } }],
    },
  });
  const result = (of: string, more: Rec = {}) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: of, content: 'done' }] },
    ...more,
  });
  const prompt = (content: string) => ({ type: 'user', message: { role: 'user', content } });
  const side = (one: Rec) => ({ ...one, isSidechain: true, agentId: 'abcdef01' });
  const dir = writeTree({
    [`${id}.jsonl`]: textOf([
      record('a', null, 0, prompt('go')),
      record('b', 'a', 1, call('Read', 'quick')),
      record('c', 'b', 2, result('quick')),
      record('d', 'c', 3, call('Task', 'helper')),
      record('e', 'd', 20, result('helper', { toolUseResult: { status: 'completed', agentId: 'abcdef01' } })),
    ]),
    [`${id}/subagents/agent-abcdef01.jsonl`]: textOf(
      [
        record('p', null, 4, prompt('look')),
        record('q', 'p', 5, call('Read', 'slow')),
        record('r', 'q', 14, result('slow')),
      ].map(side),
    ),
  });
  const { time } = await json('show', join(dir, `${id}.jsonl`), '-j');
  expect((await json('read', join(dir, `${id}.jsonl`), '-j')).time).toEqual(time);
  const slowest = (time.slowest as { tool: string; took_ms: number; part?: string }[]).map(
    ({ tool, took_ms, part }) => [tool, took_ms, part],
  );
  expect(slowest).toEqual([
    ['Task', 17_000, undefined],
    ['Read', 9000, 'agent-abcdef01'],
    ['Read', 1000, undefined],
  ]);
});
