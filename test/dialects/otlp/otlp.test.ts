import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir, tempFile, writeTree } from '../../support/temp.ts';

const EPISODE = join(EXAMPLES, 'signed/ep_01KJPZV2802JY40PMHQ0XAGQMH');
const SPLIT = 'has several records on a line: line N is its record N';

interface Report {
  readonly episodes: readonly {
    readonly dialect: string;
    readonly events: number;
    readonly findings: readonly { severity: string; code: string; line: number }[];
  }[];
}

async function verified(args: readonly string[], input?: string) {
  const { stdout, stderr, code } = await runHere(['verify', ...args, '-j'], { input });
  const [episode] = (JSON.parse(stdout) as Report).episodes;
  const findings = episode?.findings.map(({ severity, code: what, line }) => `${line} ${severity} ${what}`);
  return { code, stderr, dialect: episode?.dialect, events: episode?.events, findings };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const span = (id: string, more: object = {}) => ({
  traceId: TRACE,
  spanId: id,
  name: 'chat m',
  startTimeUnixNano: '1767254400000000001',
  endTimeUnixNano: '1767254401000000000',
  status: {},
  ...more,
});
test('a list finds the root anywhere in a long log, and of several the one that started first', async () => {
  const of = (count: number, from: number) =>
    Array.from({ length: count }, (_, at) =>
      span((from + at).toString(16).padStart(16, '0'), {
        parentSpanId: 'ffffffffffffffff',
        name: 'x'.repeat(200),
      }),
    );
  const root = span('ffffffffffffffff', { name: 'first', status: { code: 2 } });
  const late = span('fffffffffffffffe', { name: 'late', startTimeUnixNano: '1767254400500000000' });
  for (const spans of [
    [late, ...of(500, 1), root, ...of(500, 1000)],
    [...of(500, 1), root, ...of(500, 1000), late],
  ]) {
    const log = tempFile(spans.map((one) => `${JSON.stringify(one)}\n`).join(''), 'spans.jsonl');
    const [listed] = JSON.parse((await runHere(['list', log, '-j'])).stdout);
    const shown = JSON.parse((await runHere(['show', log, '-j'])).stdout);
    expect([listed.task, listed.status]).toEqual(['first', 'failed']);
    expect([shown.task, shown.status]).toEqual(['first', 'failed']);
  }
});

const request = (...spans: object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeSpans: [{ spans }],
    },
  ],
});

test('an export is read again, with every span as an event', async () => {
  const events = readFileSync(join(EPISODE, 'events.jsonl'), 'utf8').trim().split('\n').length;
  const exported = await runHere(['export', '--format', 'otlp', EPISODE]);
  const path = tempFile(exported.stdout, 'run.jsonl');
  // The run itself is a span too.
  const spans = events + 1;
  expect(await verified([path])).toMatchObject({ code: 0, dialect: 'otlp', events: spans, findings: [] });
  const listed = await runHere(['events', path, '-j']);
  expect(listed.stderr).toContain(SPLIT);
  expect(listed.stdout.trim().split('\n')).toHaveLength(spans);
  const first = JSON.parse(listed.stdout.split('\n')[1] ?? '') as { spanId: string };
  const shown = await runHere(['show', path, first.spanId]);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining(first.spanId)]);
  expect((await runHere(['timeline', path])).stdout).toContain('execute_tool');
  expect((await runHere(['stats', path])).stdout).toMatch(new RegExp(`Events +${spans}`));
  // From a pipe the same.
  expect(await verified(['-'], exported.stdout)).toMatchObject({ code: 0, dialect: 'otlp', events: spans });
});

test('spans are checked, on lines, in a document, in an array and alone', async () => {
  const spans = [
    span('00f067aa0ba902b7'),
    span('00f067aa0ba902b8', { parentSpanId: '00f067aa0ba902ff' }),
    span('00f067aa0ba902b8', { name: 'another' }),
    span('0000000000000000'),
    span('00f067aa0ba902b9', { endTimeUnixNano: '1767254400000000000' }),
  ];
  const tree = writeTree({
    'lines.jsonl': `${JSON.stringify(request(...spans.slice(0, 2)))}\n${JSON.stringify(request(...spans.slice(2)))}\n`,
    'one.json': JSON.stringify(request(...spans), null, 2),
    'array.json': JSON.stringify(spans),
    'alone.jsonl': spans.map((one) => `${JSON.stringify(one)}\n`).join(''),
  });
  for (const name of ['lines.jsonl', 'one.json', 'array.json', 'alone.jsonl']) {
    const { dialect, events, findings } = await verified([join(tree, name)]);
    expect([name, dialect, events]).toEqual([name, 'otlp', 5]);
    // All elements of the array are on one line.
    const lineOf = (line: number) => (name === 'array.json' ? 1 : line);
    expect([...(findings ?? [])].sort()).toEqual(
      [
        `${lineOf(2)} info lineage/missing-parent`,
        `${lineOf(3)} error event/duplicate-id`,
        `${lineOf(4)} warn event/field-type`,
        `${lineOf(5)} warn event/range`,
      ].sort(),
    );
  }
});

test('a damaged line and its finding stay as they are', async () => {
  const line = JSON.stringify(request(span('00f067aa0ba902b7'), span('00f067aa0ba902b8')));
  const path = tempFile(`${line}\n${line.slice(0, 50)}`, 'torn.jsonl');
  const { code, events, findings } = await verified([path]);
  expect([code, events]).toEqual([1, 2]);
  expect(findings).toEqual(['3 error log/truncated']);
});

test('an array and the documents of known programs are read as lines, their numbers as they are stored', async () => {
  const steps = [
    { id: 'a', n: 12345678901234567890n },
    { id: 'b', n: 1 },
  ].map(({ id, n }) => `{"id":"${id}","n":${n}}`);
  const tree = writeTree({
    'x.json': `[${steps.join()}]`,
    'x.traj': `{"info":{},"trajectory":[${steps.join()}]}`,
    'atif.json': `{"schema_version":"ATIF-v1.4","steps":[\n${steps.join(',\n')}]}`,
  });
  for (const [name, what] of [
    ['x.json', 'is one JSON array: line N is its element N'],
    ['x.traj', 'is one JSON document: line N is its record N'],
    ['atif.json', undefined],
  ] as const) {
    const { code, stdout, stderr } = await runHere(['events', join(tree, name), '-j']);
    const lines = name === 'atif.json' ? ['{"schema_version":"ATIF-v1.4"}', ...steps] : steps;
    expect([name, code, stdout]).toEqual([name, 0, `${lines.join('\n')}\n`]);
    expect(stderr).toEqual(what === undefined ? '' : expect.stringContaining(what));
  }
});

test('is found below a folder, alone or with others, and read as one record per span', async () => {
  const spans = request(span('00f067aa0ba902b7'), span('00f067aa0ba902b8'));
  const root = writeTree({
    'alone/traces.json': JSON.stringify(spans),
    'alone/package.json': '{"name":"x"}',
    'more/otlp.jsonl': `${JSON.stringify(spans)}\n`,
    'more/plain.jsonl': `${JSON.stringify(span('00f067aa0ba902b9'))}\n`,
  });
  const { code, stdout } = await runHere(['verify', root, '-j']);
  const report = JSON.parse(stdout) as { episodes: { path: string; dialect: string; events: number }[] };
  expect(code).toBe(0);
  expect(report.episodes.map(({ path, dialect, events }) => [path, dialect, events])).toEqual([
    [join(root, 'alone/traces.json'), 'otlp', 2],
    [join(root, 'more/otlp.jsonl'), 'otlp', 2],
    [join(root, 'more/plain.jsonl'), 'otlp', 1],
  ]);
  const listed = await runHere(['list', root, '-j']);
  expect((JSON.parse(listed.stdout) as object[]).length).toBe(3);
  const { stdout: added } = await runHere(['stats', root, '-j']);
  expect(JSON.parse(added)).toMatchObject({ events: 5 });
});

test('a trace lasts until its last span ends, in every command', async () => {
  const child = { parentSpanId: 'b7ad6b7169203331', startTimeUnixNano: '1767254402000000000' };
  const path = tempFile(
    `${JSON.stringify(request(span('b7ad6b7169203331', { endTimeUnixNano: '1767254405000000001' }), span('b7ad6b7169203332', { ...child, endTimeUnixNano: '1767254404000000000' })))}\n`,
    'trace.jsonl',
  );
  expect((await runHere(['show', path])).stdout).toMatch(/Lasted +5\.00 s/);
  expect((await runHere(['stats', path])).stdout).toContain('longest 5.00 s');
  expect((await runHere(['diff', path, path])).stdout).toContain('2 events, 5.00 s');
  const tables = join(tempDir(), 'tables');
  await runHere(['export', path, '--format', 'ndjson', '-o', tables]);
  const [part = ''] = readdirSync(join(tables, 'episodes'));
  expect(JSON.parse(readFileSync(join(tables, 'episodes', part), 'utf8'))).toMatchObject({
    duration_ms: 5000,
  });
});
