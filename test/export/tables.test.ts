import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { YIELD_MS } from '../../src/base/time/yielder.ts';
import type { VerifyReport } from '../../src/findings/report.ts';
import { ParquetFile } from '../../src/show/export/parquet.ts';
import { bytesOf, csvLine, isoOfMicros, jsonLine } from '../../src/show/export/table-file.ts';
import { type ExportColumn, type Row, TABLE_NAMES, TABLES } from '../../src/show/export/tables.ts';
import { tablesPage } from '../../src/show/render/export-page.ts';
import { entriesOf, makeTar, makeZip } from '../support/archives.ts';
import { EXAMPLES, noesis } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const COLUMNS: readonly ExportColumn[] = [
  { name: 'text', type: 'text', what: '', required: true },
  { name: 'maybe', type: 'text', what: '' },
  { name: 'number', type: 'integer', what: '' },
  { name: 'real', type: 'real', what: '' },
  { name: 'time', type: 'time', what: '' },
  { name: 'flag', type: 'boolean', what: '' },
  { name: 'record', type: 'json', what: '' },
];

const row: fc.Arbitrary<Row> = fc.tuple(
  fc.string({ unit: 'grapheme' }),
  fc.option(fc.string(), { nil: undefined }),
  fc.option(fc.maxSafeInteger(), { nil: undefined }),
  fc.option(fc.double({ noNaN: true }), { nil: undefined }),
  fc.option(fc.bigInt({ min: -(10n ** 15n), max: 4n * 10n ** 15n }), { nil: undefined }),
  fc.option(fc.boolean(), { nil: undefined }),
  fc.option(
    fc.json().map((json) => Buffer.from(json)),
    { nil: undefined },
  ),
);

/** A file's rows, whole numbers and times as bigints. */
async function rowsOf(path: string): Promise<Record<string, unknown>[]> {
  const file = await asyncBufferFromFile(path);
  const parsers = { timestampFromMicroseconds: (micros: bigint) => micros };
  return parquetReadObjects({ file, parsers: parsers as never, compressors: COMPRESSORS });
}

const { gunzipSync } = await import('node:zlib');
const COMPRESSORS = { GZIP: (input: Uint8Array) => gunzipSync(input) };

describe('a table in a Parquet file', () => {
  test('returns every value that was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        const path = join(tempDir(), 't.parquet');
        const file = new ParquetFile(path, COLUMNS, 'test');
        for (const [at, one] of rows.entries()) {
          file.add(one);
          if (at % 3 === 0) await file.drain();
        }
        await file.close();
        const read = rows.length === 0 ? [] : await rowsOf(path);
        expect(read).toHaveLength(rows.length);
        for (const [at, [text, maybe, number, real, time, flag, record]] of rows.entries()) {
          expect(read[at]).toEqual({
            text,
            maybe: maybe ?? null,
            number: number === undefined ? null : BigInt(number as number),
            real: real ?? null,
            time: time ?? null,
            flag: flag ?? null,
            record: record === undefined ? null : Buffer.from(record as Uint8Array).toString(),
          });
        }
      }),
      { numRuns: 25 },
    );
  });
});

test('rows are written in groups with a limited size of text', async () => {
  const path = join(tempDir(), 't.parquet');
  const file = new ParquetFile(path, COLUMNS, 'test');
  for (const text of ['a'.repeat(9 * 1024 * 1024), 'b', 'c']) {
    file.add([text]);
    await file.drain();
  }
  await file.close();
  const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  expect(groups.map(({ num_rows: count }) => count)).toEqual([1n, 2n]);
  expect((await rowsOf(path)).map((one) => String(one['text']).length)).toEqual([9 * 1024 * 1024, 1, 1]);
});

test('reading a long fragment yields to other work', async () => {
  const path = tempFile(Buffer.alloc(2 * 1024 * 1024, 'x'));
  let [pieces, isGiven] = [0, false];
  for await (const bytes of bytesOf(path)) {
    expect(bytes.length).toBe(1024 * 1024);
    pieces += 1;
    expect(isGiven).toBe(pieces === 2);
    setImmediate(() => {
      isGiven = true;
    });
    for (const from = performance.now(); performance.now() - from < 2 * YIELD_MS; );
  }
  expect(pieces).toBe(2);
});

describe('a row as text', () => {
  test('is JSON without absent values, with the record as stored', () => {
    const one: Row = ['a', undefined, 7, 0.5, 1_000_001n, true, Buffer.from('{"n":1.0}')];
    expect(jsonLine(COLUMNS, one)).toBe(
      '{"text":"a","number":7,"real":0.5,"time":"1970-01-01T00:00:01.000001Z","flag":true,"record":{"n":1.0}}\n',
    );
  });

  test('is CSV that quotes where necessary', () => {
    const cells: Row = ['a,b', 'say "x"', 'two\nlines', undefined, 5, 0n];
    expect(csvLine(cells)).toBe('"a,b","say ""x""","two\nlines",,5,1970-01-01T00:00:00.000000Z\n');
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['+SUM(A1)', "'+SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['\uff1d1', "'\uff1d1"],
    [Buffer.from('=1'), "'=1"],
    ['a=1', 'a=1'],
    ['-5', '-5'],
    ['+1.5e-3', '+1.5e-3'],
    [-5, '-5'],
    [-0.5, '-0.5'],
  ] as const)('a CSV cell is never a formula: %j', (cell, text) => {
    expect(csvLine([cell])).toBe(`${text}\n`);
  });

  test.each([
    [0n, '1970-01-01T00:00:00.000000Z'],
    [-1n, '1969-12-31T23:59:59.999999Z'],
    [-1000n, '1969-12-31T23:59:59.999000Z'],
    [1_772_456_400_009_513n, '2026-03-02T13:00:00.009513Z'],
  ])('has times with their microseconds: %d', (micros, text) => {
    expect(isoOfMicros(micros)).toBe(text);
  });
});

const ROOT = join(EXAMPLES, '.noesis');

/** The rows of a table that was written as NDJSON. */
const ndjsonIn = (dir: string, table: string): Record<string, unknown>[] =>
  readFileSync(join(dir, table, 'part-00001-of-00001.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('noesis export', () => {
  test('writes three tables that agree with events, show and verify', async () => {
    const dir = tempDir();
    const out = await noesis(['export', ROOT, '--format', 'parquet', '-o', dir]);
    expect(out).toMatchObject({ code: 0, stdout: '' });
    expect(out.stderr).toContain('4 runs written');
    const read = async (table: string) => {
      const [name = ''] = readdirSync(join(dir, table));
      expect(name).toBe('part-00001-of-00001.parquet');
      return rowsOf(join(dir, table, name));
    };
    const [events, episodes] = [await read('events'), await read('episodes')];
    const listed = JSON.parse((await noesis(['verify', ROOT, '-j'])).stdout);
    expect(episodes.map(({ episode, events: n, verdict }) => [episode, Number(n), verdict])).toEqual(
      listed.episodes.map((one: Record<string, unknown>) => [one['episode'], one['events'], one['verdict']]),
    );
    for (const { name, path } of listed.episodes.map((one: Record<string, string>) => ({
      name: one['episode'],
      path: one['path'],
    }))) {
      const log = readFileSync(join(path, 'events.jsonl'));
      const mine = events.filter(({ episode }) => episode === name);
      expect(mine.map(({ record }) => `${record}\n`).join('')).toBe(log.toString());
      for (const { byte_start: from, byte_end: to, record } of mine)
        expect(log.subarray(Number(from), Number(to)).toString()).toBe(record);
    }
  });

  test.each(['ndjson', 'csv'])('writes the same as %s', async (format) => {
    const dir = tempDir();
    expect((await runHere(['export', ROOT, '--format', format, '-o', dir])).code).toBe(0);
    for (const table of TABLE_NAMES) {
      const text = readFileSync(join(dir, table, `part-00001-of-00001.${format}`), 'utf8');
      if (format === 'csv') expect(text.split('\n')[0]).toBe(TABLES[table].map(({ name }) => name).join(','));
      else for (const line of text.trimEnd().split('\n')) if (line !== '') JSON.parse(line);
    }
  });

  test('skips a corrupt log, names it, and keeps its verdict', async () => {
    const root = writeTree({
      'bad/events.jsonl': '{"phase":"start","payload":{}}\nnot json\n',
      'good/events.jsonl': '{"phase":"start","payload":{},"id":"a"}\n',
    });
    const dir = tempDir();
    const out = await runHere(['export', root, '--format', 'ndjson', '-o', dir]);
    expect(out.code).toBe(1);
    expect(out.stderr).toContain('the events of 1 damaged log are left out');
    const lines = (table: string) => ndjsonIn(dir, table);
    expect(lines('events').map(({ episode }) => episode)).toEqual(['good']);
    expect(lines('episodes')).toMatchObject([{ episode: 'bad', verdict: 'fail' }, { episode: 'good' }]);
    expect(lines('findings').map(({ code }) => code)).toContain('log/invalid-json');
  });

  test('skips an unreadable log, and names it; the others are written', async () => {
    const root = writeTree({
      'ledger.jsonl': 'SQLite format 3\0',
      'good/events.jsonl': '{"phase":"start","payload":{},"id":"a"}\n',
      'none/final.json': '{"episode_id":"none"}',
    });
    const dir = tempDir();
    const out = await runHere(['export', root, '--format', 'ndjson', '-o', dir]);
    expect(out.code).toBe(1);
    expect(out.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'it is a SQLite database: export its events as JSONL first',
    );
    expect(ndjsonIn(dir, 'events').map(({ episode }) => episode)).toEqual(['good']);
    const rows = ndjsonIn(dir, 'episodes').map(({ episode, status, events }) => [episode, status, events]);
    expect(rows.sort()).toEqual([
      ['good', 'running', 1],
      [basename(root), 'unknown', 0],
      ['none', 'unknown', 0],
    ]);
  });

  test('makes rows of one run of a ledger alone', async () => {
    const ledger = join(EXAMPLES, 'other-dialects/fishbowl/ledger.jsonl');
    const dir = tempDir();
    expect((await runHere(['export', `${ledger}#debate-0001`, '--format', 'ndjson', '-o', dir])).code).toBe(
      0,
    );
    const events = ndjsonIn(dir, 'events');
    expect(new Set(events.map(({ run }) => run))).toEqual(new Set(['debate-0001']));
    expect(ndjsonIn(dir, 'episodes')).toMatchObject([{ run: 'debate-0001', events: events.length }]);
  });

  test('leaves out unknown times and results', async () => {
    const log = join(writeTree({ 'x.jsonl': '{"a":1}\n{"a":2}\n' }), 'x.jsonl');
    const dir = tempDir();
    expect((await runHere(['export', log, '--format', 'ndjson', '-o', dir])).code).toBe(0);
    const [first] = ndjsonIn(dir, 'events');
    expect(first).toEqual({
      episode: 'x.jsonl',
      line: 1,
      byte_start: 0,
      byte_end: 7,
      dialect: 'generic',
      name: 'event',
      outcome: 'ok',
      record: { a: 1 },
      copied: false,
    });
    const [row] = ndjsonIn(dir, 'episodes');
    expect([row?.['status'], row?.['start'], row?.['duration_ms'], row?.['events']]).toEqual([
      'unknown',
      undefined,
      undefined,
      2,
    ]);
  });

  test('refuses a place where no folder can be made, and leaves no files', async () => {
    const dir = writeTree({ file: 'x' });
    const into = (...path: string[]) =>
      runHere(['export', 'latest', '--root', ROOT, '--format', 'ndjson', '-o', join(dir, ...path)]);
    expect(await into('file')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/cannot write .*: a part of the path is not a folder/s),
    });
    expect(readdirSync(dir)).toEqual(['file']);
    mkdirSync(join(dir, 'out/episodes'), { recursive: true });
    mkdirSync(join(dir, 'out/findings'));
    mkdirSync(join(dir, 'out/events/part-00001-of-00001.ndjson'), { recursive: true });
    expect(await into('out')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/already\s+exists/),
    });
    expect(
      ['events', 'episodes', 'findings'].map((table) => readdirSync(join(dir, 'out', table)).length),
    ).toEqual([1, 0, 0]);
  });

  test('shards in one folder form the table of a single export', async () => {
    const [parts, whole] = [tempDir(), tempDir()];
    for (const shard of ['1/3', '2/3', '3/3'])
      expect(
        (await runHere(['export', ROOT, '--format', 'ndjson', '-o', parts, '--shard', shard])).code,
      ).toBe(0);
    await runHere(['export', ROOT, '--format', 'ndjson', '-o', whole]);
    const rows = (dir: string, table: string) =>
      readdirSync(join(dir, table))
        .flatMap((name) => readFileSync(join(dir, table, name), 'utf8').split('\n'))
        .filter((line) => line !== '')
        .sort();
    for (const table of TABLE_NAMES) expect(rows(parts, table)).toEqual(rows(whole, table));
    const other = await runHere(['export', ROOT, '--format', 'ndjson', '-o', parts]);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringMatching(/to\s+another\s+export/) });
  });

  test('keeps other files in the folders of the tables', async () => {
    const dir = writeTree({ 'events/_SUCCESS': '', 'events/part-00001-of-00001.json': '' });
    expect((await runHere(['export', 'latest', '--root', ROOT, '--format', 'ndjson', '-o', dir])).code).toBe(
      0,
    );
    expect(readdirSync(join(dir, 'events')).sort()).toEqual([
      '_SUCCESS',
      'part-00001-of-00001.json',
      'part-00001-of-00001.ndjson',
    ]);
  });

  test('replaces a part only with --force, and never writes into an episode', async () => {
    const dir = tempDir();
    const run = (...more: string[]) =>
      runHere(['export', 'latest', '--root', ROOT, '--format', 'ndjson', '-o', dir, ...more]);
    expect((await run()).code).toBe(0);
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringMatching(/already\s+exists/) });
    expect((await run('--force')).code).toBe(0);
    const episode = join(ROOT, 'episodes', 'ep_01KJQA4N40CCE7NY92CB90Q783');
    const into = await runHere(['export', episode, '--format', 'ndjson', '-o', join(episode, 't')]);
    expect(into).toMatchObject({ code: 2, stderr: expect.stringMatching(/inside\s+an\s+episode/) });
  });
});

describe('what is packed', () => {
  const cwd = tempDir();
  const eps = join(cwd, 'eps');

  async function tablesOf(...targets: string[]) {
    const dir = tempDir();
    const out = await runHere(['export', ...targets, '--format', 'ndjson', '-o', dir], { cwd, tmpDir: cwd });
    const rows = (table: string) => ndjsonIn(dir, table);
    return { out, events: rows('events'), episodes: rows('episodes'), findings: rows('findings') };
  }

  beforeAll(async () => {
    for (let seed = 1; seed <= 5; seed += 1)
      writeEpisode(eps, simulateEpisode({ seed, ending: seed === 3 ? 'running' : 'ok' }));
    const sealed = readdirSync(eps).find((id) => existsSync(join(eps, id, 'manifest.json'))) ?? '';
    appendFileSync(join(eps, sealed, 'summary.json'), ' ');
    writeFileSync(join(cwd, 'runs.tar'), await makeTar(entriesOf(eps, 'eps/')));
    writeFileSync(join(cwd, 'runs.zip'), makeZip(entriesOf(eps, 'eps/')));
  });

  test.each(['runs.tar', 'runs.zip'])('makes the tables of the folder: %s', async (archive) => {
    const [plain, packed] = [await tablesOf('eps'), await tablesOf(archive)];
    expect(packed.out.code).toBe(0);
    expect(packed.events).toEqual(plain.events);
    expect(packed.findings).toEqual(plain.findings);
    expect(packed.findings.map(({ code }) => code)).toContain('manifest/hash-mismatch');
    expect(JSON.parse(JSON.stringify(packed.episodes).replaceAll(join(cwd, archive, 'eps'), eps))).toEqual(
      plain.episodes,
    );
    // Nothing of it is left where it was unpacked.
    expect(readdirSync(cwd).filter((name) => name.startsWith('noesis-'))).toEqual([]);
  });

  test('names a corrupt log by its place in the archive, and a fault of an archive is a finding', async () => {
    const [first, ...rest] = entriesOf(eps, 'eps/');
    if (first === undefined) throw new Error('no entry');
    const log = { name: 'eps/bad/events.jsonl', content: Buffer.from('{"phase":"start"}\nnot json\n') };
    const up = { name: '../up.txt', content: Buffer.from('x') };
    writeFileSync(join(cwd, 'bad.tar'), await makeTar([first, ...rest, log, up]));
    const { out, events, findings, episodes } = await tablesOf('bad.tar');
    expect(out.code).toBe(1);
    expect(out.stderr).toContain(join('bad.tar', 'eps', 'bad', 'events.jsonl'));
    expect(new Set(events.map(({ episode }) => episode)).size).toBe(5);
    expect(findings).toContainEqual(
      expect.objectContaining({ episode: 'bad.tar', code: 'archive/unsafe-name' }),
    );
    expect(episodes).toHaveLength(7);
  });

  test('fails if the only target is an archive with a refused entry', async () => {
    const entries = [...entriesOf(eps, 'eps/'), { name: '../up.txt', content: Buffer.from('x') }];
    writeFileSync(join(cwd, 'refused.tar'), await makeTar(entries));
    const { out } = await tablesOf('refused.tar');
    expect([out.code, out.stderr]).toEqual([1, expect.stringContaining('cannot read refused.tar: ')]);
  });

  test('reads a compressed log in its episode, with the verdict of verify', async () => {
    const dir = writeEpisode(join(cwd, 'gz'), simulateEpisode({ seed: 8 }));
    const log = join(dir, 'events.jsonl');
    const text = readFileSync(log);
    writeFileSync(`${log}.gz`, gzipSync(text));
    rmSync(log);
    const { events, episodes, findings } = await tablesOf('gz');
    expect(events.map(({ record }) => `${JSON.stringify(record)}\n`)).toHaveLength(
      text.toString().trimEnd().split('\n').length,
    );
    const verified = JSON.parse((await runHere(['verify', 'gz', '-j'], { cwd })).stdout) as VerifyReport;
    expect(episodes).toMatchObject(
      verified.episodes.map(({ episode, verdict, path }) => ({ episode, verdict, path })),
    );
    expect(findings.map(({ code }) => code)).toEqual(
      verified.episodes.flatMap((one) => one.findings.map(({ code }) => code)),
    );
  });

  test('a tar on standard input', async () => {
    const dir = tempDir();
    const input = readFileSync(join(cwd, 'runs.tar'));
    const args = ['export', '--tar', '-', '--format', 'ndjson', '-o', dir];
    expect((await runHere(args, { cwd, input })).code).toBe(0);
    const events = readFileSync(join(dir, 'events', 'part-00001-of-00001.ndjson'), 'utf8');
    expect(events.trimEnd().split('\n')).toHaveLength((await tablesOf('eps')).events.length);
  });

  test('as traces', async () => {
    const spans = async (target: string) =>
      (await runHere(['export', target, '--format', 'otlp'], { cwd })).stdout;
    expect(await spans('runs.tar')).toBe(await spans('eps'));
  });
});

describe('noesis sql', () => {
  test('answers a question over targets', async () => {
    const query = 'select episode, count(*) n from events group by all order by 1';
    const { code, stdout } = await noesis(['sql', query, ROOT, '-j']);
    expect(code).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { episodes } = JSON.parse((await noesis(['verify', ROOT, '-j'])).stdout);
    expect(rows).toEqual(
      episodes.map(({ episode, events }: { episode: string; events: number }) => ({ episode, n: events })),
    );
  });

  test('reports the fault of a query', async () => {
    const wrong = await noesis(['sql', 'select nothing from events', ROOT]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing') });
    const typo = await noesis(['sql', 'select * from evnts', ROOT]);
    expect(typo.stderr.replace(/\s+/g, ' ')).toMatch(
      /there is no table evnts; the tables are events, .*help: /,
    );
    const none = await noesis(['sql', 'select * from events where false', ROOT]);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no rows') });
  });

  test('refuses a query with several answers, or none', async () => {
    const two = await noesis(['sql', 'select 1 a; select 2 b', ROOT]);
    expect(two).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('statement 1 has') });
    for (const empty of ['', ' ; ', '/* nothing */'])
      expect(await noesis(['sql', empty, ROOT])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('the query is empty'),
      });
    const last = await noesis(['sql', 'create table q as select 5 x; select x from q;', ROOT, '-j']);
    expect(last).toMatchObject({ code: 0, stdout: '{"x":5}\n' });
  });

  test('refuses a folder that is not an earlier export', async () => {
    const dir = tempDir();
    const none = await noesis(['sql', 'select 1', '--from', dir]);
    expect(none).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there are no Parquet tables in'),
    });
    const both = await noesis(['sql', 'select 1', '--from', dir, '--shard', '1/2']);
    expect(both).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be combined with --from'),
    });
  });
});

test('an empty file is a table too', async () => {
  const path = join(tempDir(), 't.parquet');
  await new ParquetFile(path, COLUMNS, 'test').close();
  expect((await parquetMetadataAsync(await asyncBufferFromFile(path))).num_rows).toBe(0n);
});

test('docs/formats/tables.md has every column', () => {
  const page = readFileSync(join(EXAMPLES, '..', 'docs', 'formats', 'tables.md'), 'utf8');
  expect(page).toBe(tablesPage());
});
