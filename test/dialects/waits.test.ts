import { expect, test } from 'vitest';
import type { Story } from '../../src/dialects/kit/story.ts';
import { at, claude, logOf } from '../support/claude-records.ts';
import { runHere } from '../support/in-process.ts';

const use = (id: string, name: string) => [{ type: 'tool_use', id, name, input: {} }];
const result = (id: string, more: object = {}) => [
  { type: 'tool_result', tool_use_id: id, content: 'x', ...more },
];
const NO = { is_error: true, content: "The user doesn't want to proceed with this tool use." };

const CLAUDE = [
  claude(0, 'user', 'go'),
  claude(1, 'assistant', use('a', 'AskUserQuestion')),
  claude(61, 'user', result('a')),
  claude(62, 'assistant', use('b', 'Bash')),
  claude(92, 'user', result('b', NO), { toolDenialKind: 'user-rejected' }),
  claude(93, 'assistant', use('c', 'Bash')),
  claude(96, 'user', result('c', { is_error: true }), { toolDenialKind: 'permission-rule' }),
  claude(97, 'assistant', use('d', 'Bash')),
  claude(99, 'user', result('d', NO)),
  claude(100, 'assistant', [{ type: 'text', text: 'done' }]),
  claude(400, 'user', 'more'),
  claude(401, 'assistant', [{ type: 'text', text: 'done' }]),
];

const copilot = (second: number, type: string, data: object) => ({
  type,
  id: `e${second}${type}`,
  parentId: null,
  timestamp: at(second),
  data,
});
const allowed = (kind: string, requestId: string, toolCallId: string) => ({
  requestId,
  toolCallId,
  result: { kind },
});

const COPILOT = [
  copilot(0, 'session.start', { sessionId: 's' }),
  copilot(1, 'user.message', { content: 'go' }),
  copilot(2, 'tool.execution_start', { toolCallId: 'a', toolName: 'bash', arguments: {} }),
  copilot(2, 'tool.execution_start', { toolCallId: 'b', toolName: 'bash', arguments: {} }),
  copilot(3, 'permission.requested', { requestId: 'r', permissionRequest: { toolCallId: 'a' } }),
  copilot(4, 'permission.requested', { requestId: 'q', permissionRequest: { toolCallId: 'b' } }),
  copilot(60, 'permission.completed', allowed('approved', 'r', 'a')),
  copilot(63, 'permission.completed', allowed('denied-interactively-by-user', 'q', 'b')),
  copilot(64, 'tool.execution_complete', { toolCallId: 'a', success: true }),
  copilot(64, 'tool.execution_complete', { toolCallId: 'b', success: false, error: { code: 'denied' } }),
  copilot(70, 'permission.requested', { requestId: 'n' }),
  copilot(75, 'permission.completed', {
    ...allowed('denied-no-approval-rule-and-could-not-request-from-user', 'n', 'c'),
  }),
  copilot(80, 'tool.execution_start', { toolCallId: 'k', toolName: 'ask_user', arguments: {} }),
  copilot(110, 'tool.execution_complete', { toolCallId: 'k', success: true }),
];

const codex = (second: number, type: string, payload: object) => ({ timestamp: at(second), type, payload });
const CODEX = [
  codex(0, 'session_meta', { id: 't', cwd: '/', cli_version: '0.128.0' }),
  codex(1, 'event_msg', { type: 'user_message', message: 'go' }),
  codex(2, 'response_item', { type: 'function_call', name: 'exec_command', call_id: 'a', arguments: '{}' }),
  codex(3, 'event_msg', { type: 'exec_approval_request', call_id: 'a' }),
  codex(63, 'event_msg', { type: 'exec_command_begin', call_id: 'a' }),
  codex(64, 'response_item', { type: 'function_call_output', call_id: 'a', output: 'fine' }),
  codex(65, 'response_item', {
    type: 'function_call',
    name: 'request_user_input',
    call_id: 'b',
    arguments: '{}',
  }),
  codex(95, 'response_item', { type: 'function_call_output', call_id: 'b', output: '{}' }),
];

test.each<[string, string, readonly object[], waited: number, calls: (number | undefined)[], idle: number]>([
  ['Claude Code', 's.jsonl', CLAUDE, 92_000, [60_000, 30_000, undefined, 2000], 300_000],
  ['Copilot', 'events.jsonl', COPILOT, 90_000, [57_000, 59_000, 30_000], 1000],
  ['Codex', 'rollout-x.jsonl', CODEX, 90_000, [60_000, 30_000], 1000],
])(
  '%s: what a person was asked is shown apart, once, and so is the time between turns',
  async (_, name, records, waited, calls, idle) => {
    const path = logOf(name, records);
    const { stdout } = await runHere(['read', path, '-j']);
    const story = JSON.parse(stdout) as Story;
    const items = story.turns.flatMap((turn) => turn.items.filter((item) => item.kind === 'call'));
    expect(items.map(({ waited_ms }) => waited_ms)).toEqual(calls);
    expect(story.time).toMatchObject({ waited_ms: waited, idle_ms: idle });
    expect(story.turns.map((turn) => turn.waited_ms).filter((ms) => ms !== undefined)).toEqual([waited]);

    const numbers = { waited_ms: waited, idle_ms: idle };
    expect(JSON.parse((await runHere(['show', path, '-j'])).stdout)).toMatchObject({ time: numbers });
    expect(JSON.parse((await runHere(['stats', path, '-j'])).stdout)).toMatchObject(numbers);
    // A list does not read the long records whose times it would need.
    expect((await runHere(['list', path, '-j'])).stdout).not.toMatch(/waited|idle/);

    const time = `for you 1m ${(waited - 60_000) / 1000}s`;
    expect((await runHere(['read', path])).stdout).toContain(`waited ${time}`);
    const idleText = idle === 1000 ? '1.00 s' : '5m 00s';
    expect((await runHere(['stats', path])).stdout).toContain(
      `1m ${(waited - 60_000) / 1000}s waiting for you, ${idleText} outside turns\n`,
    );
    const shown = (await runHere(['show', path])).stdout;
    expect(shown).toContain(`waiting ${time}`);
    expect(shown).toContain(`waiting ${time} · idle ${idleText}`);
  },
);

test.each([
  [
    'of Claude Code',
    's.jsonl',
    [
      claude(0, 'user', 'go'),
      claude(1, 'assistant', use('b', 'Bash')),
      claude(31, 'user', result('b', NO), { toolDenialKind: 'user-rejected' }),
    ],
  ],
  ['of Copilot', 'events.jsonl', COPILOT.slice(0, 10)],
])('a refused call %s never ran, so no command gives it a duration', async (_, name, records) => {
  const path = logOf(name, records);
  const json = async (...args: string[]) => JSON.parse((await runHere([...args, path, '-j'])).stdout);
  const { turns } = (await json('read')) as Story;
  const refused = turns
    .flatMap(({ items }) => items)
    .filter((item) => item.kind === 'call' && item.status === 'denied');
  expect(refused).toHaveLength(1);
  expect(refused[0]).not.toHaveProperty('duration_ms');
  const spans = (await runHere(['timeline', path, '--records', '-j'])).stdout.trim().split('\n');
  const veto = spans.map((line) => JSON.parse(line)).filter(({ status }) => status === 'veto');
  expect(veto).toHaveLength(1);
  expect(veto[0]).not.toHaveProperty('duration_ms');
});

test('waiting is not shown if the log has no information about it', async () => {
  const path = logOf('s.jsonl', [
    claude(0, 'user', 'go'),
    claude(9, 'assistant', [{ type: 'text', text: 'done' }]),
  ]);
  for (const command of ['list', 'stats'])
    expect((await runHere([command, path, '-j'])).stdout, command).not.toMatch(/waited|idle/);
  expect((await runHere(['read', path])).stdout).not.toMatch(/waited|idle/);
  const shown = JSON.parse((await runHere(['show', path, '-j'])).stdout);
  expect(shown).not.toHaveProperty('waited_ms');
  expect(shown).not.toHaveProperty('idle_ms');
  // All of the time is that of the model.
  expect(shown.time).toMatchObject({ lasted_ms: 9000, model_ms: 9000, waited_ms: 0, idle_ms: 0 });
  expect((await runHere(['show', path])).stdout).not.toMatch(/waiting|idle/);
});

const pi = (second: number, more: object) => ({
  type: 'message',
  id: `p${second}`,
  parentId: second < 2 ? null : second === 2 ? 'p1' : 'p2',
  timestamp: at(second),
  ...more,
});
const PI = [
  { type: 'session', version: 3, id: 'p', timestamp: at(0), cwd: '/' },
  pi(1, { message: { role: 'user', content: 'go' } }),
  pi(2, {
    message: {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: {} }],
      stopReason: 'toolUse',
    },
  }),
];
const qwen = (second: number, type: string, parts: readonly object[]) => ({
  uuid: `q${second}`,
  parentUuid: second < 2 ? null : second === 2 ? 'q1' : 'q2',
  sessionId: 'q',
  timestamp: at(second),
  ...{ type, cwd: '/', version: '1' },
  message: { role: type === 'user' ? 'user' : 'model', parts },
});
const opencode = (second: number, role: string, parts: readonly object[], aborted?: number) => ({
  info: {
    ...{ id: `msg_${role}`, sessionID: 'ses_1', role },
    time: { created: Date.parse(at(second)), ...(aborted && { completed: Date.parse(at(aborted)) }) },
    ...(aborted && {
      ...{ modelID: 'm', providerID: 'p', cost: 0 },
      error: { name: 'MessageAbortedError', data: { message: 'aborted' } },
    }),
  },
  parts,
});

const NOT_ALLOWED = { error: '[Operation Cancelled] Reason: User did not allow tool call' };

test.each<[string, string, readonly object[]]>([
  [
    'Gemini CLI',
    'session-x.jsonl',
    [
      { sessionId: 'g', projectHash: 'p', startTime: at(0), lastUpdated: at(0), kind: 'main' },
      { id: 'u', timestamp: at(1), type: 'user', content: [{ text: 'go' }] },
      {
        ...{ id: 'a', timestamp: at(2), type: 'gemini', model: 'm', content: '', thoughts: [] },
        toolCalls: [
          {
            ...{ id: 'c', name: 'run_shell_command', args: {}, status: 'cancelled', timestamp: at(32) },
            result: [{ functionResponse: { id: 'c', name: 'run_shell_command', response: NOT_ALLOWED } }],
          },
        ],
      },
      { id: 'i', timestamp: at(32), type: 'info', content: 'Request cancelled.' },
    ],
  ],
  [
    'Qwen Code',
    'q.jsonl',
    [
      qwen(1, 'user', [{ text: 'go' }]),
      qwen(2, 'assistant', [{ functionCall: { id: 'c', name: 'run_shell_command', args: {} } }]),
      {
        ...qwen(32, 'tool_result', [
          { functionResponse: { id: 'c', name: 'run_shell_command', response: NOT_ALLOWED } },
        ]),
        toolCallResult: { callId: 'c', status: 'cancelled' },
      },
    ],
  ],
])('%s: the time until a person refused a call is not that of the tool', async (_, name, records) => {
  const path = logOf(name, records);
  const shown = JSON.parse((await runHere(['show', path, '-j'])).stdout);
  expect(shown).toMatchObject({ time: { tools_ms: 0, waited_ms: 30_000 }, tools: [{ took_ms: 0 }] });
  const [turn, call] = (await runHere(['timeline', path, '-j'])).stdout
    .split('\n')
    .map((line) => line && JSON.parse(line));
  expect(turn).toMatchObject({ kind: 'turn', duration_ms: 1000, waited_ms: 30_000 });
  expect(call).toMatchObject({ kind: 'call', status: 'veto', waited_ms: 30_000 });
  expect(call).not.toHaveProperty('duration_ms');
});

test.each<[string, string, readonly object[]]>([
  [
    'Codex',
    'rollout-x.jsonl',
    [
      codex(0, 'session_meta', { id: 't', cwd: '/', cli_version: '0.128.0' }),
      codex(0, 'event_msg', { type: 'task_started' }),
      codex(1, 'event_msg', { type: 'user_message', message: 'go' }),
      codex(2, 'response_item', { type: 'function_call', name: 'exec', call_id: 'a', arguments: '{}' }),
      codex(14, 'event_msg', { type: 'turn_aborted', reason: 'interrupted' }),
    ],
  ],
  [
    'Copilot',
    'events.jsonl',
    [
      copilot(0, 'session.start', { sessionId: 's' }),
      copilot(1, 'user.message', { content: 'go' }),
      copilot(2, 'tool.execution_start', { toolCallId: 'a', toolName: 'bash', arguments: {} }),
      copilot(14, 'abort', { reason: 'user' }),
    ],
  ],
  [
    'Claude Code',
    's.jsonl',
    [
      claude(1, 'user', 'go'),
      claude(2, 'assistant', use('a', 'Bash')),
      claude(14, 'user', [{ type: 'text', text: '[Request interrupted by user for tool use]' }]),
    ],
  ],
  [
    'Claude Code, whose program ended',
    's.jsonl',
    [
      claude(1, 'user', 'go'),
      claude(2, 'assistant', use('a', 'Bash')),
      { type: 'cost-state', sessionId: 's', timestamp: at(14) },
    ],
  ],
  [
    'Copilot, whose program ended',
    'events.jsonl',
    [
      copilot(0, 'session.start', { sessionId: 's' }),
      copilot(1, 'user.message', { content: 'go' }),
      copilot(2, 'tool.execution_start', { toolCallId: 'a', toolName: 'bash', arguments: {} }),
      copilot(14, 'session.shutdown', { shutdownType: 'routine' }),
    ],
  ],
  ['pi', 'pi.jsonl', [...PI, pi(14, { message: { role: 'assistant', content: [], stopReason: 'aborted' } })]],
  [
    'pi, which a signal ended',
    'pi.jsonl',
    [...PI, pi(14, { type: 'custom', customType: 'session_exit', data: { kind: 'signal' } })],
  ],
  [
    'Gemini CLI',
    'session-x.jsonl',
    [
      { sessionId: 'g', projectHash: 'p', startTime: at(0), lastUpdated: at(0), kind: 'main' },
      { id: 'u', timestamp: at(1), type: 'user', content: [{ text: 'go' }] },
      {
        ...{ id: 'a', timestamp: at(2), type: 'gemini', model: 'm', content: '', thoughts: [] },
        toolCalls: [{ id: 'c', name: 'run_shell_command', args: {}, status: 'executing', timestamp: at(2) }],
      },
      { id: 'i', timestamp: at(14), type: 'info', content: 'Request cancelled.' },
    ],
  ],
  [
    'Qwen Code',
    'q.jsonl',
    [
      qwen(1, 'user', [{ text: 'go' }]),
      qwen(2, 'assistant', [{ functionCall: { id: 'c', name: 'run_shell_command', args: {} } }]),
      qwen(14, 'assistant', []),
    ],
  ],
  [
    'opencode',
    'session.json',
    [
      {
        info: { id: 'ses_1', version: '1.15.0', directory: '/', time: { created: Date.parse(at(0)) } },
        messages: [
          opencode(1, 'user', [{ id: 'prt_1', type: 'text', text: 'go' }]),
          opencode(
            1,
            'assistant',
            [
              {
                ...{ id: 'prt_2', type: 'tool', callID: 'c', tool: 'bash' },
                state: { status: 'running', input: {}, time: { start: Date.parse(at(2)) } },
              },
            ],
            14,
          ),
        ],
      },
    ],
  ],
])('%s: a call without a result worked until its turn was interrupted', async (_, name, records) => {
  const path = logOf(name, records);
  const shown = JSON.parse((await runHere(['show', path, '-j'])).stdout);
  expect(shown).toMatchObject({ time: { tools_ms: 12_000 }, tools: [{ calls: 1, took_ms: 12_000 }] });
  const [turn, call] = (await runHere(['timeline', path, '-j'])).stdout
    .split('\n')
    .map((line) => line && JSON.parse(line));
  expect(turn).toMatchObject({ kind: 'turn', status: 'veto' });
  expect(call).toMatchObject({ kind: 'call', duration_ms: 12_000 });
});

test('a call without a result does not work until an interruption if the agent went on after it', async () => {
  const path = logOf('s.jsonl', [
    claude(1, 'user', 'go'),
    claude(2, 'assistant', use('a', 'Bash')),
    claude(4, 'assistant', [{ type: 'text', text: 'Next.' }]),
    claude(14, 'user', [{ type: 'text', text: '[Request interrupted by user]' }]),
  ]);
  const shown = JSON.parse((await runHere(['show', path, '-j'])).stdout);
  expect(shown).toMatchObject({ time: { tools_ms: 0 }, tools: [{ calls: 1, took_ms: 0 }] });
});

test('the time until a killed program was started again is not that of its turn', async () => {
  const path = logOf('events.jsonl', [
    copilot(0, 'session.start', { sessionId: 's' }),
    copilot(1, 'user.message', { content: 'go' }),
    copilot(2, 'tool.execution_start', { toolCallId: 'a', toolName: 'bash', arguments: {} }),
    copilot(30, 'session.resume', {}),
  ]);
  const shown = JSON.parse((await runHere(['show', path, '-j'])).stdout);
  expect(shown).toMatchObject({
    status: 'interrupted',
    time: { model_ms: 1000, tools_ms: 0, idle_ms: 1000, unknown_ms: 28_000 },
  });
  const { turns } = JSON.parse((await runHere(['read', path, '-j'])).stdout) as Story;
  expect(turns).toMatchObject([{ status: 'interrupted', items: [{}, { status: 'no result' }] }]);
});
