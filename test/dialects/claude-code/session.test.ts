import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { claudeCode } from '../../../src/dialects/sessions/claude-code/index.ts';
import { states } from '../../../src/dialects/sessions/claude-code/states.ts';
import { cellsOf, sessionOf } from '../sessions.ts';

const said = (type: 'user' | 'assistant', content: JsonValue, more: JsonObject = {}): JsonObject => ({
  type,
  message: { content },
  ...more,
});
const call = (id: string | undefined, block: JsonObject = { name: 'Bash', input: { command: 'make' } }) =>
  said('assistant', [{ type: 'tool_use', ...(id && { id }), ...block }]);
const result = (id: string | undefined, content: JsonValue, block: JsonObject = {}, more: JsonObject = {}) =>
  said('user', [{ type: 'tool_result', ...(id && { tool_use_id: id }), content, ...block }], more);
const session = (...events: JsonObject[]) => sessionOf(states, events);

test('an error of the service in place of an answer is a problem, and the turn failed', () => {
  const error = said('assistant', 'API Error: 529', { isApiErrorMessage: true });
  expect(session(said('user', 'go'), error)).toMatchObject({
    status: 'error',
    turns: [{ prompt: 'go', status: 'error' }],
    problems: [{ kind: 'API error', text: '529', line: 2 }],
  });
});

test('messages of the program outside the conversation give problems, links, the title and compactions', () => {
  const { problems, links, title, compactions } = session(
    { type: 'system', subtype: 'api_error', error: { formatted: 'too busy', message: 'x' } },
    { type: 'system', subtype: 'api_error', error: { message: 'no route' } },
    { type: 'system', subtype: 'api_error' },
    { type: 'attachment', attachment: { type: 'max_turns_reached', maxTurns: 3 } },
    { type: 'attachment', attachment: { type: 'max_turns_reached' } },
    { type: 'system', subtype: 'compact_boundary' },
    { type: 'pr-link', prUrl: 'https://example.org/1' },
    { type: 'custom-title', customTitle: 'Mine' },
    { type: 'ai-title', aiTitle: 'Its' },
  );
  expect(problems.map(({ text }) => text)).toEqual([
    'too busy',
    'no route',
    'no message',
    'the limit of turns was reached: 3',
    'the limit of turns was reached: no number',
  ]);
  expect({ links, title, compactions }).toEqual({
    links: ['https://example.org/1'],
    title: 'Mine',
    compactions: 1,
  });
});

test('an image is a prompt too', () => {
  expect(session(said('user', [{ type: 'image' }])).turns).toMatchObject([{ prompt: '(an image)' }]);
});

test('calls without a name or an id and results without a call are read, and a result names its subagent', () => {
  const { calls, agents } = session(
    call(undefined, {}),
    result(undefined, 'of no call', {}, { toolUseResult: { agentId: 'x', status: 'completed' } }),
    call('t', { name: 'Task', input: { subagent_type: 'reader', description: 'reads' } }),
    result('t', '', {}, { toolUseResult: { agentId: 'a', totalTokens: 5 } }),
    call('b'),
    result('b', '', { is_error: true }, { toolUseResult: 'Exit code 2\nno rule' }),
    call('i'),
    result('i', 'half', {}, { toolUseResult: { interrupted: true } }),
  );
  expect(calls.map(({ tool, status, exit_code, error }) => [tool, status, exit_code, error])).toEqual([
    ['tool', 'open', undefined, undefined],
    ['Task', 'ok', undefined, undefined],
    ['Bash', 'error', 2, 'no rule'],
    ['Bash', 'interrupted', undefined, 'half'],
  ]);
  expect(agents).toEqual([
    { id: 'x', status: 'completed', line: 2 },
    { id: 'a', name: 'reader', description: 'reads', tokens: 5, line: 3 },
  ]);
});

test('a subagent that keeps working is done when the program says so, with the numbers of the program', () => {
  const note = (text: string) => said('user', `<task-notification>${text}</task-notification>`);
  const launched = [
    call('t', { name: 'Task', input: {} }),
    result('t', '', {}, { toolUseResult: { agentId: 'a' } }),
  ];
  const told = (text: string) => session(...launched, note(text)).agents;
  expect(told('<task-id>a</task-id><status>completed</status><total_tokens>12</total_tokens>')).toEqual([
    { id: 'a', status: 'completed', tokens: 12, line: 1 },
  ]);
  expect(told('<task-id>a</task-id><status>failed</status><subagent_tokens>many</subagent_tokens>')).toEqual([
    { id: 'a', status: 'failed', line: 1 },
  ]);
  for (const other of ['<task-id>b</task-id>', '<status>completed</status>'])
    expect(told(other)).toEqual([{ id: 'a', line: 1 }]);
});

test('a timeline shows calls where they ended, hooks, and errors of the service', () => {
  const spans = claudeCode.spans?.();
  const shown = [
    call(undefined),
    call('c', {}),
    result('c', 'stopped', { is_error: true }, { toolDenialKind: 'interrupted' }),
    result(undefined, 'x'),
    said('assistant', 'API Error: 529', { isApiErrorMessage: true }),
    { type: 'attachment', attachment: { type: 'hook_success', durationMs: 7 } },
    { attachment: { durationMs: 8 } },
    said('user', 'go'),
  ].map((one, index) => spans?.span({ ...one, timestamp: `t${index}` }));
  expect(shown).toEqual([
    { name: '', start: 't0' },
    { name: '', start: 't1' },
    {
      name: 'tool',
      start: 't1',
      end: 't2',
      status: 'veto',
      reason: 'stopped',
      operation: { kind: 'tool', tool: 'tool', callId: 'c' },
    },
    { name: '', start: 't3' },
    { name: 'API error', start: 't4', status: 'error', reason: 'API Error: 529' },
    { name: 'attachment/hook_success', end: 't5', durationMs: 7 },
    { name: '', end: 't6', durationMs: 8 },
    { name: '', start: 't7' },
  ]);
});

test('of several results in one record the one that failed counts, and all tools are named', () => {
  const spans = claudeCode.spans?.();
  const block = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
  const answer = (id: string, isError: boolean) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: `result ${id}`,
    is_error: isError,
  });
  const shown = [
    { type: 'assistant', message: { content: [block('a', 'Read'), block('b', 'Bash')] } },
    { type: 'user', message: { content: [answer('a', false), answer('b', true)] } },
  ].map((one) => spans?.span(one));
  expect(shown).toMatchObject([
    { tools: ['Read', 'Bash'] },
    { name: 'Bash', status: 'error', reason: 'result b', tools: ['Read', 'Bash'] },
  ]);
});

test.each<[JsonObject, string, string, string]>([
  [call('c'), 'call', 'Bash', 'make'],
  [result('c', 'fine\nmore'), 'result', '', 'ok fine'],
  [said('assistant', [{ type: 'thinking', thinking: 'hm' }]), 'thinking', '', 'hm'],
  [said('assistant', [{ type: 'redacted_thinking' }]), 'thinking', '', ''],
  [said('assistant', 'hi'), 'answer', '', 'hi'],
  [said('user', [{ type: 'document' }]), 'meta', '', '{"content":[{"type":"document"}]}'],
  [
    { type: 'progress', data: { type: 'hook_progress', content: 'half' } },
    'hook',
    '',
    'progress/hook_progress half',
  ],
  [{ type: 'system', subtype: 'turn_duration', durationMs: 5 }, 'meta', '', 'system/turn_duration 5 ms'],
  [{ type: 'mode' }, 'meta', '', 'mode'],
  [{}, 'meta', '', ''],
])('a table of events shows of %j what it is', (record, KIND, TOOL, DETAIL) => {
  expect(cellsOf(claudeCode, record)).toEqual({ KIND, TOOL, DETAIL });
});

test.each<[boolean, JsonObject]>([
  [true, { type: 'summary', summary: 's', leafUuid: 'u' }],
  [false, { type: 'summary', summary: 's' }],
  [false, { type: 'summary', leafUuid: 'u' }],
  [true, { type: 'file-history-snapshot', messageId: 'm', snapshot: {} }],
  [true, { type: 'queue-operation', operation: 'enqueue', sessionId: 's' }],
  [false, { type: 'queue-operation', operation: 'enqueue' }],
])('is a transcript (%s): a log with %j', (is, record) => {
  expect(claudeCode.detect({ fileName: 'x.jsonl', records: [record] })).toBe(is);
});

test('the cost and the tokens that the program counted itself are those of its last counts, and of each start that counted anew', () => {
  const counts = (startTime: number, totalCostUSD: number, inputTokens: number): JsonObject => ({
    type: 'cost-state',
    totalCostUSD,
    startTime,
    modelUsage: { 'big-model': { inputTokens, outputTokens: 20, costUSD: totalCostUSD } },
  });
  const first = [said('user', 'go'), counts(1, 0.0012, 200), counts(1, 0.0048000000000000004, 800)];
  expect(session(...first).session).toMatchObject({
    cost_usd: 0.0048,
    stated_tokens: 'input 800, output 20',
  });
  expect(session(...first, counts(2, 0.001, 100)).session).toMatchObject({
    cost_usd: 0.0058,
    stated_tokens: 'input 900, output 40',
  });
  expect(session(said('user', 'go')).session).toEqual({});
});
