import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { NO_TOKENS } from '../../../src/dialects/kit/tokens.ts';
import { codex } from '../../../src/dialects/sessions/codex/index.ts';
import { RolloutReader } from '../../../src/dialects/sessions/codex/reader.ts';
import { withoutFrame } from '../../../src/dialects/sessions/codex/records.ts';
import { states } from '../../../src/dialects/sessions/codex/states.ts';
import type { SessionDocument } from '../../../src/dialects/sessions/kit/session.ts';
import { cellsOf, sessionOf } from '../sessions.ts';

const line = (type: string, payload: JsonObject, seconds?: number): JsonObject => ({
  ...(seconds !== undefined && { timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString() }),
  type,
  payload,
});
const item = (type: string, payload: JsonObject = {}) => line('response_item', { type, ...payload });
const event = (type: string, payload: JsonObject = {}) => line('event_msg', { type, ...payload });
const said = (role: string, text: string) => item('message', { role, content: [{ type: 'text', text }] });
const call = (id: string | null, more: JsonObject = {}) =>
  item('function_call', {
    name: 'exec_command',
    arguments: '{"cmd":"make"}',
    ...(id && { call_id: id }),
    ...more,
  });
const output = (id: string, text: JsonObject[string]) =>
  item('function_call_output', { call_id: id, output: text });
const session = (...events: JsonObject[]) => sessionOf(states, events);
const timeOf = ({ timestamp = at(10) }: JsonObject) => String(timestamp);
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;

test('a thread is named, and events give the results of its turns', () => {
  const { title, turns, problems, compactions, status } = session(
    event('thread_name_updated', { name: 'Old' }),
    event('thread_name_updated', { thread_name: 'New' }),
    said('user', 'one'),
    said('assistant', 'done'),
    said('user', 'two'),
    said('user', 'three'),
    event('thread_rolled_back', { num_turns: 1 }),
    event('thread_rolled_back', { num_turns: 1 }),
    event('thread_rolled_back'),
    line('compacted', {}),
    event('error', { message: 'out of\nluck' }),
    event('error'),
    event('turn_aborted'),
    event('turn_aborted', { reason: 'replaced' }),
  );
  expect(title).toBe('New');
  expect(turns.map(({ prompt, status, rolled_back }) => [prompt, status, rolled_back])).toEqual([
    ['one', 'done', undefined],
    ['two', 'interrupted', true],
    ['three', 'interrupted', true],
  ]);
  expect(problems.map(({ kind, text, line }) => [line, kind, text])).toEqual([
    [11, 'error', 'out of'],
    [12, 'error', 'no message'],
    [13, 'interrupted', 'the turn was aborted'],
    [14, 'interrupted', 'the turn was aborted: replaced'],
  ]);
  expect({ compactions, status }).toEqual({ compactions: 1, status: 'interrupted' });
});

test('a prompt may come before the record that begins its turn', () => {
  const { turns } = session(said('user', 'one'), event('task_started'), said('assistant', 'done'));
  expect(turns).toMatchObject([{ prompt: 'one', answer: 'done', status: 'open' }]);
});

test('an answer before any prompt is still the outcome of the session', () => {
  expect(session(said('assistant', 'hello'))).toMatchObject({ turns: [], outcome: 'hello', outcome_line: 1 });
});

const ended = (exit: number | undefined, duration?: JsonObject) =>
  event('exec_command_end', {
    call_id: 'c',
    ...(exit !== undefined && { exit_code: exit }),
    ...(duration && { duration }),
  });
const FAILED = 'Process exited with code 2\nOutput:\nno rule';

test.each<[string, JsonObject[], JsonObject, number]>([
  [
    'its output says it failed',
    [call('c'), output('c', FAILED)],
    { status: 'error', exit_code: 2, error: 'no rule' },
    1,
  ],
  [
    'an event says that it worked after all',
    [call('c'), output('c', FAILED), ended(0, { secs: 2, nanos: 5e8 })],
    { status: 'ok', exit_code: 0, duration_ms: 2500 },
    0,
  ],
  [
    'an event says that it failed, against its output',
    [call('c'), output('c', 'fine'), ended(1, { secs: 3 })],
    { status: 'error', exit_code: 1, duration_ms: 3000 },
    1,
  ],
  [
    'an event says the same again',
    [call('c'), output('c', 'fine'), ended(0)],
    { status: 'ok', exit_code: 0 },
    0,
  ],
  [
    'an event says nothing of its end',
    [call('c'), output('c', 'fine'), ended(undefined)],
    { status: 'ok' },
    0,
  ],
  [
    'an event says how it ended before its output',
    [call('c'), ended(1), output('c', 'fine')],
    { status: 'error', exit_code: 1, error: 'fine' },
    1,
  ],
  [
    'an event says how long it took before its output',
    [
      { ...call('c'), timestamp: '2026-01-01T00:00:00Z' },
      ended(0, { secs: 3 }),
      { ...output('c', 'fine'), timestamp: '2026-01-01T00:00:09Z' },
    ],
    { status: 'ok', exit_code: 0, duration_ms: 3000 },
    0,
  ],
  [
    'an event says how long the program needed to write it down, not the command',
    [
      { ...call('c'), timestamp: '2026-01-01T00:00:00Z' },
      ended(0, { secs: 0, nanos: 5829 }),
      { ...output('c', 'fine'), timestamp: '2026-01-01T00:00:09Z' },
    ],
    { status: 'ok', exit_code: 0, duration_ms: 9000 },
    0,
  ],
  [
    'only its times say how long it took',
    [
      { ...call('c'), timestamp: '2026-01-01T00:00:00Z' },
      { ...output('c', 'fine'), timestamp: '2026-01-01T00:00:09Z' },
    ],
    { status: 'ok', duration_ms: 9000 },
    0,
  ],
  [
    'it was refused, and an event says it failed',
    [call('c'), output('c', 'exec_command failed: Rejected("no")'), ended(1)],
    { status: 'error', exit_code: 1, error: 'exec_command failed: Rejected("no")' },
    1,
  ],
  [
    'a patch was not applied',
    [call('c'), output('c', 'fine'), event('patch_apply_end', { call_id: 'c', success: false })],
    { status: 'error' },
    1,
  ],
  [
    'a patch was applied',
    [call('c'), output('c', 'fine'), event('patch_apply_end', { call_id: 'c', success: true })],
    { status: 'ok' },
    0,
  ],
  [
    'it failed and says nothing',
    [call('c'), output('c', 'Process exited with code 2\nOutput:\n  \n')],
    { status: 'error', exit_code: 2 },
    1,
  ],
  [
    'another call ended',
    [call('c'), event('exec_command_end', { exit_code: 1 }), event('patch_apply_end', { success: false })],
    { status: 'open' },
    0,
  ],
])('how a call ended where %s', (_, events, expected, failed) => {
  const ends = ({ calls }: SessionDocument) =>
    calls.map(({ status, exit_code, duration_ms, error }) => ({ status, exit_code, duration_ms, error }));
  const within = session(said('user', 'go'), ...events);
  expect(ends(within)).toEqual([expected]);
  expect(within.turns.map((turn) => [turn.calls, turn.failed])).toEqual([[1, failed]]);
  expect(ends(session(...events))).toEqual([expected]);
});

const byPerson =
  'exec_command failed for `make`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }';
const declined = (type: string, more: JsonObject) =>
  event(type, { call_id: 'c', status: 'declined', ...more });

test.each<[string, string, JsonObject[], number | undefined]>([
  ['a person', byPerson, [], 9000],
  ['a person, of a long command', byPerson.replaceAll('make', `make ${'x'.repeat(900)}`), [], 9000],
  ['a person, in an older version', 'exec command rejected by user', [], 9000],
  ['a person, of a patch', 'patch rejected by user', [], 9000],
  [
    'a rule',
    'exec_command failed for `make`: CreateProcess { message: "Rejected(\\"not allowed\\")" }',
    [],
    undefined,
  ],
  [
    'a model that reviews calls',
    'This action was rejected due to unacceptable risk.\nReason: no',
    [],
    undefined,
  ],
  ['a person, as an event says too', byPerson, [declined('exec_command_end', { exit_code: -1 })], 9000],
  [
    'a person, as an event of a patch says too',
    'patch rejected by user',
    [declined('patch_apply_end', { success: false })],
    9000,
  ],
  [
    'a person who was asked later',
    byPerson,
    [{ ...event('exec_approval_request', { call_id: 'c' }), timestamp: at(4) }],
    5000,
  ],
])(
  'a call that was refused by %s never ran, and waited as long as a person took',
  (_, text, events, waited) => {
    const records = [
      { ...said('user', 'go'), timestamp: at(0) },
      { ...call('c'), timestamp: at(0) },
      ...events,
      { ...output('c', text), timestamp: at(9) },
    ];
    for (const order of [records, records.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)))]) {
      const { calls, waited_ms } = session(...order);
      expect(calls).toMatchObject([{ status: 'denied' }]);
      expect(calls[0]).not.toHaveProperty('exit_code');
      expect(calls[0]).not.toHaveProperty('duration_ms');
      expect([calls[0]?.waited_ms, waited_ms]).toEqual([waited, waited]);
    }
  },
);

test.each([
  [byPerson, 'rejected by user'],
  [byPerson.replaceAll('make', `make ${'x'.repeat(900)}`), 'rejected by user'],
  [
    'exec_command failed for `rm -rf out`: CreateProcess { message: "Rejected(\\"`rm -rf out` rejected: blocked by policy\\")" }',
    'blocked by policy',
  ],
  [
    'exec_command failed: CreateProcess { message: "Rejected(\\"approval required by policy, but AskForApproval is set to Never\\")" }',
    'approval required by policy, but AskForApproval is set to Never',
  ],
  [
    'This action was rejected due to unacceptable risk.\nReason: no',
    'This action was rejected due to unacceptable risk.',
  ],
])('the reason of a refused call begins with the cause, not with its command: %s', (text, reason) => {
  const { calls } = session(said('user', 'go'), call('c'), output('c', text));
  expect(calls).toMatchObject([{ status: 'denied', error: reason }]);
});

test.each([
  'the text says: exec command rejected by user',
  'Process exited with code 0\nOutput:\npatch rejected by user',
])('a call whose output only has the words of a refusal was not refused: %s', (text) => {
  expect(session(said('user', 'go'), call('c'), output('c', text)).calls).toMatchObject([{ status: 'ok' }]);
});

test.each([
  ['a list of words', { arguments: '{"cmd":["git","status"]}' }, 'git status'],
  ['a shell with a script', { arguments: '{"cmd":["bash","-lc","make all"]}' }, 'make all'],
  ['a shell with a script, in the older form', { arguments: '{"command":["bash","-c","make"]}' }, 'make'],
  ['what is no JSON', { arguments: '{"cmd":' }, '{"cmd":'],
  ['an empty list', { arguments: '{"cmd":[]}' }, '{"cmd":[]}'],
  ['a list of other things', { arguments: '{"cmd":[1]}' }, '{"cmd":[1]}'],
  ['nothing', { arguments: '{}' }, ''],
])('the arguments of a call, if they are %s', (_, given, input) => {
  expect(session(call('c', given)).calls.map((one) => one.input)).toEqual([input]);
});

test('a call that the service runs itself has ended, although no record has its result', () => {
  const { calls } = session(item('web_search_call', { action: { query: 'weather' } }));
  expect(calls).toEqual([
    { line: 1, id: 'line 1', tool: 'web_search', input: 'weather', status: 'ok', result_line: 1 },
  ]);
});

test('a call without an id stays open', () => {
  const { calls, turns } = session(
    said('user', 'go'),
    call(null),
    item('function_call_output', { output: 'x' }),
  );
  expect(calls).toEqual([{ line: 2, tool: 'exec_command', input: 'make', status: 'open' }]);
  expect(turns).toMatchObject([{ calls: 1, failed: 0, status: 'open' }]);
});

test('the files are those in the patches, each counted by its own record', () => {
  const patch = '*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: b.ts\n*** End Patch';
  const { files } = session(
    item('custom_tool_call', { name: 'apply_patch', call_id: 'p', input: patch }),
    event('patch_apply_end', { call_id: 'p', success: true, changes: { 'a.ts': {}, 'b.ts': {} } }),
    event('patch_apply_end', { call_id: 'q', success: true, changes: { 'b.ts': {}, 'c.ts': {} } }),
  );
  expect(files).toEqual([
    { path: 'a.ts', edits: 1, line: 1 },
    { path: 'b.ts', edits: 2, line: 3 },
    { path: 'c.ts', edits: 1, line: 3 },
  ]);
});

test('lists the awaited subagents, and how they ended', () => {
  const { agents } = session(
    call('s', { name: 'spawn_agent' }),
    output('s', '{"agent_id":"a","nickname":"Ada"}'),
    call('t', { name: 'spawn_agent' }),
    output('t', 'no agent is left'),
    call('w', { name: 'wait_agent' }),
    output('w', '{"status":{"a":{"completed":"fine"},"b":"running","c":{},"d":7}}'),
  );
  expect(agents).toEqual([
    { id: 'a', name: 'Ada', status: 'completed', line: 1 },
    { id: 'b', status: 'running', line: 6 },
  ]);
});

test('a prompt in both an item and an event counts once', () => {
  const prompts = (...events: JsonObject[]) => session(...events).turns.map(({ prompt }) => prompt);
  const told = (message: string) => event('user_message', { message });
  expect(prompts(said('user', 'a'), told('a'))).toEqual(['a']);
  expect(prompts(told('a'), said('user', 'a'))).toEqual(['a']);
  expect(prompts(told('a'), said('user', 'a'), told('a'), said('user', 'a'))).toEqual(['a', 'a']);
  // If events have the prompts, a text that is only in an item was written by the program.
  expect(prompts(told('a'), said('user', 'written by the program'))).toEqual(['a']);
  expect(prompts(said('user', '<environment_context>'), told('a'))).toEqual(['a']);
});

const meta = (id: string, more: JsonObject = {}, seconds?: number) =>
  line('session_meta', { id, ...more }, seconds);
const total = (count: number, seconds?: number) =>
  line(
    'event_msg',
    { type: 'token_count', info: { total_token_usage: { input_tokens: count, total_tokens: count } } },
    seconds,
  );

test('a patch shows the files that it changes first', () => {
  const patch =
    '*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: src/b.ts\n@@\n-y\n+z\n*** End Patch';
  const { calls } = session(
    said('user', 'go'),
    item('custom_tool_call', { call_id: 'c', name: 'apply_patch', input: patch }),
  );
  expect(calls[0]?.input).toMatch(/^a\.ts, src\/b\.ts\b/);
});

test.each([
  [undefined, 'out of luck', [['error', 'out of luck']]],
  ['out of luck', 'out of luck', [['error', 'out of luck']]],
  [
    'too many requests',
    'out of luck',
    [
      ['error', 'out of luck'],
      ['failed turn', 'too many requests'],
    ],
  ],
  ['too many requests', undefined, [['failed turn', 'too many requests']]],
  [undefined, undefined, [['failed turn', 'the turn ended without an answer']]],
] as const)('a turn that failed with %s after the error %s has the reasons %j', (why, before, reasons) => {
  const error = before === undefined ? [] : [event('error', { message: before })];
  const end = event('task_complete', {
    last_agent_message: null,
    ...(why !== undefined && { error: { message: why } }),
  });
  const begin = [event('task_started'), said('user', 'go')];
  const { problems, status } = session(...begin, ...error, event('token_count'), end);
  expect(problems.map(({ kind, text }) => [kind, text])).toEqual(reasons);
  expect(status).toBe('error');
  // The agent went on after the error, so it is not the reason.
  for (const work of [call('a'), said('assistant', 'again')])
    expect(session(...begin, ...error, work, end).problems).toHaveLength(error.length + 1);
  const spans = codex.spans?.();
  const failed = [...begin, ...error, end].flatMap((one, at) => {
    const span = spans?.span(one, at + 1);
    return span?.status === 'error' && !span.isEcho ? [span.name] : [];
  });
  expect(failed).toEqual(reasons.map(([kind]) => (kind === 'error' ? kind : 'task_complete')));
});

test('an error is the end of its turn, unless the turn went on or ended otherwise', () => {
  const begin = [event('task_started'), said('user', 'go')];
  const error = event('error', { message: 'stream disconnected: Rate limit reached' });
  const statusOf = (...events: JsonObject[]) => session(...begin, ...events).status;
  expect(statusOf(call('a'), error)).toBe('error');
  expect(statusOf(error, said('developer', 'more rules'))).toBe('error');
  expect(statusOf(error, call('a'))).toBe('open');
  expect(statusOf(error, said('assistant', 'again'))).toBe('open');
  expect(
    statusOf(error, said('assistant', 'done'), event('task_complete', { last_agent_message: 'done' })),
  ).toBe('done');
  expect(statusOf(error, event('task_started'), said('user', 'again'))).toBe('open');
});

test('records copied from another thread are not counted', () => {
  const fork = (seconds?: number) =>
    session(meta('b', {}, 0), meta('a', {}, seconds), total(100, seconds), total(130, 60));
  expect(fork(0)).toMatchObject({
    session: { id: 'b', copied_from: 'a', forked_from: 'a' },
    tokens: { unknown: { responses: 1, ...NO_TOKENS, input: 30 } },
  });
  // Without a time the end of the copy is unknown.
  expect(fork()).toMatchObject({ tokens: { unknown: { responses: 2, ...NO_TOKENS, input: 130 } } });
});

test('a total that begins again is added to the one before it, even if it has the same number', () => {
  const nothing = line('event_msg', { type: 'token_count', info: null });
  const task = (text: string) => event('user_message', { message: text });
  const restarted = session(nothing, task('a'), total(10), nothing, task('b'), total(10), total(25));
  expect(restarted.total_tokens).toBe(35);
  expect(session(task('a'), total(10), task('b'), total(10), total(25)).total_tokens).toBe(25);
});

test('a total that goes on after an event without one is not added again', () => {
  const nothing = line('event_msg', { type: 'token_count', info: null });
  const counted = (count: number, last: number) =>
    line('event_msg', {
      type: 'token_count',
      info: {
        total_token_usage: { input_tokens: count, total_tokens: count },
        last_token_usage: { input_tokens: last, total_tokens: last },
      },
    });
  const tokens = (...records: Parameters<typeof session>) => session(...records).total_tokens;
  expect(tokens(counted(10, 10), nothing, counted(25, 15), nothing, nothing, counted(25, 15))).toBe(25);
  expect(tokens(nothing, counted(10, 10), counted(25, 15), nothing, counted(30, 30))).toBe(55);
  // What was counted before its last request is less than the total before.
  expect(tokens(counted(10, 10), counted(25, 15), nothing, counted(20, 8))).toBe(45);
});

test('a subagent that begins with the history of its parent is not a fork of it', () => {
  const source = { subagent: { thread_spawn: { parent_thread_id: 'a', agent_nickname: 'Ada' } } };
  expect(session(meta('b', { source }, 0), meta('a', {}, 0)).session).toEqual({
    id: 'b',
    copied_from: 'a',
    subagent_of: 'a',
    nickname: 'Ada',
  });
});

test('statistics count the totals of a thread without a name separately', () => {
  const reader = new RolloutReader();
  reader.add(total(7), 1);
  expect(reader.entries()).toEqual([
    { key: 'unknown unknown', model: 'unknown', tokens: { ...NO_TOKENS, input: 7 }, answers: 1, above: 0 },
  ]);
});

test('a timeline shows calls where they ended, and turns that were aborted', () => {
  const spans = codex.spans?.();
  const shown = [
    call('c'),
    output('c', FAILED),
    output('d', 'fine'),
    call('e'),
    output('e', 'fine'),
    event('turn_aborted', { reason: 'interrupted' }),
    event('task_started'),
  ].map((one, index) => spans?.span({ ...one, ...(index !== 3 && { timestamp: `t${index}` }) }));
  expect(shown).toEqual([
    { name: '', start: 't0' },
    {
      name: 'exec_command',
      start: 't0',
      end: 't1',
      status: 'error',
      reason: 'no rule',
      operation: { kind: 'tool', tool: 'exec_command', callId: 'c', input: 'make' },
    },
    { name: 'result', start: 't2', status: 'ok' },
    { name: '' },
    {
      name: 'exec_command',
      start: 't4',
      end: 't4',
      status: 'ok',
      operation: { kind: 'tool', tool: 'exec_command', callId: 'e' },
    },
    { name: 'turn_aborted', start: 't5', status: 'veto', reason: 'interrupted' },
    { name: '', start: 't6' },
  ]);
});

test.each<[string, JsonObject, object]>([
  ['a call', call('c'), { KIND: 'call', TOOL: 'exec_command', DETAIL: 'make' }],
  [
    'a call without a name',
    item('local_shell_call', { call_id: 'c', action: { command: ['ls', '-l'] } }),
    { KIND: 'call', TOOL: 'local_shell', DETAIL: 'ls -l' },
  ],
  [
    'an output that says no exit code',
    output('c', 'aborted by user after 3 s'),
    { KIND: 'result', DETAIL: 'interrupted aborted by user after 3 s' },
  ],
  [
    'an output that is one block without a text',
    output('c', [{ type: 'image' }]),
    { KIND: 'result', DETAIL: '' },
  ],
  [
    'an output that is an object',
    output('c', { success: true }),
    { KIND: 'result', DETAIL: '{"success":true}' },
  ],
  ['no output', item('function_call_output', { call_id: 'c' }), { KIND: 'result', DETAIL: '' }],
  [
    'what an agent says to another',
    item('agent_message', { message: 'x' }),
    { KIND: 'answer', DETAIL: 'response_item/agent_message' },
  ],
  [
    'an item that is completed',
    event('item_completed', { item: {} }),
    { KIND: 'double', DETAIL: 'item_completed item' },
  ],
  [
    'a total',
    event('token_count', { info: { total_token_usage: { total_tokens: 5 } } }),
    { KIND: 'usage', DETAIL: 'token_count 5 tokens in total' },
  ],
  ['no total', event('token_count'), { KIND: 'usage', DETAIL: 'token_count' }],
  [
    'a record of use',
    line('token_usage_record', { thread_token_usage: { total_tokens: 5 } }),
    { KIND: 'usage', DETAIL: '5 tokens in total' },
  ],
  ['a record of no use', line('token_usage_record', {}), { KIND: 'usage', DETAIL: 'token_usage_record' }],
  ['a state of the older form', { record_type: 'state' }, { KIND: 'meta', DETAIL: 'state' }],
  ['one of no kind', { record_type: 7 }, { KIND: 'meta', DETAIL: '' }],
  ['one whose type is not a text', { type: 7, payload: {} }, { KIND: 'meta', DETAIL: '' }],
])('a table of events shows of %s what it is', (_, record, expected) => {
  expect(cellsOf(codex, record)).toEqual({ ORD: '', TOOL: '', ...expected });
});

test('a rollout is recognised by the form of a line, with or without its head', () => {
  const detects = (record: JsonObject) => codex.detect({ fileName: 'x.jsonl', records: [record] });
  const stamped = { timestamp: '2026-01-01T00:00:00Z' };
  expect(detects({ ...event('task_started'), ...stamped })).toBe(true);
  expect(detects({ ...line('event_msg', {}), ...stamped })).toBe(false);
  expect(detects({ ...line('turn_context', {}), ...stamped })).toBe(true);
  expect(detects({ ...line('turn_context', {}), timestamp: 'now' })).toBe(false);
  expect(detects({ ...line('turn_context', {}), ...stamped, more: 1 })).toBe(false);
});

test('the frame of an output ends with its first line "Output:"', () => {
  const parts = fc.array(fc.constantFrom('Output:\n', 'Output:', '\n', 'Wall: 1', ' '));
  fc.assert(
    fc.property(parts, (some) => {
      const text = some.join('');
      const lines = text.split('\n');
      const end = lines.slice(0, -1).indexOf('Output:');
      expect(withoutFrame(text)).toBe(end === -1 ? text : lines.slice(end + 1).join('\n'));
    }),
  );
});

test.each([
  ['Wall time: 4.3 seconds\naborted by user', 'aborted by user'],
  ['Wall time: 4.3 seconds', ''],
  ['Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno such file', 'no such file'],
  ['Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 1\n\nno such file', 'no such file'],
  ['Process exited with code 1\nOutput:\nTotal output lines: 400\n\nno such file', 'no such file'],
  ['Process exited with code 1\nOutput:\nExit code: 2\nof the script', 'Exit code: 2\nof the script'],
  ['it took a while\nWall time: 1 second', 'it took a while\nWall time: 1 second'],
])('what a command said in "%s" is "%s"', (text, said) => {
  expect(withoutFrame(text)).toBe(said);
});

test('a turn that only compacted the conversation did not fail, and one that compacted before it should answer did', () => {
  const end = event('task_complete', { last_agent_message: null });
  const compaction = [event('task_started'), line('compacted', {}), event('context_compacted'), end];
  const answered = [
    event('task_started'),
    said('user', 'one'),
    said('assistant', 'done'),
    event('task_complete', { last_agent_message: 'done' }),
  ];
  const failedIn = (...events: JsonObject[]) => {
    const { problems, status, turns } = session(...events);
    const spans = codex.spans?.();
    const failed = events.flatMap((one, index) => (spans?.span(one).status === 'error' ? [index + 1] : []));
    expect(problems.map(({ line }) => line)).toEqual(failed);
    expect(status).toBe(failed.length > 0 ? 'error' : 'done');
    return { failed, lacks: turns[0]?.lacks };
  };
  expect(failedIn(...answered, ...compaction)).toEqual({ failed: [], lacks: { requests: 1 } });
  const counted = event('token_count', {
    info: { total_token_usage: { input_tokens: 9, total_tokens: 9 }, last_token_usage: { input_tokens: 9 } },
  });
  const withTokens = compaction.toSpliced(1, 0, counted);
  expect(failedIn(...answered, ...withTokens)).toEqual({ failed: [], lacks: undefined });
  // The program compacted in a turn that has a prompt, a call or an error.
  const asked = [event('task_started'), said('user', 'two'), line('compacted', {}), end];
  expect(failedIn(...answered, ...asked).failed).toEqual([8]);
  expect(failedIn(...answered, said('user', 'two'), ...compaction).failed).toEqual([9]);
  expect(failedIn(...answered, ...compaction.toSpliced(2, 0, call('c1'))).failed).toEqual([9]);
  const failing = event('task_complete', { last_agent_message: null, error: { message: 'no network' } });
  expect(failedIn(...answered, ...compaction.with(3, failing)).failed).toEqual([8]);
});
