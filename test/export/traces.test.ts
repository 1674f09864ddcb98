import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DEFAULT_VERIFY_OPTIONS } from '../../src/findings/options.ts';
import { accountOfLog } from '../../src/read/describe/account-of-log.ts';
import { otlpOf } from '../../src/show/export/otlp.ts';
import { episodeRow } from '../../src/show/export/rows.ts';
import { LINE_DIALECTS } from '../dialects/sessions.ts';
import { pebble } from '../dialects/support/pebble/index.ts';
import { EXAMPLES, noesis } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';
import { misfits } from './otlp-messages.ts';

const ROOT = join(EXAMPLES, '.noesis');
const SAMPLES = fileURLToPath(new URL('../samples', import.meta.url));

// The written members. The schema is strict, so that a wrong name fails. All spans are also compared with the messages of the proto.
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const nanos = z.string().regex(/^\d+$/);
const span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.literal(1),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  // There are receivers that refuse a span without its lists or the code of its status.
  events: z.array(z.strictObject({ timeUnixNano: nanos, name: z.string(), attributes })),
  links: z.array(z.never()),
  status: z.strictObject({ code: z.union([z.literal(0), z.literal(2)]), message: z.string().optional() }),
});
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

type OtlpSpan = z.infer<typeof span>;

function spansIn(text: string): OtlpSpan[] {
  const requests = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  for (const one of requests) expect(misfits('ExportTraceServiceRequest', one)).toEqual([]);
  return requests
    .flatMap((one) => request.parse(one).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

const attribute = ({ attributes: all }: OtlpSpan, key: string): unknown =>
  Object.values(all.find((one) => one.key === key)?.value ?? {})[0];

const OTHERS = ['other-dialects/exarchos', 'other-dialects/fishbowl', 'other-dialects/coordinator'].map(
  (name) => join(EXAMPLES, name),
);

describe('noesis export --format otlp', () => {
  test('makes one trace of a run: its spans below their causes, tools and judgements by their conventions', async () => {
    const run = () => noesis(['export', 'latest', '--root', ROOT, '--format', 'otlp']);
    const { code, stdout } = await run();
    expect(code).toBe(0);
    const spans = spansIn(stdout);
    const [root] = spans;
    expect(root && attribute(root, 'gen_ai.operation.name')).toBe('invoke_agent');
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const ids = new Map(spans.map((one) => [one.spanId, one]));
    const byId = new Map(spans.map((one) => [attribute(one, 'noesis.id'), one.spanId]));
    for (const one of spans.slice(1)) {
      expect(ids.has(one.parentSpanId ?? '')).toBe(true);
      const cause = attribute(one, 'noesis.cause');
      expect(one.parentSpanId).toBe(byId.get(cause) ?? root?.spanId);
      expect(BigInt(one.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(one.startTimeUnixNano));
    }
    const tool = spans.find((one) => attribute(one, 'gen_ai.operation.name') === 'execute_tool');
    expect(tool?.name).toBe(`execute_tool ${tool && attribute(tool, 'gen_ai.tool.name')}`);
    const judged = spans.flatMap(({ events }) => events);
    expect(judged.map(({ name }) => name)).toContain('gen_ai.evaluation.result');
    const veto = spans.find((one) => attribute(one, 'noesis.outcome') === 'veto');
    expect(veto?.status.code).toBe(2);
    // A second export is the same trace.
    expect((await run()).stdout).toBe(stdout);
  });

  test('is a request of the proto, whatever real program wrote the log', async () => {
    const seen = new Set<unknown>();
    for (const sample of readdirSync(SAMPLES)) {
      const { stdout } = await runHere(['export', join(SAMPLES, sample), '--format', 'otlp']);
      for (const one of stdout === '' ? [] : spansIn(stdout))
        if (one.parentSpanId === undefined) seen.add(attribute(one, 'noesis.dialect'));
    }
    expect([...seen]).toEqual(expect.arrayContaining([...LINE_DIALECTS]));
  });

  test.each([
    [{ resource_spans: [] }, 'has no resource_spans'],
    [
      { resourceSpans: [{ scopeSpans: [{ spans: [{ kind: 'SPAN_KIND_INTERNAL' }] }] }] },
      'no number of SpanKind',
    ],
    [{ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: '0'.repeat(32) }] }] }] }, 'no id16'],
    [{ resourceSpans: [{ resource: { attributes: [{ key: 'a', value: 'b' }] } }] }, 'no AnyValue'],
    [
      {
        resourceSpans: [
          { resource: { attributes: [{ key: 'a', value: { intValue: '1', boolValue: true } }] } },
        ],
      },
      'oneof',
    ],
  ])('%j would be seen', (wrong, message) => {
    expect(misfits('ExportTraceServiceRequest', wrong).join()).toContain(message);
  });

  test('makes one span per event, in every format', async () => {
    for (const target of OTHERS) {
      const { stdout, code } = await runHere(['export', target, '--format', 'otlp', '--no-records']);
      expect(code).toBe(0);
      const spans = spansIn(stdout);
      const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
      const { summary } = JSON.parse((await runHere(['verify', target, '-j'])).stdout);
      expect(spans.length - roots.length).toBe(summary.events);
      expect(spans.some((one) => attribute(one, 'noesis.record') !== undefined)).toBe(false);
    }
  });
});

test('a run of a format without accounts has a minimal span and row', async () => {
  const log = tempFile('{"stone":"s1","pond":"p"}\n', 'x.pebbles');
  const account = await accountOfLog(log, pebble);
  if ('corruption' in account) throw new Error('the log is whole');
  const run = { episode: 'x', run: undefined, account };
  const opened = {
    target: { name: 'x', log, dir: undefined },
    episode: 'x',
    log,
    dialect: pebble,
    runs: [run],
  };
  const requests: string[] = [];
  const send = async (one: unknown) => void requests.push(JSON.stringify(one));
  await otlpOf(opened, run, { records: false }, send);
  const [root, event] = spansIn(requests.join('\n'));
  expect(root?.attributes.map(({ key }) => key)).toEqual([
    'gen_ai.operation.name',
    'gen_ai.agent.name',
    'gen_ai.conversation.id',
    'noesis.episode',
    'noesis.dialect',
    'noesis.events',
  ]);
  expect(event && attribute(event, 'noesis.untimed')).toBe(true);
  const report = await pebble.verify(opened.target, DEFAULT_VERIFY_OPTIONS);
  expect(episodeRow(run, report, 'pebble').slice(3, 9)).toEqual([
    'pebble',
    undefined,
    'unknown',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a long run is sent in several requests, in the order of its log', async () => {
  const lines = Array.from(
    { length: 50 },
    (_, id) => `${JSON.stringify({ id: `e${id}`, text: 'x'.repeat(60_000) })}\n`,
  );
  const { stdout } = await runHere(['export', tempFile(lines.join(''), 'x.jsonl'), '--format', 'otlp']);
  expect(stdout.trimEnd().split('\n').length).toBeGreaterThan(1);
  const [, ...events] = spansIn(stdout);
  expect(events.map((one) => attribute(one, 'noesis.id'))).toEqual(lines.map((_, id) => `e${id}`));
  // A record that backends would refuse is cut, and says so.
  expect(String(attribute(events[0] as OtlpSpan, 'noesis.record'))).toHaveLength(16 * 1024);
  expect(attribute(events[0] as OtlpSpan, 'noesis.record.cut')).toBe(true);
});

/** A collector that gives the requested answers, and keeps what it received. */
async function collector(
  answers: readonly [status: number, body: string][],
  type = 'application/json',
): Promise<{
  server: Server;
  url: string;
  got: { path: string | undefined; headers: Record<string, unknown>; body: string }[];
}> {
  const got: { path: string | undefined; headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const [status, body] = answers[Math.min(got.length, answers.length - 1)] ?? [200, '{}'];
      got.push({ path: incoming.url, headers: incoming.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { 'retry-after': '0', 'content-type': type }).end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

describe('noesis export --to', () => {
  const send = (url: string, ...more: string[]) =>
    runHere(['export', 'latest', '--root', ROOT, '--format', 'otlp', '--to', url, ...more], {
      env: { OTEL_EXPORTER_OTLP_HEADERS: 'x-from=the%20environment' },
    });

  test('sends to the traces path with headers, and retries on request', async () => {
    const { server, url, got } = await collector([
      [503, 'busy'],
      [429, ''],
      [200, '{}'],
    ]);
    const out = await send(url, '--header', 'authorization=Bearer x=y');
    server.close();
    expect(out).toMatchObject({ code: 0, stdout: '' });
    expect(got).toHaveLength(3);
    expect(got[2]).toMatchObject({
      path: '/v1/traces',
      headers: {
        authorization: 'Bearer x=y',
        'x-from': 'the environment',
        'content-type': 'application/json',
      },
    });
    expect(spansIn(got[2]?.body ?? '').length).toBeGreaterThan(10);
    expect(new Set(got.map(({ body }) => body)).size).toBe(1);
  });

  test.each([
    [[400, 'no such tenant'] as [number, string], 'answered 400 no such tenant'],
    [[200, '{"partialSuccess":{"rejectedSpans":"3"}}'] as [number, string], 'rejected 3 spans'],
  ])('says why a collector refuses: %j', async (answer, message) => {
    const { server, url, got } = await collector([answer]);
    const out = await send(`${url}/custom`);
    server.close();
    expect(out.code).toBe(1);
    expect(out.stderr.replaceAll(/\s+/g, ' ')).toContain(message);
    expect(got.map(({ path }) => path)).toEqual(['/custom']);
  });

  test.each([
    ['text/html', '<html>log in</html>'],
    ['text/html', '{}'],
    ['text/plain', 'OK'],
    ['application/json', '<html>'],
    ['application/json', '[]'],
    ['application/json', 'null'],
    ['application/x-protobuf', '\n\u0002\b\u0003'],
    ['application/json', '{"partialSuccess":{"rejectedSpans":"many"}}', 'rejected some spans'],
    ['application/json', `{"x":"${'x'.repeat(70_000)}"}`],
  ])(
    'refuses responses that are not from a collector: %s',
    async (type, body, why = `answered 200 with ${type}`) => {
      const { server, url } = await collector([[200, body]], type);
      const out = await send(url);
      server.close();
      expect([out.code, out.stderr.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(why)]);
    },
  );

  test.each([
    ['application/json', '{"partialSuccess":{}}'],
    ['application/json; charset=utf-8', '{"partialSuccess":{"rejectedSpans":"0","errorMessage":"slow"}}'],
    ['application/x-protobuf', ''],
    ['text/plain', ''],
  ])('accepts the responses of collectors: %s %s', async (type, body) => {
    const { server, url } = await collector([[200, body]], type);
    const out = await send(url);
    server.close();
    expect(out.code).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])(
    'follows no redirect (%d): the trace and its headers go to no other host',
    async (status) => {
      const other = await collector([[200, '{}']]);
      const server = createServer((incoming, response) => {
        incoming
          .resume()
          .on('end', () => response.writeHead(status, { location: `${other.url}/v1/traces` }).end());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const out = await send(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        '--header',
        'authorization=x',
      );
      server.close();
      other.server.close();
      expect(out.code).toBe(1);
      expect(out.stderr.replaceAll(/\s+/g, ' ')).toContain(
        `it answered ${status}, and redirects are not followed`,
      );
      expect(other.got).toEqual([]);
    },
  );

  test.each([200, 400])('reads at most 64 kB of an endless response (%d)', async (status) => {
    let written = 0;
    const server = createServer((incoming, response) => {
      incoming.resume().on('end', () => {
        response.writeHead(status);
        const more = () => {
          while (!response.destroyed && written < 64 * 1024 * 1024) {
            written += 65536;
            if (!response.write('x'.repeat(65536))) return void response.once('drain', more);
          }
        };
        more();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const out = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    server.close();
    expect(out.code).toBe(1);
    expect(written).toBeLessThan(32 * 1024 * 1024);
    if (status === 400) expect(out.stderr.length).toBeLessThan(2000);
  });

  test.each([
    'http://ann:hunter2@127.0.0.1:9',
    'http://:hunter2@127.0.0.1:9/v1',
    'ftp://ann:hunter2@x',
    'ann:hunter2@x',
    'no?key=hunter2',
  ])('refuses credentials in the URL, and does not show them: %s', async (url) => {
    const out = await send(url);
    expect(out.code).toBe(2);
    expect(out.stdout + out.stderr).not.toContain('hunter2');
  });

  test('does not show the query of a URL', async () => {
    const { server, url, got } = await collector([[200, '{}']]);
    const out = await send(`${url}/v1/traces?key=hunter2`);
    server.close();
    expect([out.code, got[0]?.path]).toEqual([0, '/v1/traces?key=hunter2']);
    expect(out.stderr).toContain('sent 1 request');
    expect(out.stderr).not.toContain('hunter2');
  });

  test.each(['a=%zz', 'x=1,hunter2', '=hunter2', 'a b=hunter2', 'a=x%0ahunter2'])(
    'names a wrong header of the environment without its value: %s',
    async (headers) => {
      const out = await runHere(
        ['export', 'latest', '--root', ROOT, '--format', 'otlp', '--to', 'http://127.0.0.1:9'],
        {
          env: { OTEL_EXPORTER_OTLP_HEADERS: headers },
        },
      );
      expect(out.code).toBe(2);
      expect(out.stderr.replaceAll(/\s+/g, ' ')).toMatch(
        /header \d in OTEL_EXPORTER_OTLP_HEADERS is not written as/,
      );
      expect(out.stderr).not.toContain('hunter2');
    },
  );

  test.each([
    [['--format', 'otlp', '--to', 'nowhere'], 'is not the URL of a collector'],
    [['--format', 'otlp', '--to', 'http://x', '--header', 'a'], 'NAME=VALUE'],
    [['--format', 'chrome', '--to', 'http://x'], 'only traces of --format otlp'],
    [['--format', 'otlp', '--to', 'http://x', '-o', 'f'], 'sent or written'],
    [['--format', 'parquet'], 'tables need a folder'],
    [[], '--format'],
  ])('refuses %j', async (args, message) => {
    const out = await runHere(['export', 'latest', '--root', ROOT, ...args]);
    expect(out.code).toBe(2);
    expect(out.stderr.replaceAll(/\s+/g, ' ')).toContain(message);
  });
});

describe('noesis export --format chrome', () => {
  test('is a document of complete events with threads and arrows', async () => {
    const { stdout } = await runHere(['export', ROOT, '--format', 'chrome']);
    const { traceEvents } = JSON.parse(stdout) as { traceEvents: Record<string, unknown>[] };
    const of = (ph: string) => traceEvents.filter((one) => one['ph'] === ph);
    const { summary } = JSON.parse((await runHere(['verify', ROOT, '-j'])).stdout);
    expect(of('X')).toHaveLength(summary.events);
    expect(new Set(of('X').map(({ pid }) => pid)).size).toBe(4);
    expect(of('s').length).toBe(of('f').length);
    expect(of('s').length).toBeGreaterThan(0);
    for (const { dur } of of('X')) expect(dur).toBeGreaterThanOrEqual(0);
  });

  test('shows events without agents, phases, times or ids, one after the other', async () => {
    const log = tempFile(
      '{"a":1}\n{"id":"x","time":"1970-01-01T00:00:01Z"}\n{"id":"x","parent_id":"x"}\n',
      'x.jsonl',
    );
    const { stdout } = await runHere(['export', log, '--format', 'chrome']);
    const { traceEvents } = JSON.parse(stdout) as { traceEvents: Record<string, unknown>[] };
    const at = { pid: 1, tid: 1 };
    const event = { ph: 'X', name: 'event', cat: 'event', ...at, dur: 0 };
    const flow = { name: 'cause', cat: 'cause', pid: 1, id: '1.2.3', tid: 1, ts: 1e6 };
    expect(traceEvents).toEqual([
      { ph: 'M', name: 'process_name', pid: 1, args: { name: 'x.jsonl' } },
      { ph: 'M', name: 'thread_name', ...at, args: { name: 'events' } },
      { ...event, ts: 1e6, args: { line: 1, outcome: 'ok' } },
      { ...event, ts: 1e6, args: { line: 2, id: 'x', outcome: 'ok' } },
      { ...event, ts: 1e6, args: { line: 3, id: 'x', cause: 'x', outcome: 'ok' } },
      { ph: 's', ...flow },
      { ph: 'f', bp: 'e', ...flow },
    ]);
  });

  test.each(['chrome', 'otlp'])('is not written as %s if every log is damaged', async (format) => {
    const dir = writeTree({
      'a/events.jsonl': '{"phase":"start"}\nnot json\n',
      'b/final.json': '{"episode_id":"b"}',
    });
    const { code, stdout, stderr } = await runHere(['export', dir, '--format', format]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('events.jsonl');
    const output = join(tempDir(), 'trace.json');
    expect((await runHere(['export', dir, '--format', format, '-o', output])).code).toBe(1);
    expect(existsSync(output)).toBe(false);
  });

  test('names a damaged log and leaves it out', async () => {
    const dir = writeTree({
      'a/events.jsonl': '{"phase":"start"}\nnot json\n',
      'b/events.jsonl': '{"phase":"start"}\n',
    });
    const { code, stdout, stderr } = await runHere(['export', dir, '--format', 'chrome']);
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as { traceEvents: unknown[] }).traceEvents.length).toBeGreaterThan(0);
    expect(stderr).toContain('events.jsonl');
  });
});
