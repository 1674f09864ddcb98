import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { NO_TOKENS } from '../../../src/dialects/kit/tokens.ts';
import { copilot } from '../../../src/dialects/sessions/copilot/index.ts';
import { EventsReader } from '../../../src/dialects/sessions/copilot/reader.ts';
import { states } from '../../../src/dialects/sessions/copilot/states.ts';
import { cellsOf, sessionOf } from '../sessions.ts';

const event = (type: string, data: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  type,
  data,
  ...more,
});
const session = (...events: JsonObject[]) => sessionOf(states, events);
const prompt = (content: string) => event('user.message', { content });
const begins = (id: string | undefined, data: JsonObject = {}) =>
  event('tool.execution_start', {
    ...(id && { toolCallId: id }),
    toolName: 'bash',
    arguments: { command: 'make' },
    ...data,
  });
const ends = (id: string | undefined, data: JsonObject = {}) =>
  event('tool.execution_complete', { ...(id && { toolCallId: id }), success: true, ...data });

test('failures are shown in the words of the log', () => {
  const told = (...events: JsonObject[]) => {
    const { problems, status } = session(prompt('go'), ...events);
    return [...problems.map(({ kind, text, line }) => `${line} ${kind}: ${text}`), status];
  };
  expect(told(event('session.error', { message: 'no luck', errorType: 'quota' }))).toEqual([
    '2 error: no luck',
    'error',
  ]);
  expect(told(event('session.error', { errorType: 'quota' }))).toEqual(['2 error: quota', 'error']);
  expect(told(event('session.error'))).toEqual(['2 error: no message', 'error']);
  expect(told(event('session.warning', { message: 'slow' }), event('session.warning'))).toEqual([
    '2 warning: slow',
    '3 warning: no message',
    'open',
  ]);
  expect(told(event('abort', { reason: 'user' }))).toEqual(['2 interrupted: user', 'interrupted']);
  expect(told(event('abort'))).toEqual(['2 interrupted: no reason', 'interrupted']);
  expect(told(event('session.shutdown', { shutdownType: 'error', errorReason: 'crash' }))).toEqual([
    '2 error: crash',
    'error',
  ]);
  expect(told(event('session.shutdown', { shutdownType: 'error' }))).toEqual([
    '2 error: the session ended with an error',
    'error',
  ]);
  expect(told(event('session.shutdown'))).toEqual(['interrupted']);
  // The end says nothing that the error before it does not say.
  const [error, end] = [event('session.error', { message: 'crash' }), { shutdownType: 'error' }];
  for (const again of [end, { ...end, errorReason: 'crash' }])
    expect(told(error, event('session.shutdown', again))).toEqual(['2 error: crash', 'error']);
  expect(told(error, event('session.shutdown', { ...end, errorReason: 'no space' }))).toEqual([
    '2 error: crash',
    '3 error: no space',
    'error',
  ]);
});

test('a fork says so, and other notes do not', () => {
  const info = (infoType: string) => event('session.info', { infoType, message: `from ${infoType}` });
  expect(session(info('mcp'), info('fork')).session).toEqual({ fork: 'from fork', closed: 'no' });
});

test('reads a session without a name, and an answer without a count of input tokens', () => {
  const reader = new EventsReader();
  reader.add(event('assistant.message', { model: 'm', outputTokens: 5, content: 'hi' }), 1);
  reader.add(event('assistant.message', { outputTokens: 5, content: 'of no model' }), 2);
  expect(reader.entries()).toEqual([
    { key: 'unknown m', model: 'm', tokens: { ...NO_TOKENS, output: 5 }, answers: 1, isPartial: true },
  ]);
  expect(reader.document()).toMatchObject({
    tokens: { m: { responses: 1, ...NO_TOKENS, output: 5 } },
    total_tokens: 5,
  });
});

test('requests are counted by their model', () => {
  const record = (usage: JsonObject) => event('session.usage_record', { usage });
  const { tokens, total_tokens } = session(
    record({ model: 'm', inputTokens: 3 }),
    record({ inputTokens: 9 }),
    record({ model: 'm', inputTokens: 4 }),
  );
  expect({ tokens, total_tokens }).toEqual({
    tokens: { m: { responses: 2, ...NO_TOKENS, input: 7 } },
    total_tokens: 7,
  });
});

test('a shutdown counts the usage of each model, also of one without requests', () => {
  const usage = { inputTokens: 3, outputTokens: 4 };
  const modelMetrics = { m: { requests: { count: 2 }, usage }, n: { usage: { inputTokens: 1 } } };
  expect(session(event('session.shutdown', { modelMetrics }))).toMatchObject({
    models: ['m'],
    tokens: { m: { responses: 2, ...NO_TOKENS, input: 3, output: 4 }, n: { ...NO_TOKENS, input: 1 } },
    total_tokens: 8,
  });
});

describe('what a killed program did not report counts', () => {
  const said = (messageId: string, outputTokens: number) =>
    event('assistant.message', { messageId, model: 'm', outputTokens });
  const usage = { inputTokens: 30, outputTokens: 5, cacheReadTokens: 20 };
  const compacted = event('session.compaction_complete', { compactionTokensUsed: { ...usage, model: 'm' } });
  const reported = (data: JsonObject = {}) =>
    event('session.shutdown', { ...data, modelMetrics: { m: { requests: { count: 2 }, usage } } });
  const totalOf = (...events: readonly JsonObject[]) => session(...events).total_tokens;

  test('after the last shutdown: the output of answers, and compactions', () => {
    expect(totalOf(said('a', 5), reported())).toBe(35);
    expect(totalOf(said('a', 5), reported(), event('session.resume'), said('b', 7), compacted)).toBe(77);
    expect(totalOf(compacted, reported())).toBe(35);
  });

  test('before a resume, unless the shutdown counts the whole session', () => {
    const killed = [said('a', 7), event('session.resume'), said('b', 5)];
    expect(totalOf(...killed, reported())).toBe(42);
    expect(totalOf(...killed, reported({ eventsFileSizeBytes: 9 }))).toBe(35);
  });
});

test('only calls that began are listed, and each ends once', () => {
  const { calls, files } = session(
    prompt('go'),
    event('tool.user_requested', { toolCallId: 'u' }),
    begins('a'),
    ends('a', { success: false, error: { code: 'interrupted', message: 'stopped' } }),
    begins('b', { toolName: 'create', arguments: { path: 'a.ts' } }),
    ends('b'),
    begins('c', { toolName: 'edit', arguments: { path: 'b.ts' } }),
    ends('c', { success: false, error: { code: 'denied', message: 'no' } }),
    begins(undefined, { toolName: '' }),
    ends(undefined),
    begins('d', { toolName: 'apply_patch' }),
    ends('d', { fileEdits: [{ path: 'c.ts' }, { other: 1 }] }),
    event('session.shutdown', { codeChanges: { filesModified: ['a.ts', 'b.ts', 7, 'd.ts', 'd.ts'] } }),
    event('session.shutdown'),
  );
  expect(calls.map(({ tool, status, error, line }) => [line, tool, status, error])).toEqual([
    [3, 'bash', 'interrupted', 'stopped'],
    [5, 'create', 'ok', undefined],
    [7, 'edit', 'denied', 'no'],
    [9, 'tool', 'open', undefined],
    [11, 'apply_patch', 'ok', undefined],
  ]);
  expect(files.map(({ path, edits, line }) => [path, edits, line])).toEqual([
    ['a.ts', 1, 5],
    ['c.ts', 1, 11],
    ['b.ts', 1, 13],
    ['d.ts', 1, 13],
  ]);
});

test('subagents are known by their names', () => {
  const { agents } = session(
    event('subagent.configured', { toolCallId: 'a' }),
    event('subagent.started', { agentName: 'reviewer', agentDescription: 'reads' }),
    event('subagent.started', { toolCallId: 'a', agentDisplayName: 'Reviewer', agentName: 'reviewer' }),
    event('subagent.selected', { toolCallId: 'b' }),
    event('subagent.started', { agentName: 'writer' }, { agentId: 'w' }),
    event('subagent.failed', { agentName: 'writer' }, { agentId: 'w' }),
  );
  expect(agents).toEqual([
    { id: 'a', name: 'Reviewer', status: 'open', call: 'a', line: 3 },
    { id: 'w', name: 'writer', status: 'failed', line: 5 },
  ]);
});

test('a timeline shows calls, errors and how long answers took', () => {
  const spans = copilot.spans?.();
  const shown = [
    begins(undefined),
    begins('c', { toolName: undefined as never }),
    ends('c', { success: false, error: { code: 'rejected' } }),
    ends(undefined),
    begins('d'),
    ends('d', { shellExecution: { exitCode: 3 }, result: { content: 'no rule' } }),
    event('session.error', { message: 'quota' }),
    event('session.usage_record', { usage: { model: 'm', duration: 1200 } }),
    event('session.usage_record', { usage: { duration: 5 } }),
    event('session.usage_record', {}),
  ].map((one, index) => spans?.span({ ...one, timestamp: `t${index}` }));
  const called = (tool: string, callId: string) => ({
    operation: { kind: 'tool', tool, callId, input: 'make' },
  });
  expect(shown).toEqual([
    { name: '', start: 't0' },
    { name: '', start: 't1' },
    { name: 'tool', start: 't1', end: 't2', status: 'veto', reason: 'denied', ...called('tool', 'c') },
    { name: '', start: 't3' },
    { name: '', start: 't4' },
    { name: 'bash', start: 't4', end: 't5', status: 'error', reason: 'no rule', ...called('bash', 'd') },
    { name: 'session.error', start: 't6', status: 'error', reason: 'quota' },
    { name: 'm', end: 't7', durationMs: 1200 },
    { name: 'model', end: 't8', durationMs: 5 },
    { name: '', start: 't9' },
  ]);
});

test.each<[JsonObject, string, string, string]>([
  [prompt('go\non'), 'prompt', '', 'go'],
  [event('user.message', { content: 'go' }, { agentId: 'a' }), 'prompt', '', 'go'],
  [event('user.message', { content: 'go', source: 'skill' }), 'meta', '', 'user.message go'],
  [event('assistant.reasoning', { content: 'hm' }), 'thinking', '', 'hm'],
  [event('assistant.turn_start'), 'turn', '', 'assistant.turn_start'],
  [event('session.usage_record'), 'usage', '', 'session.usage_record'],
  [event('hook.start', { hookType: 'preToolUse' }), 'hook', '', 'hook.start preToolUse'],
  [begins('c'), 'call', 'bash', 'make'],
  [
    ends('c', { shellExecution: { exitCode: 3 }, result: { content: 'no rule\nmore' } }),
    'result',
    '',
    'exit 3 no rule',
  ],
  [ends('c'), 'result', '', 'ok'],
  [event('assistant.message', { model: 'm', content: 'hi' }), 'answer', 'm', 'hi'],
  [event('assistant.message', { toolRequests: [{ name: 'bash' }, {}] }), 'answer', '', 'calls bash, tool'],
  [event('assistant.message'), 'answer', '', ''],
  [
    event('permission.requested', { permissionRequest: { kind: 'shell', fullCommandText: 'rm x' } }),
    'meta',
    '',
    'permission.requested shell rm x',
  ],
  [
    event('permission.requested', { permissionRequest: { kind: 'write', path: 'a.ts' } }),
    'meta',
    '',
    'permission.requested write a.ts',
  ],
  [event('permission.requested'), 'meta', '', 'permission.requested'],
  [
    event('permission.completed', { result: { kind: 'approved' } }),
    'meta',
    '',
    'permission.completed approved',
  ],
  [event('permission.completed'), 'meta', '', 'permission.completed'],
  [
    event('session.start', { copilotVersion: '1.0', context: { cwd: '/x' } }),
    'meta',
    '',
    'session.start 1.0 /x',
  ],
  [event('session.info', { message: 'hello' }), 'meta', '', 'session.info hello'],
  [event('session.idle'), 'meta', '', 'session.idle'],
])('a table of events shows of %j what it is', (record, KIND, TOOL, DETAIL) => {
  expect(cellsOf(copilot, record)).toEqual({ KIND, TOOL, DETAIL });
});
