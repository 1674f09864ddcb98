import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../src/base/time/instant.ts';
import type { TimeOfRun } from '../../src/dialects/kit/account.ts';
import type { Story } from '../../src/dialects/kit/story.ts';
import type { TimelineRow } from '../../src/read/describe/session-timeline.ts';
import type { Span } from '../../src/read/describe/spans.ts';
import type { EpisodeDocument } from '../../src/show/page/page-data.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { sampled } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

const logsBelow = (root: string): [name: string, log: string][] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .sort()
    .map((path) => [relative(join(EXAMPLES, '..'), join(root, path)), join(root, path)]);

const LOGS = [...logsBelow(EXAMPLES), ...logsBelow(SAMPLES)];

/** The lines of acts that only sum up other acts. Statistics do not count them. */
function sumsIn(log: string): Set<number> {
  const lines = readFileSync(log, 'utf8').split('\n');
  return new Set(lines.flatMap((line, index) => (/"synthetic": ?true/.test(line) ? [index + 1] : [])));
}

const linesOf = <T>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => outputIn(line) as T);

/** A span as `timeline -j` prints it. Those of subagents and further files have the lines of their own logs. */
type PrintedSpan = Span & { readonly part?: string };

/** The spans; the totals behind them have no line. */
async function spansOf(log: string, ...options: string[]): Promise<PrintedSpan[]> {
  const rows = linesOf<PrintedSpan>(await outputOf('timeline', log, '--records', '-j', ...options));
  return rows.filter((row) => 'line' in row);
}

async function outputOf(...args: string[]): Promise<string> {
  const { stdout } = await runHere(args);
  return stdout;
}

async function pageOf(log: string): Promise<EpisodeDocument> {
  const html = await outputOf('view', log, '-o', '-');
  const [, base64 = ''] = /id="document">([^<]*)</.exec(html) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString()) as EpisodeDocument;
}

interface ChromeEvent {
  readonly ph: string;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly line: number };
}

interface OtlpSpan {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly intValue?: string } }[];
}

const instant = (time: string): number => parseInstant(time) ?? Number.NaN;

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 0.001;

/** Of what differs, the first ones: a whole log of it is not read. */
const first = (differences: readonly string[]): readonly string[] => differences.slice(0, 5);

describe.each(sampled(LOGS, 40))('%s', (_name, log) => {
  test('has the same spans in every command', async () => {
    const all = await spansOf(log);
    const spans = all.filter(({ part }) => part === undefined);
    if (spans.length === 0) return;
    const byLine = new Map(spans.map((span) => [span.line, span]));
    const differences: string[] = [];
    const compare = (what: string, line: number, got: number | undefined, wanted: number | undefined) => {
      const equal = got === wanted || (got !== undefined && wanted !== undefined && near(got, wanted));
      if (!equal) differences.push(`${what}: line ${line} has ${got}, the timeline ${wanted}`);
    };
    /** The work of a span, or how long it was at most. */
    const workOf = (span: Span | undefined) => span?.durationMs ?? span?.atMostMs;

    const timed = all.filter(({ durationMs }) => durationMs !== undefined);
    const own = timed.filter(({ part }) => part === undefined);
    for (const { line, durationMs } of [...own.slice(0, 2), ...own.slice(-2), ...spans.slice(0, 1)]) {
      const one = outputIn(await outputOf('show', log, `${line}`, '-j'));
      compare('show event', line, one.durationMs, durationMs);
      expect(one.span, `line ${line}`).toEqual(byLine.get(line));
    }

    const shown = outputIn(await outputOf('show', log, '-j'));
    for (const { line, resultLine = line, durationMs } of shown.slowest)
      compare('show', line, durationMs, workOf(byLine.get(resultLine)));

    const story = JSON.parse(await outputOf('read', log, '-j')) as Story;
    const results = new Map<number, number>();
    const calls = story.turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));
    for (const { result_line: line = -1 } of calls) results.set(line, (results.get(line) ?? 0) + 1);
    for (const {
      line,
      result_line: at,
      duration_ms: work,
      at_most_ms: most,
      waited_ms: waited,
      time,
    } of calls) {
      // A record with several results is one row of the timeline.
      if (at === undefined || results.get(at) !== 1) continue;
      // Several writers may put a result before its call.
      const span = byLine.get(Math.max(line, at));
      compare('read', line, work, span?.durationMs);
      compare('read: at most', line, most, span?.atMostMs);
      compare('read: waited', line, waited, span?.waitedMs);
      if (workOf(span) !== undefined && time !== undefined)
        compare('read: start', line, instant(time), instant(span?.start ?? ''));
    }

    const { table } = await pageOf(log);
    const once = new Set(
      table.line.filter((line, index, all) => line !== all[index - 1] && line !== all[index + 1]),
    );
    for (const [index, line] of table.line.entries()) {
      // A damaged line may have several rows: itself, and the whole records on it.
      if (!once.has(line)) continue;
      const span = byLine.get(line);
      if (span === undefined) continue;
      const { waited_ms: waited, at_most_ms: most } = table.waits[index] ?? {};
      compare('page', line, table.took[index] ?? undefined, span.durationMs);
      compare('page: at most', line, most, span.atMostMs);
      compare('page: waited', line, waited, span.waitedMs);
      const start = table.start[index];
      const at = start === null || start === undefined ? undefined : table.base + start;
      compare('page: start', line, at, span.start === undefined ? undefined : instant(span.start));
    }

    const statistics = outputIn(await outputOf('stats', log, '-j'));
    const sums = sumsIn(log);
    for (const [name, { max }] of Object.entries<{ max?: number }>(statistics.names)) {
      const took = timed
        .filter((span) => span.name === name && !sums.has(span.line))
        .map(({ durationMs }) => durationMs as number);
      // A record with several calls has one span, so that of another call is only in the story.
      took.push(...calls.flatMap((call) => (call.tool === name ? (call.duration_ms ?? []) : [])));
      if (max !== undefined) compare(`stats of ${name}`, 0, max, Math.max(...took));
    }

    const traced = await runHere(['export', log, '--format', 'chrome']);
    if (traced.code === 0) {
      const { traceEvents } = JSON.parse(traced.stdout) as { traceEvents: ChromeEvent[] };
      for (const { ph, ts, dur, args } of traceEvents) {
        const span = byLine.get(args?.line);
        if (ph !== 'X' || span?.start === undefined) continue;
        compare('chrome: start', span.line, ts / 1000, instant(span.start) + (span.waitedMs ?? 0));
        compare('chrome', span.line, dur / 1000, workOf(span) ?? 0);
      }
      const otlp = linesOf<{ resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }>(
        await outputOf('export', log, '--format', 'otlp'),
      );
      for (const { startTimeUnixNano, endTimeUnixNano, attributes } of otlp.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
      )) {
        const { intValue } = attributes.find(({ key }) => key === 'noesis.line')?.value ?? {};
        const span = byLine.get(Number(intValue));
        if (span?.start === undefined) continue;
        const [from, to] = [BigInt(startTimeUnixNano), BigInt(endTimeUnixNano)];
        compare(
          'otlp: start',
          span.line,
          Number(from / 1000n) / 1000,
          instant(span.start) + (span.waitedMs ?? 0),
        );
        compare('otlp', span.line, Number(to - from) / 1e6, workOf(span) ?? 0);
      }
    }
    expect(first(differences)).toEqual([]);
  });
});

/** A call by its line and that of its result, as commands name it. */
interface Place {
  readonly line: number;
  readonly resultLine?: number;
}

test.each(sampled(LOGS, 40))('every command names the calls of %s by the same lines', async (_name, log) => {
  const read = await runHere(['read', log, '-j']);
  if (read.stdout === '') return;
  const story = JSON.parse(read.stdout) as Story;
  const calls = story.turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));
  const textOf = ({ line, resultLine }: Place) =>
    resultLine === undefined ? `${line}` : `${line}, result ${resultLine}`;
  const known = new Set(
    calls.map(({ line, result_line: resultLine }) =>
      textOf(resultLine === undefined || resultLine === line ? { line } : { line, resultLine }),
    ),
  );
  const shown = outputIn(await outputOf('show', log, '-j'));
  const { failed } = outputIn(await outputOf('stats', log, '-j', '--partial'));
  const reasons: (Place & { readonly kind: string })[] = [
    ...(shown.why ?? []),
    ...(shown.onTheWay ?? []),
  ].filter(({ kind }) => / call$|^no result$|^failed act$/.test(kind));
  const results: Place[] = [...shown.slowest, ...failed].filter(({ resultLine }) => resultLine !== undefined);
  expect([...reasons, ...results].map(textOf).filter((place) => !known.has(place))).toEqual([]);
  // A file is named with the line of the call that wrote it, not of its result.
  const lines = new Set(calls.map(({ line }) => line));
  const onlyResults = new Set(
    calls.map(({ result_line: line }) => line).filter((line) => !lines.has(line ?? 0)),
  );
  const files: (Place & { readonly part?: string })[] = shown.files ?? [];
  expect(files.filter(({ line, part }) => part === undefined && onlyResults.has(line))).toEqual([]);
  // The span of a result is on its line, and names that of the call.
  const spans = (await spansOf(log)).flatMap(({ line, callLine, part }) =>
    callLine === undefined || part !== undefined ? [] : [textOf({ line: callLine, resultLine: line })],
  );
  expect(spans.filter((place) => !known.has(place))).toEqual([]);
});

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

/** A rollout whose program says that its command took 3 of the 9 seconds. */
function rollout(): string {
  const record = (second: number, type: string, payload: object) =>
    JSON.stringify({ timestamp: at(second), type, payload });
  const lines = [
    record(0, 'session_meta', { id: 't', cwd: '/', cli_version: '0.128.0' }),
    record(1, 'event_msg', { type: 'user_message', message: 'go' }),
    record(2, 'response_item', {
      type: 'function_call',
      name: 'exec_command',
      call_id: 'c',
      arguments: '{}',
    }),
    record(10, 'event_msg', { type: 'exec_command_end', call_id: 'c', duration: { secs: 3, nanos: 0 } }),
    record(11, 'response_item', { type: 'function_call_output', call_id: 'c', output: 'fine' }),
    record(12, 'response_item', { type: 'function_call_output', call_id: 'c', output: 'fine' }),
  ];
  return tempFile(`${lines.join('\n')}\n`, 'rollout-x.jsonl');
}

test('a duration in the log is that of the call everywhere, and a repeated result ends it once', async () => {
  const log = rollout();
  const call = { name: 'exec_command', start: at(2), end: at(5), durationMs: 3000 };
  const spans = await spansOf(log);
  expect(spans.slice(-2)).toMatchObject([call, { name: 'result', start: at(12) }]);
  expect(spans.at(-1)).not.toHaveProperty('durationMs');
  expect(outputIn(await outputOf('show', log, '5', '-j'))).toMatchObject({ span: call, durationMs: 3000 });
  const { turns } = JSON.parse(await outputOf('read', log, '-j')) as Story;
  expect(turns[0]?.items.at(-1)).toMatchObject({ time: at(2), duration_ms: 3000 });
});

test('a span is the same if a filter leaves out the call', async () => {
  const log = rollout();
  const whole = await spansOf(log);
  expect(await spansOf(log, '-p', 'result')).toEqual(whole.slice(4));
});

test('a result before its call is shown at the call', async () => {
  const record = (second: number, more: object) =>
    JSON.stringify({ timestamp: at(second), sessionId: 's', isSidechain: false, parentUuid: null, ...more });
  const message = (role: string, content: object[]) => ({ type: role, message: { id: 'm', role, content } });
  const result = { type: 'tool_result', tool_use_id: 'c', is_error: true, content: 'no file' };
  const lines = [
    record(0, { uuid: 'a', ...message('user', [{ type: 'text', text: 'go' }]) }),
    record(4, { uuid: 'b', ...message('user', [result]) }),
    record(1, {
      uuid: 'd',
      ...message('assistant', [{ type: 'tool_use', id: 'c', name: 'Read', input: {} }]),
    }),
  ];
  const spans = await spansOf(tempFile(`${lines.join('\n')}\n`, 's.jsonl'));
  expect(spans[2]).toMatchObject({
    name: 'Read',
    start: at(1),
    end: at(4),
    durationMs: 3000,
    status: 'error',
  });
});

type Row = TimelineRow & { readonly part?: string; readonly totals?: { readonly time?: TimeOfRun } };

test.each(sampled(LOGS, 40))(
  'show, read, stats, timeline and the page of %s agree about its time',
  async (_name, log) => {
    const shown = outputIn(await outputOf('show', log, '-j')) as {
      readonly time?: object;
      readonly tools?: readonly { readonly tool: string; readonly tookMs: number }[];
    };
    const rows = linesOf<Row>(await outputOf('timeline', log, '-j'));
    const { time } = shown;
    expect(rows.find(({ totals }) => totals)?.totals?.time).toEqual(time);
    expect(outputIn(JSON.stringify((await pageOf(log)).story.time ?? null)) ?? undefined).toEqual(time);
    if (time === undefined) return;
    expect(outputIn(await outputOf('read', log, '-j')).time).toEqual(time);
    const { waitedMs, idleMs } = time as { readonly waitedMs: number; readonly idleMs: number };
    const counted = outputIn(await outputOf('stats', log, '-j', '--partial'));
    expect(counted.waitedMs ?? 0).toBeCloseTo(waitedMs, 3);
    expect(counted.idleMs ?? 0).toBeCloseTo(idleMs, 3);
    const took = new Map<string, number>();
    for (const { kind, tool = '', durationMs = 0 } of rows)
      if (kind === 'call') took.set(tool, (took.get(tool) ?? 0) + durationMs);
    for (const { tool, tookMs } of shown.tools ?? [])
      expect(took.get(tool) ?? 0, tool).toBeCloseTo(tookMs, 3);
    // What a row took and waited is as long as its bar.
    for (const { line, start, end, durationMs, atMostMs, waitedMs: waited = 0 } of rows)
      if (end !== undefined)
        expect(instant(end) - instant(start ?? ''), `line ${line}`).toBeCloseTo(
          (durationMs ?? atMostMs ?? 0) + waited,
          2,
        );
  },
);
