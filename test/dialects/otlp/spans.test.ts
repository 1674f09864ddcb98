import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { NO_TOKENS } from '../../../src/dialects/kit/tokens.ts';
import { otlp } from '../../../src/dialects/otlp/index.ts';
import { verifySpans } from '../../../src/dialects/otlp/verify.ts';
import { summarize } from '../../../src/find/summary.ts';
import { tempFile } from '../../support/temp.ts';
import { accountOf } from '../account-of.ts';
import { eachRecord, toLog } from '../exarchos/support.ts';
import { verifyEvents, verifyText } from '../verify-events.ts';

const attributes = (given: Readonly<Record<string, string | number | boolean>>): JsonValue =>
  Object.entries(given).map(([key, value]) => {
    const kind = { string: 'stringValue', number: 'intValue', boolean: 'boolValue' }[
      typeof value as 'string'
    ];
    return { key, value: { [kind]: value } };
  });

const idOf = (number: number): string => String(number).padStart(16, '0');

/** A span that began at 08:00:01 and went on for a second; a child of another where it names one. */
const span = (number: number, more: JsonObject = {}): JsonObject => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: idOf(number),
  name: `span ${number}`,
  startTimeUnixNano: '1767254401000000000',
  endTimeUnixNano: '1767254402000000000',
  ...more,
});
const child = (number: number, more: JsonObject = {}) => span(number, { parentSpanId: idOf(1), ...more });
const failed = (number: number, more: JsonObject = {}) => child(number, { status: { code: 2 }, ...more });

const exception = (given: Parameters<typeof attributes>[0]): JsonObject => ({
  events: [{ name: 'log' }, { name: 'exception', attributes: attributes(given) }],
});

test.each<[string, JsonObject, object]>([
  [
    'that went well',
    span(1),
    {
      name: 'span 1',
      start: '2026-01-01T08:00:01.000Z',
      end: '2026-01-01T08:00:02.000Z',
      status: 'ok',
      reason: undefined,
      operation: undefined,
    },
  ],
  [
    'that never ended, nameless',
    { ...span(1), name: '', endTimeUnixNano: '0' },
    { name: '', status: 'open' },
  ],
  [
    'with all its nanoseconds, as a number of older exporters',
    span(1, { startTimeUnixNano: 1767254401, endTimeUnixNano: '1767254402000000001' }),
    { start: '1970-01-01T00:00:01.767254401Z', end: '2026-01-01T08:00:02.000000001Z' },
  ],
  [
    'of the last time there is, and a time beyond it',
    span(1, { startTimeUnixNano: '99999999999999999999', endTimeUnixNano: '100000000000000000000' }),
    { start: '5138-11-16T09:46:39.999999999Z', end: undefined, status: 'open' },
  ],
  [
    'of no time',
    span(1, { startTimeUnixNano: true, endTimeUnixNano: 'noon' }),
    { start: undefined, end: undefined },
  ],
  [
    'that failed, and says why',
    span(1, { status: { code: 'STATUS_CODE_ERROR', message: 'refused' } }),
    { status: 'error', reason: 'refused' },
  ],
  [
    'that failed with an exception',
    { ...failed(2), ...exception({ 'exception.type': 'OSError', 'exception.message': 'no disk' }) },
    { status: 'error', reason: 'no disk' },
  ],
  [
    'that failed with the type of an exception',
    { ...failed(2), ...exception({ 'exception.type': 'OSError' }) },
    { reason: 'OSError' },
  ],
  [
    'that failed with the type of an error',
    failed(2, { attributes: attributes({ 'error.type': 504 }) }),
    { reason: '504' },
  ],
  ['that failed for no reason', failed(2), { status: 'error', reason: undefined }],
  [
    'that calls a tool',
    span(1, { attributes: attributes({ 'gen_ai.tool.name': 'view', 'gen_ai.tool.call.id': 'c1' }) }),
    { operation: { kind: 'tool', tool: 'view', callId: 'c1' } },
  ],
])('a span %s', (_, one, expected) => {
  expect(otlp.span?.(one)).toMatchObject(expected);
});

test('columns and filters say what a span was about', async () => {
  const tool = span(1, {
    attributes: attributes({
      'gen_ai.request.model': 'm',
      'gen_ai.tool.name': 'view',
      'gen_ai.tool.call.arguments': '{"path":"a.ts"}',
      'gen_ai.agent.name': 'ann',
    }),
  });
  const cells = (record: JsonObject) => otlp.columns.map(({ cell }) => cell(record));
  expect(cells(tool)).toEqual(['ok', 'span 1', 'm  view  {"path":"a.ts"}  ann']);
  expect(cells({ resourceSpans: [] })).toEqual(['open', '', 'a request of spans']);
  const values: unknown[] = [];
  await eachRecord(toLog([tool, span(2)]), (record) =>
    values.push(otlp.filters?.map(({ name, value }) => [name, value(record)])),
  );
  expect(values).toEqual([[['tool', 'view']], [['tool', undefined]]]);
});

test('spans keep no state, stored or rebuilt', async () => {
  expect(otlp.stateFile('/x/trace.jsonl')).toBeUndefined();
  await expect(otlp.projector()).rejects.toMatchObject({ code: 'projection-unsupported' });
});

test.each<[string, JsonValue, number | undefined]>([
  ['by resource and scope', { resourceSpans: [{ scopeSpans: [{ spans: [span(1), span(2)] }] }] }, 2],
  [
    'of the protocol before 1.0',
    { resourceSpans: [{ instrumentationLibrarySpans: [{ spans: [span(1)] }] }] },
    1,
  ],
  [
    'with one that is not a span',
    { resourceSpans: [{ scopeSpans: [{ spans: [span(1), 'x'] }] }] },
    undefined,
  ],
  ['without any', { resourceSpans: [7, { scopeSpans: 'x' }, { scopeSpans: [null] }] }, undefined],
  ['of something else', { resourceLogs: [] }, undefined],
  ['that is not an object', 'x', undefined],
])('a request %s', (_, request, count) => {
  expect(otlp.recordsIn?.(request)?.length).toBe(count);
});

test('each span of a request has its resource and its scope', () => {
  const resource = { attributes: attributes({ 'service.name': 'shop' }) };
  const [first] =
    otlp.recordsIn?.({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 's' }, spans: [span(1)] }] }],
    }) ?? [];
  expect(first).toEqual({ resource, scope: { name: 's' }, ...span(1) });
});

const summaryOf = (...spans: JsonObject[]) => {
  const { task, status } = summarize('trace.jsonl', undefined, tempFile(toLog(spans), 'trace.jsonl'));
  return [task, status];
};

test('a list shows the root of a trace, and its status', () => {
  expect(summaryOf(child(2), span(1))).toEqual(['span 1', 'ok']);
  expect(summaryOf(span(1, { status: { code: 2 } }))).toEqual(['span 1', 'failed']);
  expect(summaryOf(child(2))).toEqual([undefined, undefined]);
  expect([otlp.statusTone?.('ok'), otlp.statusTone?.('failed'), otlp.statusTone?.('open')]).toEqual([
    'good',
    'bad',
    undefined,
  ]);
});

test('shows a successful trace with the tokens of its models and its failures', async () => {
  const chat = {
    'gen_ai.response.model': 'm1',
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 7,
    'gen_ai.usage.output_tokens': 'many',
  };
  const account = await accountOf(otlp, [
    child(2, { attributes: attributes(chat) }),
    child(3, { attributes: attributes({ ...chat, 'gen_ai.operation.name': 'invoke_agent' }) }),
    child(4, { attributes: attributes({ 'gen_ai.request.model': 'm2', 'gen_ai.usage.prompt_tokens': '3' }) }),
    child(5, { attributes: attributes({ 'gen_ai.tool.name': 'view' }) }),
    failed(6, { status: { code: 2, message: 'refused' } }),
    { no: 'span' },
    span(1),
  ]);
  expect(account).toEqual({
    task: 'span 1',
    status: 'ok',
    tone: 'good',
    isOver: true,
    why: [{ kind: 'ended', text: 'span 1: ok', tone: 'good', line: 7 }],
    onTheWay: [{ kind: 'span 6', text: 'refused', tone: 'bad', line: 5 }],
    steps: [],
    usage: [
      { model: 'm1', answers: 1, tokens: { ...NO_TOKENS, input: 7 } },
      { model: 'm2', answers: 1, tokens: { ...NO_TOKENS, input: 3 } },
      { model: 'unknown', tool: 'view' },
    ],
  });
});

test.each<[string, JsonObject[], object]>([
  [
    'failed',
    [failed(2), span(1, { status: { code: 2, message: 'out of time' } })],
    {
      status: 'failed',
      tone: 'bad',
      isOver: true,
      why: [
        { kind: 'span 2', text: 'no reason given', line: 1 },
        { kind: 'span 1', text: 'out of time', line: 2 },
      ],
    },
  ],
  [
    'lacks its root',
    [failed(2, { name: '' })],
    { status: 'unknown', isOver: undefined, why: [{ kind: 'span', text: 'no reason given' }] },
  ],
  [
    'never ended, and has a nameless root',
    [span(1, { name: '', endTimeUnixNano: null })],
    { status: 'open', why: [{ kind: 'ended', text: 'the root span: open' }] },
  ],
  [
    'has two roots, of which the earlier one counts',
    [span(1), span(2, { startTimeUnixNano: '1767254400000000000' }), span(3)],
    { task: 'span 2' },
  ],
  ['has a root of no time', [span(1), span(2, { startTimeUnixNano: 'x' })], { task: 'span 2' }],
])('a trace that %s', async (_, spans, expected) => {
  expect(await accountOf(otlp, spans)).toMatchObject(expected);
});

test('of very many failures the last ones are shown', async () => {
  const spans = Array.from({ length: 12 }, (_, index) => failed(index + 2));
  const account = await accountOf(otlp, spans);
  expect(account?.why.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('records that are not spans are ignored, and an invalid start time is reported', async () => {
  const odd = span(1, { startTimeUnixNano: 'noon' });
  const report = await verifyEvents(verifySpans, [{ no: 'span' }, odd, child(2)]);
  expect(report.findings).toMatchObject([
    {
      code: 'event/timestamp',
      line: 2,
      path: 'startTimeUnixNano',
      message: 'startTimeUnixNano is not a number of nanoseconds since 1970',
    },
  ]);
});

test('a missing parent is not reported in a damaged file', async () => {
  const text = toLog([child(2)]);
  const codes = async (log: string) => (await verifyText(verifySpans, log)).findings.map(({ code }) => code);
  expect(await codes(text)).toEqual(['lineage/missing-parent']);
  expect(await codes(`${text}{"torn`)).toEqual(['log/truncated']);
});
