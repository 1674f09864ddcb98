import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import type { Story } from '../../../src/dialects/kit/story.ts';
import type { SessionDocument } from '../../../src/dialects/sessions/kit/session.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';

/** Writes records as a log; entries without their own time are a second apart. */
function logOf(records: readonly JsonObject[], name = 'copy.jsonl'): string {
  const log = join(tempDir(), name);
  const lines = records.map((record, index) => {
    const timestamp = `2026-11-23T09:00:${String(index).padStart(2, '0')}.000Z`;
    return `${JSON.stringify({ timestamp, ...record })}\n`;
  });
  writeSettled(log, lines.join(''));
  return log;
}

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await runHere(args)).stdout) as T;
}

async function findingsIn(log: string): Promise<string[]> {
  const { episodes } = await json<{ episodes: { findings: Finding[] }[] }>('verify', log, '-j');
  return episodes.flatMap(({ findings }) =>
    findings.map(({ severity, code, line, message }) => `${severity} ${code} ${line ?? '-'}: ${message}`),
  );
}

const HEADER = { type: 'session', version: 3, id: 's-1', cwd: '/w' };

/** Entries of pi, each the child of the one before it unless it says otherwise. */
const piLog = (...entries: readonly JsonObject[]): JsonObject[] => [
  HEADER,
  ...entries.map((entry, index) => ({
    type: 'message',
    id: `e${index + 1}`,
    parentId: index === 0 ? null : `e${index}`,
    ...entry,
  })),
];
const says = (message: JsonObject): JsonObject => ({ message });
const asks = (text = 'go'): JsonObject => says({ role: 'user', content: [{ type: 'text', text }] });
const answers = (more: JsonObject = {}, ...blocks: readonly JsonObject[]): JsonObject =>
  says({
    role: 'assistant',
    provider: 'p',
    model: 'm',
    content: [{ type: 'text', text: 'done' }, ...blocks],
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10 },
    stopReason: 'stop',
    ...more,
  });
const calls = (id: string, name: string, input: JsonValue = {}): JsonObject => ({
  type: 'toolCall',
  id,
  name,
  arguments: input,
});
const result = (toolCallId: string, toolName: string, more: JsonObject = {}): JsonObject =>
  says({
    role: 'toolResult',
    toolCallId,
    toolName,
    content: [{ type: 'text', text: 'out' }],
    isError: false,
    ...more,
  });

describe('a session of pi', () => {
  test.each<[string, JsonObject[], string[]]>([
    ['with a prompt and its answer has no finding', piLog(asks(), answers()), []],
    [
      'without its header has one finding, about the header',
      piLog(asks(), answers()).slice(1),
      ['warn order/start-not-first 1: the log does not begin with a session header'],
    ],
    [
      'of an unknown type is a note',
      piLog(asks(), { type: 'hat' }, { message: { role: 'bard' } }),
      [
        'info event/unknown-type 3: `hat` is not a known type: a newer version may have written it',
        'info event/unknown-type 4: `message/bard` is not a known type: a newer version may have written it',
      ],
    ],
    [
      'with an answer that lacks its members',
      piLog(asks(), says({ role: 'assistant' })),
      [
        'error event/missing-field 3: message.content is missing',
        'error event/missing-field 3: message.stopReason is missing',
        'error event/missing-field 3: message.usage is missing',
      ],
    ],
    [
      'that goes back in time',
      piLog(asks(), { ...answers(), timestamp: '2020-01-01T00:00:00Z' }),
      ['info event/time-order 3: the record is stamped earlier than the one on line 2'],
    ],
    [
      'whose parent comes later',
      piLog(asks(), { ...answers(), parentId: 'e3' }, { ...answers(), parentId: 'e1' }),
      [
        'warn lineage/forward-cause 3: 1 record comes before its parent: this happens if several writers append, and the graph is still correct',
      ],
    ],
    [
      'that continues another log',
      piLog({ ...result('c', 'read'), parentId: 'gone' }, answers()),
      [
        'info lineage/begins-inside 2: the parent of the first record, gone, is not in this log: the log is the end of a longer one',
      ],
    ],
    [
      'with a second root is reached in part',
      piLog(asks(), answers(), { ...asks(), parentId: null }, answers()),
      ['info session/resume-reach 4: resume loads 2 of 4 parts of the conversation: it names no parent'],
    ],
    [
      'with an entry twice, and its result',
      piLog(asks(), answers({ stopReason: 'toolUse' }, calls('c', 'read')), result('c', 'read'), {
        ...result('c', 'read'),
        id: 'e3',
        parentId: 'e2',
        timestamp: '2026-11-23T09:00:03.000Z',
      }),
      ['warn event/duplicate-id 5: the same record is already on line 4'],
    ],
    [
      'with the result of another tool',
      piLog(asks(), answers({ stopReason: 'toolUse' }, calls('c', 'read')), result('c', 'write')),
      ['warn tool/name 4: the result is of write, but the call c is of read'],
    ],
    [
      'with calls that nobody can answer',
      piLog(
        asks(),
        answers({}, calls('c', 'read'), { type: 'toolCall', name: 'x' }),
        result('', 'read'),
        asks(),
        answers(),
      ),
      ['warn tool/unanswered 3: read (c) has no result, but the conversation continues after it'],
    ],
    [
      'whose call was never begun, because the answer failed',
      piLog(asks(), answers({ stopReason: 'error', errorMessage: 'no power' }, calls('c', 'read')), asks()),
      ['info tool/never-started 3: read (c) has no result: its answer was stopped, so it never ran'],
    ],
    [
      'that left a call on another branch',
      piLog(
        asks(),
        answers({ stopReason: 'toolUse' }, calls('c', 'read')),
        { ...asks(), parentId: 'e1' },
        answers(),
      ),
      ['info tool/unanswered 3: read (c) has no result: its branch ends before it'],
    ],
    [
      'that ends with a call',
      piLog(asks(), answers({ stopReason: 'toolUse' }, calls('c', 'read'))),
      ['info tool/open 3: read (c) has no result: the log ends before it'],
    ],
    [
      'from which a result was removed',
      piLog(asks(), answers({ stopReason: 'toolUse' }, calls('c', 'read')), {
        ...answers(),
        id: 'e4',
        parentId: 'e3',
      }),
      [
        'info tool/unanswered 3: read (c) has no result: a record after it is missing',
        'warn lineage/missing-parent 4: the parent of the record, e3, is not in this log',
        'warn session/resume-reach 4: resume loads 1 of 4 parts of the conversation: its parent e3 is not in the log',
      ],
    ],
    [
      'with a message between a call and its results',
      piLog(
        asks(),
        answers({ stopReason: 'toolUse' }, calls('c', 'read'), calls('d', 'read')),
        { type: 'custom' },
        { type: 'custom_message', content: 'wait' },
        result('c', 'read'),
        result('d', 'read'),
        asks(),
      ),
      ['warn tool/interleaved 5: it comes between the call c and its result on line 6'],
    ],
    [
      'with a result on one branch and a prompt on another',
      piLog(asks(), answers({ stopReason: 'toolUse' }, calls('c', 'read')), asks(), {
        ...result('c', 'read'),
        parentId: 'e2',
      }),
      [],
    ],
    [
      'that names entries that are not there',
      piLog(
        asks(),
        { type: 'label', targetId: 'gone' },
        { type: 'compaction', firstKeptEntryId: 'e3' },
        {
          type: 'branch_summary',
          fromId: 'root',
        },
      ),
      ['warn lineage/unknown-target 3: the log has no entry gone before this one'],
    ],
    [
      'whose tokens do not add up',
      piLog(asks(), answers({ usage: { input: 1, output: 2, totalTokens: 4 } })),
      ['warn usage/total 3: the total is 4 tokens, but its parts add up to 3'],
    ],
    [
      'whose call is in a line that is corrupt is not said to lack it',
      piLog(asks(), result('c', 'read'), {
        type: 'custom',
        parentId: 'gone',
        data: 12345678901234567890n as never,
      }).slice(0, 3),
      ['error tool/orphan-result 3: the log has no call c'],
    ],
  ])('%s', async (_, records, expected) => {
    expect((await findingsIn(logOf(records))).sort()).toEqual(expected);
  });

  test('with another id than its file has is a note', async () => {
    const log = logOf(piLog(asks(), answers()), '2026-11-23T09-00-00-000Z_s-2.jsonl');
    expect(await findingsIn(log)).toEqual([
      'info session/file-name -: the records belong to the session s-1',
    ]);
  });

  test('with a corrupt line gets no finding that the line could explain', async () => {
    const log = logOf(piLog(asks(), result('c', 'read'), { ...answers(), parentId: 'gone' }));
    writeSettled(
      `${log}x.jsonl`,
      `${JSON.stringify({ ...HEADER, timestamp: '2026-11-23T09:00:00Z' })}\n{"type":\n`,
    );
    expect((await findingsIn(`${log}x.jsonl`)).filter((one) => !one.includes('log/'))).toEqual([]);
    expect((await findingsIn(log)).map((one) => one.split(':')[0])).toEqual([
      'error tool/orphan-result 3',
      'warn lineage/missing-parent 4',
      'warn session/resume-reach 4',
    ]);
  });

  test('shows what was typed, changed, stopped, left and spent', async () => {
    const log = logOf([
      { type: 'title', v: 1, title: 'first' },
      ...piLog(
        asks(''),
        answers({ stopReason: 'toolUse' }, calls('a', 'write', { path: 'a.txt', content: 'x\n' })),
        result('a', 'write', { usage: { input: 5, output: 0, totalTokens: 5, cost: { total: 0.5 } } }),
        answers(
          { stopReason: 'toolUse' },
          calls('b', 'edit', { path: 'a.txt', edits: [{ oldText: 'x', newText: 'y' }, { newText: 'z' }] }),
        ),
        result('b', 'edit', { isError: true }),
        says({ role: 'bashExecution', command: 'ls', cancelled: true }),
        { type: 'branch_summary', summary: 'left it', fromId: 'e1' },
        { type: 'title_change', title: 'second' },
        answers({ stopReason: 'error', errorMessage: 'This operation was aborted', content: [] }),
        { type: 'label', label: 'here' },
        { type: 'custom', customType: 'session_exit', data: { kind: 'signal' } },
      ),
    ]);
    const session = await json<SessionDocument>('project', log, '-j');
    expect(session).toMatchObject({
      title: 'second',
      task: '(no text)',
      status: 'interrupted',
      session: { id: 's-1', format: 3, cost_usd: 0.5 },
      files: [{ path: 'a.txt', edits: 1 }],
      problems: [{ kind: 'interrupted', text: 'This operation was aborted' }],
    });
    const { turns } = await json<Story>('read', log, '-j');
    const items = turns.flatMap((turn) => turn.items);
    expect(items.flatMap((item) => (item.kind === 'divider' ? [item.title] : []))).toEqual([
      'command of the user, exit unknown',
      'branch',
      'interrupted',
    ]);
    expect(items.flatMap((item) => (item.kind === 'call' ? (item.changes ?? []) : []))).toMatchObject([
      { path: 'a.txt', kind: 'write', added: 1 },
    ]);
    const { stdout } = await runHere(['events', log], { env: { TZ: 'UTC', COLUMNS: '100' } });
    expect(stdout).toMatch(/write a\.txt\n[\s\S]*ok out\n[\s\S]*! ls\n[\s\S]*left it\n/);
  });

  test('is over if the last record of its branch says so', async () => {
    const statusOf = async (...entries: JsonObject[]) =>
      (await json<SessionDocument>('project', logOf(piLog(...entries)), '-j')).status;
    expect(await statusOf({ type: 'custom' })).toBe('open');
    expect(await statusOf(asks(), answers({ stopReason: 'deferred' }))).toBe('open');
    expect(
      await statusOf(asks(), answers(), { ...asks(), parentId: 'e1' }, { type: 'label', parentId: 'e2' }),
    ).toBe('done');
    expect(await statusOf({ ...asks(), parentId: 'e2' }, { type: 'label', parentId: 'e1' })).toBe('open');
  });
});

test.each<[string, string, JsonObject[]]>([
  ['a session whose head is lost', 'pi', piLog(asks(), answers()).slice(1)],
  ['a session of oh-my-pi', 'pi', [{ type: 'title', v: 1 }, ...piLog({ type: 'custom' })]],
  ['a session with a type that is not a text', 'pi', [...piLog(asks()), { type: { toString: 0 } }]],
  ['a session without ids', 'pi', [HEADER, { type: 'message', ...asks() }]],
  ['a header alone', 'pi', [HEADER]],
  [
    'a stream with messages',
    'generic',
    [HEADER, { type: 'turn_start' }, { type: 'message_end', id: 'm', ...asks() }],
  ],
  ['a log of another program with such a header', 'generic', [HEADER, { type: 'step', id: 'a', text: 'x' }]],
  ['a stream that begins with a header', 'generic', [HEADER, { type: 'agent_start' }]],
  ['a title without a header', 'generic', [{ type: 'title' }, { type: 'custom' }]],
  ['a trace with a header of another program', 'generic', [{ type: 'session', id: 's', harness: 'pi' }]],
])('%s is read as %s', async (_, dialect, records) => {
  expect(await json('list', logOf(records), '-j')).toMatchObject([{ dialect }]);
});

const ENVELOPE = {
  uuid: 'u1',
  parentUuid: null,
  sessionId: 's',
  version: '1.0.0',
  type: 'user',
  timestamp: '2026-11-23T09:00:00.000Z',
};

test.each<[string, string, JsonObject]>([
  ['of Qwen Code', 'qwen', { message: { role: 'user', parts: [{ text: 'x' }] } }],
  ['of Claude Code', 'claude-code', { message: { role: 'user', content: 'x' } }],
  [
    'of Claude Code whose message has parts too',
    'claude-code',
    { message: { role: 'user', content: 'x', parts: [] } },
  ],
])('a record %s is read as %s', async (_, dialect, more) => {
  expect(await json('list', logOf([{ ...ENVELOPE, ...more }]), '-j')).toMatchObject([{ dialect }]);
});

test.each<[string, string, JsonObject[]]>([
  ['a session of Gemini CLI without its head', 'gemini', [{ $set: { lastUpdated: 'x' } }]],
  [
    'its answer alone',
    'gemini',
    [{ id: 'm', timestamp: 't', type: 'gemini', content: 'x', model: 'gemini-2.5-flash' }],
  ],
  ['a log of changes to a database', 'generic', [{ $set: { name: 'Ann' } }]],
  ['a chat', 'generic', [{ id: 'm', timestamp: 't', type: 'user', content: 'x' }]],
])('%s is read as %s', async (_, dialect, records) => {
  const log = join(tempDir(), 'copy.jsonl');
  writeSettled(log, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  expect(await json('list', log, '-j')).toMatchObject([{ dialect }]);
});

/** Records of Qwen Code, each the child of the one before it unless it says otherwise. */
const qwenLog = (...records: readonly JsonObject[]): JsonObject[] =>
  records.map((record, index) => ({
    uuid: `u${index + 1}`,
    parentUuid: index === 0 ? null : `u${index}`,
    sessionId: 's',
    version: '0.24.4',
    type: 'user',
    message: { parts: [{ text: 'go' }] },
    ...record,
  }));
const system = (subtype: string, more: JsonObject = {}): JsonObject => ({
  type: 'system',
  subtype,
  systemPayload: {},
  ...more,
});

describe('a session of Qwen Code', () => {
  test.each<[string, JsonObject[], string[]]>([
    [
      'that was rewound may turn back, and only then',
      qwenLog({}, system('turn_result'), { ...system('rewind'), parentUuid: 'u1' }, { parentUuid: 'u1' }),
      [
        'info lineage/not-the-previous 4: the parent is on line 1, not the previous record: lines were moved or inserted',
      ],
    ],
    [
      'with records of another one',
      qwenLog({}, { sessionId: 't' }, { sessionId: 't' }),
      ['warn session/mixed 2: this record belongs to the session t, but the records before it to s'],
    ],
    [
      'whose tokens do not add up is a note: nobody knows how they are counted',
      qwenLog(
        {},
        {
          type: 'assistant',
          usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 1, totalTokenCount: 9 },
        },
      ),
      ['info usage/total 2: the total is 9 tokens, but its parts add up to 3'],
    ],
    [
      'with a result of two calls',
      qwenLog(
        {},
        { type: 'assistant', message: { parts: [{ functionCall: { id: 'c', name: 'x' } }] } },
        {
          type: 'tool_result',
          toolCallResult: { callId: 'd' },
          message: { parts: [{ functionResponse: { id: 'c' } }] },
        },
      ),
      ['warn tool/two-ids 3: the record names two calls whose result it is: c and d'],
    ],
    [
      'without a uuid and with parts that are of no use',
      qwenLog(
        {},
        { uuid: null, type: 'tool_result', message: { parts: [{}, { functionResponse: { id: 'c' } }] } },
      ),
      [
        'error tool/orphan-result 2: the log has no call c',
        'info event/wrong-type 2: uuid must be a string, is null',
      ],
    ],
  ])('%s', async (_, records, expected) => {
    expect((await findingsIn(logOf(records))).sort()).toEqual(expected);
  });

  test('shows what failed, and how long calls took', async () => {
    const log = logOf(
      qwenLog(
        {},
        { type: 'assistant', model: 'm', message: { parts: [{ functionCall: { id: 'c', args: {} } }] } },
        system('ui_telemetry', {
          systemPayload: { uiEvent: { 'event.name': 'qwen-code.tool_call', call_id: 'c', duration_ms: 7 } },
        }),
        {
          type: 'tool_result',
          toolCallResult: { status: 'error' },
          message: { parts: [{ functionResponse: { id: 'c', response: { error: 'no' } } }] },
        },
        system('ui_telemetry', { systemPayload: { uiEvent: { 'event.name': 'qwen-code.api_error' } } }),
        { type: 'assistant', message: { parts: [{ text: 'so' }] } },
        system('slash_command', { systemPayload: { phase: 'result', rawCommand: '/x' } }),
      ),
    );
    expect(await json<SessionDocument>('project', log, '-j')).toMatchObject({
      status: 'interrupted',
      calls: [{ tool: 'tool', status: 'error', error: 'no', duration_ms: 7 }],
      problems: [
        { kind: 'API error', text: 'no message' },
        { kind: 'interrupted', text: 'the answer was cut off; the log does not say by what' },
      ],
      models: ['m', 'unknown'],
    });
    const { stdout } = await runHere(['events', log, '--failed', '-j']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  });
});
