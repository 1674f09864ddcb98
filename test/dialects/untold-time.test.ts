import { expect, test } from 'vitest';
import type { TimeOfRun } from '../../src/dialects/kit/account.ts';
import { at, claude, logOf } from '../support/claude-records.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

// Time of which a log does not say whether the model or a tool worked, or nothing happened, although all lines are intact.

const json = async (...args: string[]): Promise<{ time: TimeOfRun; worked?: object; unknown_ms?: number }> =>
  JSON.parse((await runHere([...args, '-j'])).stdout);

const use = (id: string) => [{ type: 'tool_use', id, name: 'Bash', input: { command: `run ${id}` } }];
const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: 'x' }];
const said = [{ type: 'text', text: 'done' }];
const side = (second: number, subtype: string, more: object) => ({
  type: 'system',
  subtype,
  uuid: `s${second}`,
  parentUuid: null,
  sessionId: 's',
  timestamp: at(second),
  ...more,
});

const KILLED = [
  claude(0, 'user', 'go'),
  claude(2, 'assistant', use('a')),
  claude(602, 'user', 'again'),
  claude(605, 'assistant', said),
];
const LOST = [
  claude(0, 'user', 'go'),
  claude(2, 'assistant', [...use('a'), ...use('b')]),
  claude(6, 'user', result('a')),
  claude(10, 'assistant', said),
];
// Of the 50 seconds, the program worked 8, so a person took 42 of the 46 seconds of the calls.
const SHARED = [
  claude(0, 'user', 'go'),
  claude(2, 'assistant', [...use('a'), ...use('b')]),
  claude(47, 'user', result('a')),
  claude(48, 'user', result('b')),
  claude(50, 'assistant', said),
  side(50, 'turn_duration', { durationMs: 8000 }),
];
const HOOKS = (hook: object) => [
  claude(0, 'user', 'go'),
  claude(2, 'assistant', said),
  side(22, 'stop_hook_summary', { hookCount: 1, hookInfos: [hook] }),
  claude(62, 'user', 'more'),
  claude(64, 'assistant', said),
];

const gemini = (second: number, type: string, more: object) => ({
  id: `g${second}`,
  timestamp: at(second),
  type,
  ...more,
});
const shell = (id: string, status: string, second: number) => ({
  id,
  name: 'run_shell_command',
  args: { command: id },
  status,
  timestamp: at(second),
  result: [],
});
const CANCELLED = [
  { sessionId: 's', projectHash: 'h', startTime: at(0), lastUpdated: at(0), kind: 'main' },
  gemini(0, 'user', { content: [{ text: 'go' }] }),
  gemini(3, 'gemini', { content: 'Wait.', model: 'm', tokens: { input: 1, output: 1, total: 2 } }),
  gemini(43, 'info', { content: 'Request cancelled.' }),
  gemini(44, 'gemini', { content: '', toolCalls: [shell('a', 'cancelled', 44)] }),
];

const copilot = (second: number, type: string, data: object) => ({
  type,
  id: `e${second}${type}`,
  parentId: null,
  timestamp: at(second),
  data,
});
const RESTARTED = [
  copilot(0, 'session.start', { sessionId: 's' }),
  copilot(1, 'user.message', { content: 'go' }),
  copilot(3, 'tool.execution_start', { toolCallId: 'a', toolName: 'bash', arguments: {} }),
  copilot(303, 'session.resume', {}),
  copilot(304, 'user.message', { content: 'more' }),
  copilot(306, 'assistant.message', { content: 'done' }),
];

const step = (step_id: number, source: string, second: number, more: object = {}) => ({
  step_id,
  source,
  message: 'x',
  timestamp: at(second),
  ...more,
});
// The call may have run before or after its step was written.
const TRAJECTORY = {
  schema_version: 'ATIF-v1.5',
  session_id: 's',
  agent: { name: 'a', version: '1', model_name: 'm' },
  steps: [
    step(1, 'user', 0),
    step(2, 'agent', 5, {
      tool_calls: [{ tool_call_id: 'a', function_name: 'run', arguments: {} }],
      observation: { results: [{ source_call_id: 'a', content: 'ok' }] },
    }),
    step(3, 'agent', 65),
    step(4, 'agent', 80),
  ],
};
const UNTIMED = [
  claude(0, 'user', 'go'),
  claude(2, 'assistant', use('a')),
  { ...claude(5, 'user', result('a')), timestamp: undefined },
  claude(10, 'assistant', said),
];

const parts = (model: number, tools: number, waited: number, idle: number, unknown?: number): object => ({
  model_ms: model * 1000,
  tools_ms: tools * 1000,
  waited_ms: waited * 1000,
  idle_ms: idle * 1000,
  ...(unknown !== undefined && { unknown_ms: unknown * 1000 }),
});

test.each<[string, string, readonly object[], object]>([
  ['Claude Code was killed during a call', 'k.jsonl', KILLED, parts(5, 0, 0, 0, 600)],
  ['the result of a call is missing, and the model went on', 'l.jsonl', LOST, parts(2, 4, 0, 0, 4)],
  ['a person took a part of calls', 's.jsonl', SHARED, parts(4, 0, 42, 0, 4)],
  ['a hook ran after the answer', 'h.jsonl', HOOKS({ command: 'x' }), parts(4, 0, 0, 40, 20)],
  ['a hook has its time', 't.jsonl', HOOKS({ command: 'x', durationMs: 9000 }), parts(4, 0, 0, 51, 9)],
  [
    'a hook took longer than the log has time',
    'u.jsonl',
    HOOKS({ durationMs: 90_000 }),
    parts(4, 0, 0, 40, 20),
  ],
  ['ATIF does not say when a call ran', 'trajectory.json', [TRAJECTORY], parts(15, 0, 0, 0, 65)],
  ['a result has no time', 'r.jsonl', UNTIMED, parts(2, 0, 0, 0, 8)],
  [
    'a call of Gemini CLI was cancelled',
    'session-2026-01-01T10-00-s.jsonl',
    CANCELLED,
    parts(3, 0, 0, 0, 41),
  ],
  ['Copilot was killed during a call', 'events.jsonl', RESTARTED, parts(4, 0, 0, 2, 300)],
])('%s', async (_name, file, records, expected) => {
  const log = logOf(file, records);
  const { time } = await json('show', log);
  expect(time).toMatchObject(expected);
  expect(time.unknown_ms === undefined).toBe(!('unknown_ms' in expected));
  const { model_ms, tools_ms, waited_ms, idle_ms, unknown_ms = 0 } = time;
  expect(model_ms + tools_ms + waited_ms + idle_ms + unknown_ms).toBe(time.lasted_ms);
});

test('a timeline does not call it idle, and statistics say that more may have been worked', async () => {
  const log = logOf('k.jsonl', KILLED);
  const { stdout } = await runHere(['timeline', log]);
  expect(stdout).toContain('── 10m 00s unknown ──');
  expect(stdout).not.toContain('idle');
  const stats = await json('stats', log);
  expect(stats.unknown_ms).toBe(600_000);
  const shown = (await runHere(['stats', log])).stdout;
  expect(shown).toMatch(/Worked +p50 ≥ 5\.00 s/);
  expect(shown).toMatch(/Unknown +10m 00s around/);
});

test('a refused and a stopped call have one mark in every view', async () => {
  const no = { is_error: true, content: "The user doesn't want to proceed with this tool use." };
  const log = logOf('m.jsonl', [
    claude(0, 'user', 'go'),
    claude(2, 'assistant', use('a')),
    claude(4, 'user', [{ type: 'tool_result', tool_use_id: 'a', ...no }]),
    claude(6, 'assistant', use('b')),
    claude(8, 'user', result('b'), { toolUseResult: { interrupted: true } }),
    claude(9, 'assistant', said),
  ]);
  for (const command of [['read'], ['read', '--format', 'markdown'], ['timeline']]) {
    const { stdout } = await runHere([command[0] ?? '', log, ...command.slice(1)]);
    expect(stdout.match(/⊘/g), command.join(' ')).toHaveLength(2);
    expect(stdout).not.toContain('✗');
  }
});

test('records and filtered events have rows for damaged lines, and a pause across one is unknown', async () => {
  const rows = KILLED.map((record) => JSON.stringify(record));
  const path = tempFile(`${[...rows.slice(0, 2), '{"torn', ...rows.slice(2)].join('\n')}\n`, 'd.jsonl');
  for (const options of [['--records'], ['--type', 'user,assistant']]) {
    const { stdout } = await runHere(['timeline', path, ...options]);
    expect(stdout).toMatch(/^3 +── a damaged line is left out ──$/m);
    expect(stdout).toMatch(/^── 10m 00s unknown ─/m);
    expect(stdout).not.toContain('idle');
    const json = (await runHere(['timeline', path, ...options, '-j'])).stdout.split('\n');
    expect(json.filter((line) => line.includes('"damaged"')).map((line) => JSON.parse(line))).toEqual([
      { kind: 'damaged', line: 3, name: 'a damaged line is left out', status: 'error' },
    ]);
  }
});
