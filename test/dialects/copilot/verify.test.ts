import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { copilot } from '../../../src/dialects/sessions/copilot/index.ts';
import { findEpisodes } from '../../../src/find/find.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { times } from '../../support/length.ts';
import { writeTree } from '../../support/temp.ts';
import { brief, verifyEvents } from '../verify-events.ts';

const ID = '6450a846-75cb-4923-8463-392f5c935b8a';
const text = readFileSync(join(SAMPLES, 'copilot/session-state', ID, 'events.jsonl'), 'utf8');
/** The sample without its recorded lengths, which each change of a line would change. */
const plain = text
  .trimEnd()
  .split('\n')
  .map(
    (line) => JSON.parse(line.replace(/"eventsFileSizeBytes":\d+,?/g, '').replace(',}', '}')) as JsonObject,
  );

const found = async (events: readonly unknown[]) => brief(await verifyEvents(copilot.verify, events));
const without = (...lines: number[]) => plain.filter((_, index) => !lines.includes(index + 1));
const changed = (line: number, change: (event: JsonObject) => JsonObject) =>
  plain.map((event, index) => (index + 1 === line ? change(structuredClone(event)) : event));
const lineOf = (type: string, nth = 0) =>
  plain.flatMap((event, index) => (event['type'] === type ? [index + 1] : []))[nth] ?? 0;

test('the sample without its lengths has no finding', async () => {
  expect(await found(plain)).toEqual([]);
});

test('additions of newer versions are at most info', async () => {
  const last = plain.at(-1);
  const event = {
    type: 'session.brand_new',
    data: {},
    id: 'x',
    timestamp: '2026-11-22T09:00:00.000Z',
    parentId: last?.['id'],
  };
  expect(await found([...plain, event])).toEqual(['info event/unknown-type 48']);
  expect(await found([...plain, { ...event, type: 'assistant.message_delta' }])).toEqual([
    'info event/ephemeral 48',
  ]);
  expect(await found(changed(9, (one) => ({ ...one, more: true })))).toEqual([]);
});

test('reports missing members, invalid times and times that go back', async () => {
  expect(await found(changed(9, ({ timestamp: _, ...event }) => event))).toEqual([
    'error event/missing-field 9',
  ]);
  expect(await found(changed(9, ({ parentId: _, ...event }) => event))).toEqual([
    'warn event/missing-field 9',
  ]);
  expect(await found(changed(9, (event) => ({ ...event, timestamp: 'x' })))).toEqual([
    'error event/timestamp 9',
  ]);
  expect(await found(changed(9, (event) => ({ ...event, timestamp: '2026-11-22T08:00:00.000Z' })))).toEqual([
    'warn event/time-order 9',
  ]);
});

test('removed, moved or copied records show in the chain', async () => {
  expect(await found(without(1))).toEqual([
    'warn order/start-not-first 1',
    'info lineage/begins-inside 1',
    'warn session/event-count 34',
  ]);
  const usage = lineOf('session.usage_record', 1);
  expect(await found(without(usage))).toEqual([
    `warn lineage/missing-parent ${usage}`,
    `warn session/event-count ${lineOf('session.resume') - 1}`,
  ]);
  const swapped = [...plain];
  const [a, b] = [swapped[usage - 1], swapped[usage]];
  if (!a || !b) throw new Error('the sample is shorter');
  swapped.splice(usage - 1, 2, b, a);
  expect((await found(swapped)).filter((one) => one.includes('lineage'))).toContain(
    `warn lineage/not-the-previous ${usage + 1}`,
  );
});

test('a length that was taken before the last record was written is not a finding', async () => {
  const end = lineOf('session.shutdown');
  const before = plain.slice(0, end - 1).map((event) => Buffer.byteLength(`${JSON.stringify(event)}\n`));
  const whole = before.reduce((sum, one) => sum + one, 0);
  const without = whole - (before.at(-1) ?? 0);
  const saying = (eventsFileSizeBytes: number) =>
    found(
      changed(end, ({ data, ...event }) => ({ ...event, data: { ...Object(data), eventsFileSizeBytes } })),
    );
  expect([await saying(whole), await saying(without)]).toEqual([[], []]);
  expect(await saying(without - 1)).toEqual([`info session/file-size ${end}`]);
});

test('reports calls without an end, and ends without a beginning', async () => {
  const end = lineOf('tool.execution_complete', 5);
  const start = lineOf('tool.execution_start', 5);
  const broken = await found(without(end));
  expect(broken).toContain(`info tool/unanswered ${start}`);
  const open = await found(plain.slice(0, start));
  expect(open).toEqual([`info tool/open ${start}`]);
  expect(await found(without(start, end))).toContain(
    `info tool/never-started ${lineOf('assistant.message', 5)}`,
  );
  const hook = {
    type: 'hook.end',
    data: { hookInvocationId: 'h' },
    id: 'y',
    timestamp: '2026-11-22T09:00:00.000Z',
    parentId: plain.at(-1)?.['id'],
  };
  expect(await found([...plain, hook])).toEqual(['warn session/orphan-end 48']);
});

/** Events after the start of a session whose parent is the previous one, unless they have another. */
const chain = (...events: JsonObject[]): JsonObject[] =>
  [{ type: 'session.start', data: {}, parentId: null }, ...events].map((event, index) => ({
    data: {},
    id: `e${index + 1}`,
    timestamp: `2026-11-22T09:00:${String(index).padStart(2, '0')}.000Z`,
    parentId: `e${index}`,
    ...event,
  }));
const ASKS = { toolRequests: [{ name: 'no id' }, { toolCallId: 'a' }, { toolCallId: 'b', name: 'view' }] };
const TURN_END = { type: 'assistant.turn_end' };
const begins = (toolCallId: string, toolName?: string) => ({
  type: 'tool.execution_start',
  data: { toolCallId, ...(toolName && { toolName }) },
});

/** Findings with their messages. */
async function told(events: readonly JsonObject[]): Promise<string[]> {
  const { findings } = await verifyEvents(copilot.verify, events);
  return findings.map(({ severity, code, line, message }) => `${severity} ${code} ${line}: ${message}`);
}

test.each<[string, JsonObject[], string[]]>([
  [
    'calls that were requested, but never started',
    [{ type: 'assistant.message', data: ASKS }, TURN_END],
    [
      'info tool/never-started 2: tool (a) was requested, but never started',
      'info tool/never-started 2: view (b) was requested, but never started',
    ],
  ],
  [
    'calls that another program runs',
    [
      { type: 'assistant.message', data: ASKS },
      { type: 'external_tool.requested', data: { toolCallId: 'a', requestId: 'r' } },
      { type: 'external_tool.requested', data: { toolCallId: 'b', requestId: 's' } },
      { type: 'external_tool.completed', data: { requestId: 'r' } },
      TURN_END,
    ],
    [],
  ],
  [
    'a call whose turn is over',
    [begins('a'), TURN_END],
    ['warn tool/unanswered 2: tool (a) has no end, but its turn is over'],
  ],
  [
    'a call whose session was stopped',
    [begins('a', 'view'), { type: 'abort' }, TURN_END],
    ['info tool/unanswered 2: view (a) has no end: the session was stopped or resumed'],
  ],
  [
    'a call with the turn of a subagent',
    [begins('a'), { ...TURN_END, agentId: 'x' }],
    ['info tool/open 2: tool (a) has no end: the log ends before it'],
  ],
  [
    'a record without a parent',
    [{ type: 'abort', parentId: null }],
    ['warn lineage/missing-parent 2: the record has no parent'],
  ],
  [
    'a record whose parent comes after it',
    [
      { type: 'abort', id: 'e3', parentId: 'e2' },
      { type: 'abort', id: 'e2', parentId: 'e1' },
      { type: 'abort', id: 'e4', parentId: 'e3' },
    ],
    [
      'warn lineage/not-the-previous 2: the parent of the record comes after it, on line 3: lines were moved',
      'warn lineage/not-the-previous 3: the parent of the record is not the record before it: lines were moved or inserted',
      'warn lineage/not-the-previous 4: the parent of the record is not the record before it: lines were moved or inserted',
    ],
  ],
  [
    'ends whose starts come after them',
    [
      { type: 'assistant.message', data: { toolRequests: [{ toolCallId: 'a', name: 'view' }] } },
      { type: 'hook.end', data: { hookInvocationId: 'h' } },
      { type: 'tool.execution_complete', data: { toolCallId: 'a' } },
      begins('a', 'view'),
      { type: 'hook.start', data: { hookInvocationId: 'h' } },
      TURN_END,
    ],
    [
      'warn session/orphan-end 3: its hook.start comes after it, on line 6',
      'info tool/never-started 4: view (a) starts after its end, on line 5',
    ],
  ],
  [
    'a record whose parent is a number',
    [{ type: 'abort', parentId: 7 }],
    ['info event/wrong-type 2: parentId must be a string, is a number'],
  ],
  [
    'records that a fork copied from memory',
    [
      { type: 'model.call', parentId: 'elsewhere' },
      { type: 'abort', parentId: 'e1' },
      { type: 'model.call', parentId: 'e3' },
      { type: 'abort', parentId: 'e4' },
    ],
    [],
  ],
  [
    'records that are never stored: the first is named',
    [{ type: 'assistant.message_delta' }, { type: 'session.idle' }],
    ['info event/ephemeral 2: `assistant.message_delta` is never stored'],
  ],
  [
    'a type that is not a text',
    [{ type: 7 }],
    ['info event/wrong-type 2: type must be a string, is a number'],
  ],
  [
    'types that have the names of what every object has',
    [{ type: 'constructor' }, { type: '__proto__' }],
    ['constructor', '__proto__'].map(
      (type, index) =>
        `info event/unknown-type ${index + 2}: \`${type}\` is not a known type: a newer version may have written it`,
    ),
  ],
  [
    'a second session',
    [{ type: 'session.start' }],
    ['warn order/start-not-first 2: a second session begins here'],
  ],
  [
    'a fork whose start is younger than what it copies',
    [{ type: 'session.info', data: { infoType: 'fork' }, timestamp: '2026-11-22T08:00:00.000Z' }],
    [],
  ],
  [
    'another note that is younger than the start',
    [{ type: 'session.info', data: { infoType: 'mcp' }, timestamp: '2026-11-22T08:00:00.000Z' }],
    ['warn event/time-order 2: the record is stamped earlier than the one on line 1'],
  ],
])('%s', async (_, events, expected) => {
  expect(await told(chain(...events))).toEqual(expected);
});

const dataAt = (line: number): JsonObject => (plain[line - 1]?.['data'] ?? {}) as JsonObject;

/** A change of one member of the data of a record. */
const setIn = (line: number, path: readonly string[], value: unknown) =>
  changed(line, (event) => {
    const last = path.at(-1) ?? '';
    const object = path.slice(0, -1).reduce((at, key) => at[key] as JsonObject, event['data'] as JsonObject);
    expect(object).toHaveProperty([last]);
    object[last] = value as JsonObject;
    return event;
  });

test('reports a call that starts with another input or another tool than the answer asks for', async () => {
  const start = lineOf('tool.execution_start');
  const input = dataAt(start)['arguments'] as JsonObject;
  const [name = ''] = Object.keys(input);
  const differs = [`warn session/copy-differs ${start}`];
  expect(await found(setIn(start, ['arguments', name], 'rm -rf /'))).toEqual(differs);
  expect(await found(setIn(start, ['toolName'], 'another'))).toEqual(differs);
  const asked = plain.findIndex(
    ({ type, data }) => type === 'assistant.message' && JSON.stringify(data).includes(JSON.stringify(input)),
  );
  const path = ['toolRequests', '0', 'arguments', name];
  expect(await found(setIn(asked + 1, path, 'rm -rf /'))).toEqual(differs);
});

test('reports an exit code that is not that of the output', async () => {
  const end = plain.findIndex(({ data }) => 'shellExecution' in (data as JsonObject)) + 1;
  expect(await found(setIn(end, ['shellExecution', 'exitCode'], 7))).toEqual([
    `warn session/copy-differs ${end}`,
  ]);
});

test('reports tokens of a request that the totals of the session do not have, and the other way round', async () => {
  const [first, last] = [lineOf('session.shutdown', 0), lineOf('session.shutdown', 1)];
  const totals = [first, last].map((line) => `warn usage/session-total ${line}`);
  const { model } = dataAt(lineOf('session.usage_record'))['usage'] as { model: string };
  for (const name of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens']) {
    expect(await found(setIn(lineOf('session.usage_record'), ['usage', name], 9999))).toEqual(totals);
    const path = ['modelMetrics', model, 'usage', name];
    expect(await found(setIn(last, path, 9999))).toEqual(totals.slice(1));
  }
});

test('reports a folder or workspace of another session, and backups next to the log', async () => {
  const backup = 'torn';
  const hash = createHash('sha256').update(backup).digest('hex');
  const dir = writeTree({
    [`session-state/${ID}/events.jsonl`]: text,
    [`session-state/${ID}/workspace.yaml`]: 'id: other\ncwd: /x\n',
    [`session-state/${ID}/events.jsonl.backup-before-recovery-${hash}`]: backup,
    [`session-state/${ID}/events.jsonl.backup-before-recovery-${'0'.repeat(64)}`]: backup,
    'session-state/flat.jsonl': text,
    'elsewhere/events.jsonl': '{"other":1}\n',
  });
  const episodes = await findEpisodes(join(dir, 'session-state'));
  expect(episodes.map(({ name }) => name).sort()).toEqual([ID, 'flat']);
  const reports = await Promise.all(episodes.map((one) => copilot.verify(one, DEFAULT_VERIFY_OPTIONS)));
  expect(reports.map((report) => [report.episode, brief(report)])).toEqual([
    ['flat', ['warn consistency/session-id 1']],
    [ID, ['warn consistency/session-id 1', 'error artifact/recovered -', 'info artifact/recovered -']],
  ]);
});

test('a workspace without an id, and a folder with the name of a backup, give no findings', async () => {
  const hash = '0'.repeat(64);
  const dir = writeTree({
    [`session-state/${ID}/events.jsonl`]: text,
    [`session-state/${ID}/workspace.yaml`]: 'cwd: /x\n',
    [`session-state/${ID}/events.jsonl.backup-before-recovery-${hash}/x`]: '',
    [`session-state/${ID}/other.jsonl.backup-before-recovery-${hash}`]: 'x',
  });
  const [episode] = await findEpisodes(dir);
  if (episode === undefined) throw new Error('nothing was found');
  expect(brief(await copilot.verify(episode, DEFAULT_VERIFY_OPTIONS))).toEqual([]);
});

test('a log on standard input has no folder to compare it with', async () => {
  const { code, stdout } = await runHere(['verify', '-', '--dialect', 'copilot', '-f', 'json'], {
    input: text,
  });
  expect({ code, ...JSON.parse(stdout).summary }).toMatchObject({
    code: 0,
    events: 47,
    errors: 0,
    warnings: 0,
  });
});

test('no change of a text in a payload raises a finding', async () => {
  const texts = plain.flatMap((event, index) => {
    const data = event['data'] as JsonObject;
    return ['content', 'message', 'summary']
      .filter((key) => typeof data[key] === 'string')
      .map((key) => ({ index, key }));
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.string({ unit: 'binary', maxLength: 60 }),
      async ({ index, key }, value) => {
        const events = structuredClone(plain);
        (events[index]?.['data'] as JsonObject)[key] = value.toWellFormed();
        expect(await found(events)).toEqual([]);
      },
    ),
    { numRuns: times(40, 10) },
  );
});

test('two calls of one answer may have one id: their results come in order', async () => {
  const start = plain.find(({ type }) => type === 'session.start');
  const data = (id: string, more: object) => ({ toolCallId: id, ...more });
  const asks = ['one', 'two'].map((command) => data('f:0', { name: 'bash', arguments: { command } }));
  const starts = ['one', 'two'].map((command) => data('f:0', { toolName: 'bash', arguments: { command } }));
  const ends = ['1', '2'].map((content) => data('f:0', { success: true, result: { content } }));
  const recordsOf = (requests: readonly object[]) =>
    [
      ['user.message', { content: 'go' }],
      ['assistant.turn_start', { turnId: '0' }],
      ['assistant.message', { messageId: 'm1', content: '', toolRequests: requests }],
      ...starts.map((one) => ['tool.execution_start', one] as const),
      ...ends.map((one) => ['tool.execution_complete', one] as const),
      ['assistant.turn_end', { turnId: '0' }],
    ] as const;
  const idOf = (index: number) => `abc00022-0000-4000-8000-00000000000${index}`;
  const logOf = (requests: readonly object[]) => [
    start,
    ...recordsOf(requests).map(([type, given], index) => ({
      type,
      data: given,
      id: idOf(index),
      timestamp: '2999-01-01T00:00:00.000Z',
      parentId: index === 0 ? start?.['id'] : idOf(index - 1),
    })),
  ];
  expect(await found(logOf(asks))).toEqual(['info tool/duplicate-call 6']);
  // The answer asked for one call, and two started.
  expect(await found(logOf(asks.slice(0, 1)))).toEqual([
    'warn tool/duplicate-call 6',
    'warn tool/duplicate-result 8',
  ]);
});
