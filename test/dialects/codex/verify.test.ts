import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { codex } from '../../../src/dialects/sessions/codex/index.ts';
import { findEpisodes } from '../../../src/find/find.ts';
import { verifyEpisode } from '../../../src/library/index.ts';
import { SAMPLES } from '../../support/cli.ts';
import { times } from '../../support/length.ts';
import { writeTree } from '../../support/temp.ts';
import { brief, verifyEvents } from '../verify-events.ts';

const read = (path: string): JsonObject[] =>
  readFileSync(join(SAMPLES, 'codex/sessions/2026/11/22', path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
const plain = read('rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl');
const older = read('rollout-2026-11-22T08-35-41-01a20265-94b7-76a3-be39-f4c28319c6fc.jsonl');

const found = async (events: readonly unknown[]) => brief(await verifyEvents(codex.verify, events));
const without = (events: readonly JsonObject[], line: number) =>
  events.filter((_, index) => index + 1 !== line);
const changed = (line: number, change: (event: JsonObject) => JsonObject) =>
  plain.map((event, index) => (index + 1 === line ? change(structuredClone(event)) : event));

test('additions of newer versions are at most info', async () => {
  const last = { timestamp: '2026-11-22T08:36:00.000Z', ordinal: 51, type: 'brand_new', payload: {} };
  expect(await found([...plain, last])).toEqual(['info event/unknown-type 52']);
  expect(await found(changed(9, (event) => ({ ...event, more: 1 })))).toEqual([]);
});

test('reports missing members, invalid times and times that go back', async () => {
  expect(await found(changed(9, ({ timestamp: _, ...event }) => event))).toEqual([
    'warn event/missing-field 9',
  ]);
  expect(await found(changed(9, (event) => ({ ...event, timestamp: 'now' })))).toEqual([
    'error event/timestamp 9',
  ]);
  expect(await found(changed(9, ({ payload: _, ...event }) => event))).toEqual([
    'error event/missing-field 9',
  ]);
  expect(await found(changed(9, (event) => ({ ...event, timestamp: '2026-11-22T08:35:11.700Z' })))).toEqual([
    'info event/time-order 9',
  ]);
});

test('reports a missing head, and lost lines', async () => {
  expect(await found(without(plain, 1))).toEqual(['warn order/meta-not-first 1']);
  expect(await found(without(plain, 24))).toEqual(['warn tool/unanswered 21', 'info sequence/gap 24']);
  expect(await found(without(older, 12))).toEqual(['error tool/orphan-result 12']);
  expect(await found(without(older, 13))).toEqual(['warn tool/unanswered 12']);
  // The user stopped the call and went on: an old version writes no more than the next prompt.
  const content = [{ type: 'input_text', text: 'and now?' }];
  const prompt = { ...older[12], payload: { type: 'message', role: 'user', content } };
  expect(await found([...older.slice(0, 12), prompt, ...older.slice(13)])).toEqual([
    'info tool/unanswered 12',
  ]);
});

test('two calls of one answer may have one id: their results come in order', async () => {
  const [call, output] = [older[11], older[12]];
  if (!call || !output) throw new Error('the sample is shorter');
  const input = { arguments: '{"command":["bash","-lc","echo two"]}' };
  const other = { ...call, payload: { ...(call['payload'] as JsonObject), ...input } };
  const says = (text: string) => ({
    ...output,
    payload: { ...(output['payload'] as JsonObject), output: text },
  });
  expect(await found([...older.slice(0, 12), other, output, says('two'), ...older.slice(13)])).toEqual([
    'info tool/duplicate-call 13',
  ]);
  // After a result the program asked again, so the first call should have had its result.
  expect(await found([...older.slice(0, 13), other, says('two'), says('three'), ...older.slice(13)])).toEqual(
    ['info tool/duplicate-call 14', 'error tool/duplicate-result 16'],
  );
});

test('reports repeated calls and results, and a result before its call', async () => {
  const call = older[11];
  const output = older[12];
  if (!call || !output) throw new Error('the sample is shorter');
  expect(await found([...older.slice(0, 12), call, ...older.slice(12)])).toEqual([
    'warn event/repeated-record 13',
    'error tool/duplicate-call 13',
  ]);
  expect(await found([...older.slice(0, 13), output, ...older.slice(13)])).toEqual([
    'warn event/repeated-record 14',
    'error tool/duplicate-result 14',
  ]);
  expect(await found([...older.slice(0, 11), output, call, ...older.slice(13)])).toEqual([
    'warn tool/result-first 12',
  ]);
});

test('reports turns without an end, decreasing totals, and the history of another thread', async () => {
  expect(await found(plain.slice(0, -1))).toEqual(['info turn/open 2']);
  const shrunk = changed(50, (event) =>
    JSON.parse(JSON.stringify(event).replace(/"total_tokens":5700/g, '"total_tokens":7')),
  );
  expect(await found(shrunk)).toEqual(['warn usage/total 50']);
  const copied = [
    older[0],
    { ...older[0], payload: { ...(older[0]?.['payload'] as JsonObject), id: 'other' } },
  ];
  expect(await found([...copied, ...older.slice(1)])).toEqual(['info session/copied-history 2']);
});

const USAGE: ReadonlySet<string> = new Set([
  'total_token_usage',
  'last_token_usage',
  'thread_token_usage',
  'usage',
]);

/** Where a record has numbers of tokens: the paths of all counts. */
function countsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === 'number') return USAGE.has(path.at(-2) ?? '') ? [[...path]] : [];
  return value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, inner]) => countsIn(inner, [...path, name]));
}

function add(value: unknown, path: readonly string[], more: number): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return Number(value) + more;
  return { ...(value as JsonObject), [name]: add((value as JsonObject)[name], rest, more) };
}

test.each([
  ['a new version', plain],
  ['an old version', read('rollout-2026-11-22T08-37-29-01a20267-3b5a-7330-8e90-645a845357cd.jsonl')],
])('every changed number of tokens of %s is seen once', async (_, events) => {
  const places = events.flatMap((event, at) => countsIn(event).map((path) => ({ at, path })));
  expect(places.length).toBeGreaterThan(20);
  for (const { at, path } of places)
    for (const more of [1000, 1]) {
      const edited = events.map((event, index) => (index === at ? add(event, path, more) : event));
      const seen = (await found(edited)).filter((one) => /usage|differs/.test(one));
      expect(seen, `${at + 1} ${path.join('.')}`).toEqual([
        expect.stringMatching(/^warn (?:usage\/(?:total|session-total)|session\/copy-differs) /),
      ]);
    }
});

test('a total that the program assumes, and one that begins again, are no contradiction', async () => {
  const at = (second: number, total: JsonObject, last: JsonObject) => ({
    timestamp: `2026-11-22T09:00:0${second}.000Z`,
    type: 'event_msg',
    payload: { type: 'token_count', info: { total_token_usage: total, last_token_usage: last } },
  });
  const counts = (input: number, output: number, total = input + output) => ({
    input_tokens: input,
    output_tokens: output,
    total_tokens: total,
  });
  const told = [
    older[0],
    at(1, counts(100, 10), counts(100, 10)),
    at(2, counts(100, 10), counts(0, 0, 50)),
    at(3, counts(0, 0, 9000), counts(0, 0, 8890)),
    at(4, counts(40, 5, 9045), counts(40, 5)),
    at(5, counts(7, 1), counts(7, 1)),
  ].map((event, index) => ({ ...event, ...(index === 0 && { timestamp: '2026-11-22T09:00:00.000Z' }) }));
  const codes = (await found(told)).filter((one) => one.includes('usage/session-total'));
  expect(codes).toEqual([]);
});

test('totals of a provider that never are input and output are no fault', async () => {
  const counts = (input: number, output: number) => ({
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output + 50 * output,
  });
  const at = (second: number, total: JsonObject, last: JsonObject) => ({
    timestamp: `2026-11-22T09:00:0${second}.000Z`,
    type: 'event_msg',
    payload: { type: 'token_count', info: { total_token_usage: total, last_token_usage: last } },
  });
  const told = [
    { ...older[0], timestamp: '2026-11-22T09:00:00.000Z' },
    at(1, counts(100, 10), counts(100, 10)),
    at(2, counts(300, 30), counts(200, 20)),
  ];
  expect((await found(told)).filter((one) => one.includes('usage'))).toEqual([]);
});

test('the threads of subagents are parts of their parent', async () => {
  const meta = (id: string, source: unknown) =>
    `${JSON.stringify({ timestamp: '2026-11-22T08:35:11.666Z', type: 'session_meta', payload: { id, source } })}\n`;
  const spawn = (parent: string) => ({ subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } });
  const dir = writeTree({
    '2026/11/22/rollout-2026-11-22T08-35-11-aaa.jsonl': meta('aaa', 'exec'),
    '2026/11/22/rollout-2026-11-22T08-35-12-bbb.jsonl': meta('bbb', spawn('aaa')),
    '2026/11/23/rollout-2026-11-23T00-00-00-ccc.jsonl': meta('ccc', spawn('gone')),
  });
  const episodes = await findEpisodes(dir);
  expect(episodes.map(({ name, parts = [] }) => [name, parts.length])).toEqual([
    ['aaa', 1],
    ['ccc', 0],
  ]);
});

test('reports numbers in the wrong order, and announced numbers that are missing', async () => {
  const swapped = [...plain.slice(0, 29), plain[30], plain[29], ...plain.slice(31)];
  expect((await found(swapped)).filter((one) => one.includes('sequence'))).toEqual([
    'info sequence/gap 30',
    'warn sequence/backwards 31',
    'info sequence/gap 32',
  ]);
  const unnumbered = plain.map(({ ordinal: _, ...event }) => event);
  const [first, ...rest] = unnumbered;
  const head = (mode: string) => ({
    ...first,
    payload: { ...(first?.['payload'] as JsonObject), history_mode: mode },
  });
  expect(await found([head('paginated'), ...rest])).toEqual(['warn sequence/missing 1']);
  expect(await found([head('whole'), ...rest])).toEqual([]);
});

test('the last call is open if nothing follows it', async () => {
  expect(await found(older.slice(0, 12))).toEqual(['info tool/open 12']);
});

test('a thread whose parts cannot be read, or are not logs, is intact', async () => {
  const dir = writeTree({
    'a/rollout-aaa.jsonl': '[1]\n',
    'b/rollout-bbb.jsonl': '{"timestamp":',
    'c/rollout-ccc.jsonl/x': '',
  });
  const parts = [
    'a/rollout-aaa.jsonl',
    'b/rollout-bbb.jsonl',
    'c/rollout-ccc.jsonl',
    'd/rollout-ddd.jsonl',
    'e.jsonl',
  ];
  expect(parts.map((part) => codex.partOf?.(join(dir, part)))).toEqual(parts.map(() => undefined));
});

test('no change of a text in a payload raises a finding', async () => {
  const texts = plain.flatMap((event, index) => {
    const { payload } = event;
    const output = (payload as JsonObject)['output'] ?? (payload as JsonObject)['arguments'];
    return typeof output === 'string' ? [index] : [];
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.string({ unit: 'binary', maxLength: 60 }),
      async (index, text) => {
        const events = structuredClone(plain);
        const payload = events[index]?.['payload'] as JsonObject;
        payload['output' in payload ? 'output' : 'arguments'] = text.toWellFormed();
        expect(await found(events)).toEqual([]);
      },
    ),
    { numRuns: times(40, 10) },
  );
});

/** The log with another text in place of each occurrence of one, on one line. */
const reworded = (line: number, text: string, other: string) =>
  changed(line, (event) => JSON.parse(JSON.stringify(event).replaceAll(text, other)) as JsonObject);

test.each([
  ['an answer, as it was shown', 12, 'I will look', 'I will not look', 13],
  ['an answer, in the words of the model', 13, 'I will look', 'I will not look', 13],
  ['a thought, as it was shown', 10, 'the next step', 'nothing', 11],
  ['a thought, in the words of the model', 11, 'the next step', 'nothing', 11],
  ['a command, as it was asked', 30, 'exit 3', 'exit 0', 32],
  ['a command, as it ran', 32, 'exit 3', 'exit 0', 32],
  ['an exit code, as it was recorded', 32, '"exit_code":3', '"exit_code":4', 33],
  ['an exit code, and not the status of the command', 32, '"exit_code":3', '"exit_code":0', 32],
  ['an exit code, as the model got it', 33, 'exited with code 3', 'exited with code 0', 33],
  ['an output, as it was recorded', 32, 'check failed\\n', 'all good\\n', 33],
  ['an output, as the model got it', 33, 'Output:\\ncheck failed', 'Output:\\nall good', 33],
])('finds that only one of two records was changed: %s', async (_, line, text, other, at) => {
  expect(await found(reworded(line, text, other))).toEqual([`warn session/copy-differs ${at}`]);
});

test('accepts an answer of which marks are not shown', async () => {
  const marked = reworded(13, 'I will look', '<memory>line 3</memory>I will look【4†source】');
  expect(await found(marked)).toEqual([]);
});

test.each([
  '22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl',
  '23/rollout-2026-11-23T02-13-13-01a2062d-c8d2-7ce3-a3bd-3c4c7f6dc389.jsonl',
])('two records on one line of %s are two records', async (name) => {
  const lines = readFileSync(join(SAMPLES, 'codex/sessions/2026/11', name), 'utf8')
    .trimEnd()
    .split('\n');
  for (const at of lines.slice(1, -1).keys()) {
    const glued = lines.with(at, `${lines[at]}${lines[at + 1]}`).toSpliced(at + 1, 1);
    const folder = writeTree({ 'rollout.jsonl': `${glued.join('\n')}\n` });
    const { findings } = await verifyEpisode(join(folder, 'rollout.jsonl'));
    const errors = findings
      .filter(({ severity }) => severity === 'error')
      .map(({ code, line }) => [code, line]);
    expect([at, errors]).toEqual([at, [['log/glued-records', at + 1]]]);
  }
});
