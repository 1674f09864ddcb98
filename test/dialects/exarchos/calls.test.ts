import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runHere } from '../../support/in-process.ts';
import { times } from '../../support/length.ts';
import { tempDir, writeTree } from '../../support/temp.ts';

// The two events of a call are one span: one row of the timeline, one call of the story, of the statistics and of a trace.

interface Call {
  readonly type: 'invoked' | 'completed' | 'errored';
  readonly tool?: string;
  /** Seconds since the start of the log. */
  readonly at?: number;
  readonly ms?: number;
  readonly [member: string]: unknown;
}

const START = Date.UTC(2026, 2, 2, 9);
const timeAt = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

const logOf = (calls: readonly Call[]): string => {
  const lines = calls.map(({ type, tool = 'view', at, ms, ...envelope }, index) =>
    JSON.stringify({
      streamId: 'telemetry',
      sequence: index + 1,
      ...(at !== undefined && { timestamp: timeAt(at) }),
      schemaVersion: '1.0',
      type: `tool.${type}`,
      data: {
        tool,
        ...(ms !== undefined && { durationMs: ms }),
        ...(type === 'errored' && { errorMessage: 'no such file' }),
      },
      ...envelope,
    }),
  );
  const dir = writeTree({ 'telemetry.events.jsonl': lines.map((line) => `${line}\n`).join('') });
  return join(dir, 'telemetry.events.jsonl');
};

const outputOf = async (...args: string[]): Promise<string> => (await runHere(args)).stdout;

interface Row {
  readonly line: number;
  readonly call_line?: number;
  readonly start?: string;
  readonly end?: string;
  readonly duration_ms?: number;
  readonly status: string;
}

const rowsOf = async (log: string, ...options: string[]): Promise<Row[]> =>
  (await outputOf('timeline', log, '-j', ...options))
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

/** The spans of a timeline in short, such as `1-2 ok` for a call on line 1 with its result on line 2. */
const spansOf = async (log: string): Promise<string[]> =>
  (await rowsOf(log)).map(
    ({ line, call_line: call, status }) => `${call === undefined ? '' : `${call}-`}${line} ${status}`,
  );

interface Item {
  readonly kind: string;
  readonly line: number;
  readonly result_line?: number;
  readonly status: string;
}

const callsOf = async (log: string): Promise<string[]> => {
  const { turns } = JSON.parse(await outputOf('read', log, '-j')) as { turns: { items: Item[] }[] };
  return turns
    .flatMap(({ items }) => items)
    .map(
      ({ kind, line, result_line: result, status }) =>
        `${kind} ${line}${result === undefined ? '' : `-${result}`} ${status}`,
    );
};

interface OtlpSpan {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
}

/** The calls in a trace: the line and outcome of each, without the span of the run. */
async function tracedIn(log: string): Promise<{ readonly short: string[]; readonly spans: OtlpSpan[] }> {
  const { resourceSpans } = JSON.parse(await outputOf('export', log, '--format', 'otlp')) as {
    resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
  };
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const of = ({ attributes }: OtlpSpan, wanted: string) => {
    const value = attributes.find(({ key }) => key === wanted)?.value;
    return value?.stringValue ?? value?.intValue;
  };
  const short = spans
    .slice(1)
    .map((span) => `${span.name} ${of(span, 'noesis.line')} ${of(span, 'noesis.outcome')}`);
  return { short, spans };
}

test.each<[string, Call[], string[]]>([
  [
    'a call and its result',
    [
      { type: 'invoked', at: 1 },
      { type: 'completed', at: 2, ms: 900 },
    ],
    ['1-2 ok'],
  ],
  [
    'a call that failed',
    [
      { type: 'invoked', at: 1 },
      { type: 'errored', at: 2, ms: 900 },
    ],
    ['1-2 error'],
  ],
  ['a result without a call', [{ type: 'completed', at: 2, ms: 900 }], ['1 ok']],
  ['a call without a result', [{ type: 'invoked', at: 1 }], ['1 open']],
  [
    'a result that came twice',
    [
      { type: 'invoked', at: 1 },
      { type: 'completed', at: 2 },
      { type: 'completed', at: 2 },
    ],
    ['1-2 ok', '3 ok'],
  ],
  [
    'a call that was begun twice',
    [
      { type: 'invoked', at: 1 },
      { type: 'invoked', at: 5 },
      { type: 'completed', at: 6, ms: 1000 },
    ],
    ['1 open', '2-3 ok'],
  ],
  [
    'a result before its call',
    [
      { type: 'completed', at: 2, ms: 1000 },
      { type: 'invoked', at: 1 },
    ],
    ['1 ok'],
  ],
  [
    'a result before its call, at one time',
    [
      { type: 'completed', at: 2, ms: 0 },
      { type: 'invoked', at: 2 },
    ],
    ['1 ok'],
  ],
  [
    'results before their calls, by their durations',
    [
      { type: 'completed', at: 3, ms: 2000 },
      { type: 'completed', at: 4, ms: 1000 },
      { type: 'invoked', at: 1 },
      { type: 'invoked', at: 2.5 },
      { type: 'invoked', at: 3.5 },
    ],
    ['1 ok', '2 ok', '5 open'],
  ],
  [
    'a result before the next call',
    [
      { type: 'completed', at: 1, ms: 1000 },
      { type: 'invoked', at: 2 },
    ],
    ['1 ok', '2 open'],
  ],
  [
    'calls of different tools at one time',
    [
      { type: 'invoked', tool: 'a', at: 1 },
      { type: 'invoked', tool: 'b', at: 1 },
      { type: 'completed', tool: 'a', at: 2 },
      { type: 'completed', tool: 'b', at: 3 },
    ],
    ['1-3 ok', '2-4 ok'],
  ],
  [
    'calls of one tool at one time, by their durations',
    [
      { type: 'invoked', at: 1 },
      { type: 'invoked', at: 2 },
      { type: 'completed', at: 3, ms: 1000 },
      { type: 'completed', at: 4, ms: 3000 },
    ],
    ['2-3 ok', '1-4 ok'],
  ],
  [
    'calls of one tool without durations, the first one first',
    [
      { type: 'invoked', at: 1 },
      { type: 'invoked', at: 2 },
      { type: 'completed', at: 3 },
      { type: 'completed', at: 4 },
    ],
    ['1-3 ok', '2-4 ok'],
  ],
  [
    'calls of two agents',
    [
      { type: 'invoked', at: 1, agentId: 'a' },
      { type: 'invoked', at: 2, agentId: 'b' },
      { type: 'completed', at: 3, ms: 1000, agentId: 'a' },
      { type: 'completed', at: 4, ms: 3000, agentId: 'b' },
    ],
    ['1-3 ok', '2-4 ok'],
  ],
  [
    'calls with correlation ids',
    [
      { type: 'invoked', at: 1, correlationId: 'a' },
      { type: 'invoked', at: 1, correlationId: 'b' },
      { type: 'completed', at: 3, correlationId: 'b' },
      { type: 'completed', at: 4, correlationId: 'a' },
    ],
    ['2-3 ok', '1-4 ok'],
  ],
  [
    'a result that names its call',
    [
      { type: 'invoked', at: 1 },
      { type: 'invoked', at: 2 },
      { type: 'completed', at: 3, ms: 2000, causationId: 'telemetry:2' },
      { type: 'completed', at: 4, ms: 2000, causationId: '1' },
    ],
    ['2-3 ok', '1-4 ok'],
  ],
  [
    'calls without times',
    [{ type: 'invoked' }, { type: 'completed' }, { type: 'invoked' }],
    ['1-2 ok', '3 open'],
  ],
])('the spans of %s', async (_, calls, expected) => {
  const log = logOf(calls);
  expect(await spansOf(log)).toEqual(expected);
  await sayTheSame(log, calls);
});

/** Every view of a log has the same calls. */
async function sayTheSame(log: string, calls: readonly Call[]): Promise<void> {
  const rows = await rowsOf(log);
  const inOrder = (texts: readonly string[]) =>
    texts.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const expected = inOrder(
    rows.map(({ line, call_line: call, status }) =>
      call === undefined ? `${line} ${status}` : `${call}-${line} ${status}`,
    ),
  );
  expect(inOrder((await callsOf(log)).map((call) => call.replace('call ', ''))), 'read').toEqual(expected);

  const { short, spans } = await tracedIn(log);
  const byBegin = expected.map((text) => text.replace(/-\d+/, ''));
  expect(inOrder(short.map((call) => call.replace(/^execute_tool \S+ /, ''))), 'otlp').toEqual(byBegin);
  expect(new Set(spans.map(({ spanId }) => spanId)).size, 'otlp: ids').toBe(spans.length);
  expect(spans.filter(({ spanId, parentSpanId }) => spanId === parentSpanId)).toEqual([]);

  const { traceEvents } = JSON.parse(await outputOf('export', log, '--format', 'chrome')) as {
    traceEvents: { ph: string }[];
  };
  expect(traceEvents.filter(({ ph }) => ph === 'X').length, 'chrome').toBe(rows.length);

  const { names, events, groups } = JSON.parse(await outputOf('stats', log, '-j', '--by', 'tool'));
  const counted = Object.values<{ count: number }>(names).map(({ count }) => count);
  expect(
    counted.reduce((sum, count) => sum + count, 0),
    'stats',
  ).toBe(rows.length);
  expect(Object.keys(names).sort(), 'stats: names').toEqual(
    [...new Set(calls.map(({ tool = 'view' }) => tool))].sort(),
  );
  for (const [tool, { calls: ofTool }] of Object.entries<{ calls: { count: number } }>(groups))
    expect(ofTool.count, `stats: ${tool}`).toBe(names[tool].count);
  // Each of the records is still an event.
  expect(events).toBe(calls.length);
}

const call = fc.record(
  {
    type: fc.constantFrom('invoked', 'completed', 'errored'),
    tool: fc.constantFrom('view', 'edit'),
    at: fc.integer({ min: 0, max: 20 }),
    ms: fc.constantFrom(0, 1000, 3000),
    agentId: fc.constantFrom('a', 'b'),
    correlationId: fc.constantFrom('c', 'd'),
    causationId: fc.constantFrom('1', 'telemetry:2', 'x'),
  },
  { requiredKeys: ['type', 'tool'] },
) as fc.Arbitrary<Call>;

test('every view has the same calls, however their events are mixed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 8 }), async (calls) => {
      const log = logOf(calls);
      const rows = await rowsOf(log);
      // Each record is in one span: alone, or as one half of a call.
      const begins = calls.flatMap(({ type }, index) => (type === 'invoked' ? [index + 1] : []));
      for (const { line, call_line: begin } of rows) {
        if (begin === undefined) continue;
        expect(begins).toContain(begin);
        expect(begins).not.toContain(line);
        expect(calls[begin - 1]?.tool).toBe(calls[line - 1]?.tool);
      }
      await sayTheSame(log, calls);
    }),
    { numRuns: times(60, 8) },
  );
});

test('a filter for one of the events of a call shows the call', async () => {
  const log = logOf([
    { type: 'invoked', at: 1 },
    { type: 'completed', at: 2, ms: 900 },
  ]);
  for (const type of ['tool.invoked', 'tool.completed'])
    expect(await rowsOf(log, '-t', type), type).toMatchObject([
      { start: timeAt(1), end: timeAt(2), duration_ms: 900, status: 'ok' },
    ]);
});

test('the parent of what a call caused is the call', async () => {
  const log = logOf([
    { type: 'invoked', tool: 'a', at: 1 },
    { type: 'invoked', tool: 'b', at: 2, causationId: 'telemetry:1' },
    { type: 'completed', tool: 'b', at: 3, causationId: 'telemetry:2' },
    { type: 'completed', tool: 'a', at: 4, causationId: 'telemetry:1' },
  ]);
  const { spans } = await tracedIn(log);
  const named = (name: string) => spans.find((span) => span.name === name);
  expect(named('execute_tool b')?.parentSpanId).toBe(named('execute_tool a')?.spanId);
  expect(named('execute_tool a')?.parentSpanId).toBe(spans[0]?.spanId);
});

test('a slow call is named by its begin and its result', async () => {
  const log = logOf([
    { type: 'invoked', at: 1 },
    { type: 'completed', at: 2, ms: 900 },
  ]);
  expect(JSON.parse(await outputOf('show', log, '-j'))).toMatchObject({
    slowest: [{ line: 1, result_line: 2, duration_ms: 900 }],
  });
});

test('the table of events still has a row for each event', async () => {
  const log = logOf([
    { type: 'invoked', at: 1 },
    { type: 'completed', at: 2, ms: 900 },
  ]);
  const dir = tempDir();
  await runHere(['export', log, '--format', 'ndjson', '-o', dir]);
  const [file = ''] = readdirSync(join(dir, 'events'));
  expect(
    readFileSync(join(dir, 'events', file), 'utf8')
      .trimEnd()
      .split('\n'),
  ).toHaveLength(2);
});
