import { expect, test } from 'vitest';
import type { EventSpan } from '../../src/dialects/kit/account.ts';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { type CompleteSpan, spanOfEvent } from '../../src/read/describe/span.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { writeTree } from '../support/temp.ts';

interface OtlpSpan {
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

const BEGAN = '2026-04-01T10:00:00.900Z';
const ENDED = '2026-04-01T10:00:01.000Z';

const envelope = (sequence: number, timestamp: string) => ({
  streamId: 'f',
  sequence,
  timestamp,
  schemaVersion: '1.0',
});

/** One call of 100 ms as each format writes it: an event with a duration comes when the work is over. */
const CALLS: readonly (readonly [string, string, readonly object[], slowest: object])[] = [
  [
    'exarchos',
    'f.events.jsonl',
    [
      { ...envelope(1, BEGAN), type: 'tool.invoked', data: { tool: 'view' } },
      {
        ...envelope(2, ENDED),
        type: 'tool.completed',
        data: { tool: 'view', durationMs: 100, responseBytes: 1, tokenEstimate: 1 },
      },
    ],
    { line: 1, resultLine: 2 },
  ],
  [
    'coordinator',
    'event-log.jsonl',
    [
      {
        timestamp: BEGAN,
        sequence: 1,
        session_id: 's',
        event_type: 'session_start',
        agent_id: null,
        task_id: null,
        details: { plan_file: 'p', total_tasks: 1 },
      },
      {
        timestamp: ENDED,
        sequence: 2,
        session_id: 's',
        event_type: 'expert_complete',
        agent_id: 'a',
        task_id: 't',
        details: { run_id: 'r', duration_seconds: 0.1 },
      },
    ],
    { line: 2 },
  ],
  [
    'generic',
    'app.jsonl',
    [
      { time: BEGAN, type: 'begin' },
      { time: ENDED, type: 'request', duration_ms: 100 },
    ],
    { line: 2 },
  ],
];

test.each(CALLS)(
  '%s: timeline, export and show agree that a call ended at its timestamp',
  async (dialect, name, events, slowest) => {
    const log = `${writeTree({ [name]: events.map((event) => `${JSON.stringify(event)}\n`).join('') })}/${name}`;
    const options = ['--dialect', dialect];
    const timeline = await runHere(['timeline', log, '--records', '-j', ...options]);
    const spans = timeline.stdout
      .trim()
      .split('\n')
      .map((line) => outputIn(line) as object)
      .filter((row) => 'line' in row);
    expect(spans.at(-1)).toMatchObject({ start: BEGAN, end: ENDED, durationMs: 100 });

    const otlp = await runHere(['export', log, '--format', 'otlp', ...options]);
    const { resourceSpans } = JSON.parse(otlp.stdout) as {
      resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
    };
    const sent = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    const nanos = (time: string) => `${Date.parse(time)}000000`;
    expect(sent.at(-1)).toMatchObject({ startTimeUnixNano: nanos(BEGAN), endTimeUnixNano: nanos(ENDED) });
    expect(sent[0]).toMatchObject({ startTimeUnixNano: nanos(BEGAN), endTimeUnixNano: nanos(ENDED) });
    expect(sent.filter((span) => span.name.startsWith('execute_tool')).length).toBeLessThanOrEqual(1);

    const chrome = await runHere(['export', log, '--format', 'chrome', ...options]);
    const { traceEvents } = JSON.parse(chrome.stdout) as {
      traceEvents: { ph: string; ts?: number; dur?: number }[];
    };
    expect(traceEvents.filter(({ ph }) => ph === 'X').at(-1)).toMatchObject({
      ts: Date.parse(BEGAN) * 1000,
      dur: 100_000,
    });
    const show = await runHere(['show', log, '-j', ...options]);
    expect(outputIn(show.stdout)).toMatchObject({
      slowest: [{ ...slowest, durationMs: 100 }],
      startedAt: BEGAN,
      endedAt: ENDED,
    });
  },
);

const dialectOf = (span: EventSpan) => ({ ...noesis, span: () => span });

test.each<[string, EventSpan, Partial<CompleteSpan>]>([
  [
    'to the microsecond',
    { name: '', end: ENDED, durationMs: 0.25 },
    { start: '2026-04-01T10:00:00.999750Z', computed: 'start' },
  ],
  ['not before its end', { name: '', end: ENDED, durationMs: -5 }, { start: ENDED }],
  ['not before the year 0', { name: '', end: ENDED, durationMs: 1e15 }, { start: ENDED }],
  ['at its end, if that is all', { name: '', end: ENDED }, { start: ENDED }],
  ['at no time', { name: '', durationMs: 5 }, { start: undefined, durationMs: 5 }],
])('a span starts %s', (_, span, expected) => {
  expect(spanOfEvent(dialectOf(span), {})).toEqual({ ...span, ...expected });
});

test('a noesis event with a duration and one time ends at that time', () => {
  const event = { phase: 'act', timestamp: ENDED, metrics: { duration_ms: 100 } };
  expect(spanOfEvent(noesis, event)).toMatchObject({ start: BEGAN, end: ENDED, durationMs: 100 });
});
