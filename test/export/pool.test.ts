import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test, vi } from 'vitest';
import type { VerifyTarget } from '../../src/findings/options.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import {
  type BatchOutcome,
  type ExportBatch,
  type ExportSettings,
  exportBatch,
} from '../../src/show/export/batch.ts';
import { openTables, TABLE_FORMATS, type TableFormat } from '../../src/show/export/parts.ts';
import { exportEach } from '../../src/show/export/pool.ts';
import { eventRows } from '../../src/show/export/rows.ts';
import * as runs from '../../src/show/export/runs.ts';
import { openForExport } from '../../src/show/export/runs.ts';
import { TABLE_NAMES } from '../../src/show/export/tables.ts';
import { answerTo, outcomeOf } from '../../src/show/export/thread-answer.ts';
import { eachTraceEvent } from '../../src/show/export/trace.ts';
import { bundledWorker } from '../support/bundle.ts';
import { sampled, times } from '../support/length.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const worker = bundledWorker('src/show/export/worker.ts');
const EPISODES = 14;
const IN_A_BATCH = 3;

const root = tempDir();
const targets: VerifyTarget[] = Array.from({ length: EPISODES }, (_, at) => {
  // Some batches take much longer than others.
  const episode = simulateEpisode({ seed: 300 + at, extraEvents: at % 4 === 0 ? times(400, 40) : 0 });
  const dir = writeEpisode(root, episode);
  return { name: episode.id, dir, log: join(dir, 'events.jsonl') };
});

const settingsFor = (format: TableFormat): ExportSettings => ({
  policy: DEFAULT_POLICY,
  keys: { byKid: new Map(), byVariable: new Map() },
  dialect: undefined,
  format,
  createdBy: 'test',
});

/** The table of events that this number of threads made. */
async function eventsBy(
  jobs: number,
  format: TableFormat,
  list = targets,
  dir = tempDir(),
  dialect?: string,
) {
  const settings: ExportSettings = { ...settingsFor(format), dialect };
  const part = { index: 1, count: 1 };
  const tables = await openTables({ dir, format, part, force: false, createdBy: settings.createdBy });
  async function* batches(): AsyncGenerator<ExportBatch> {
    for (let at = 0; at < list.length; at += IN_A_BATCH)
      yield { targets: list.slice(at, at + IN_A_BATCH), fragment: tables.fragment() };
  }
  const names: string[] = [];
  const sink = async (_: ExportBatch, { events, exported }: BatchOutcome) => {
    await tables.events.append(events);
    names.push(...exported.map(({ report }) => report.episode));
  };
  try {
    const { signal } = new AbortController();
    await exportEach(batches(), settings, { jobs, workerUrl: worker, signal }, sink);
    await tables.finish();
  } catch (error) {
    await tables.abandon();
    throw error;
  }
  const path = join(dir, 'events', `part-00001-of-00001.${format}`);
  return { names, path, bytes: readFileSync(path) };
}

test.each(TABLE_FORMATS)('any number of threads makes the same bytes (%s)', async (format) => {
  const alone = await eventsBy(0, format);
  expect(alone.names).toEqual(targets.map(({ name }) => name));
  for (const jobs of sampled([1, 2, 5], 1)) {
    const made = await eventsBy(jobs, format);
    expect(made.names).toEqual(alone.names);
    expect(made.bytes.equals(alone.bytes), `${jobs} threads`).toBe(true);
  }
});

test('fragments make one Parquet file, with every record where it was', async () => {
  const { path } = await eventsBy(2, 'parquet');
  const file = await asyncBufferFromFile(path);
  const rows = await parquetReadObjects({ file, compressors: { GZIP: (input) => gunzipSync(input) } });
  const wanted = targets.flatMap(({ name, log = '' }) =>
    readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((record, at) => ({ episode: name, line: BigInt(at + 1), record })),
  );
  expect(rows.map(({ episode, line, record }) => ({ episode, line, record }))).toEqual(wanted);
});

test('a failure in a thread ends the export, and leaves no files', async () => {
  const source = writeTree({ 'events.jsonl': '{"phase":"start"}\n' });
  const bad: VerifyTarget = { name: 'bad', dir: source, log: join(source, 'events.jsonl') };
  for (const jobs of [0, 2]) {
    const dir = tempDir();
    // No such format is read: the thread throws what the command line says.
    await expect(eventsBy(jobs, 'ndjson', [bad], dir, 'nonesuch')).rejects.toMatchObject({
      code: 'usage',
      message: 'there is no dialect "nonesuch"',
      hint: expect.stringContaining('run noesis help dialects'),
    });
    expect(TABLE_NAMES.map((table) => readdirSync(join(dir, table)))).toEqual([[], [], []]);
  }
});

/** A thread with this source. */
const threadOf = (source: string): URL => pathToFileURL(tempFile(source, 'worker.mjs'));
const LISTENS = "import { parentPort } from 'node:worker_threads'; parentPort.on('message', ";

test.each([
  ['dies', `${LISTENS} () => { throw new Error('it died'); });`, 'it died'],
  [
    'says what it does not know',
    `${LISTENS} () => parentPort.postMessage({ error: new Error('odd') }));`,
    'odd',
  ],
])('a thread that %s ends the export', async (_, source, message) => {
  const { signal } = new AbortController();
  async function* one(): AsyncGenerator<ExportBatch> {
    yield { targets: [], fragment: 'x' };
  }
  const pool = { jobs: 1, workerUrl: threadOf(source), signal };
  await expect(exportEach(one(), settingsFor('ndjson'), pool, async () => {})).rejects.toThrow(message);
});

test('errors of a thread survive posting to the main thread', async () => {
  const [target] = targets;
  if (target === undefined) throw new Error('no target');
  const told = async (batch: ExportBatch, dialect?: string) =>
    structuredClone(await answerTo(batch, { ...settingsFor('ndjson'), dialect }));
  const batch = { targets: [target], fragment: join(tempDir(), 'f') };
  expect(outcomeOf(await told(batch))).toMatchObject({
    events: { path: batch.fragment },
    exported: [{ report: { episode: target.name }, log: { dialect: 'noesis' } }],
  });
  const refused = await told(batch, 'nonesuch');
  expect(() => outcomeOf(refused)).toThrow(expect.objectContaining({ code: 'usage' }));
  const failed = await told({ ...batch, fragment: join(tempDir(), 'gone', 'f') });
  expect(() => outcomeOf(failed)).toThrow('ENOENT');
});

test('an error that is not about a log ends the export', async () => {
  const [target] = targets;
  if (target === undefined) throw new Error('no target');
  const batch = { targets: [target], fragment: join(tempDir(), 'f') };
  vi.spyOn(runs, 'openForExport').mockRejectedValueOnce(new Error('nobody foresaw it'));
  await expect(exportBatch(batch, settingsFor('ndjson'))).rejects.toThrow('nobody foresaw it');
});

test('a log that is removed between its verification and its rows is left out', async () => {
  const [target] = targets;
  if (target === undefined) throw new Error('no target');
  const gone = { ...target, log: join(tempDir(), 'events.jsonl') };
  const { exported } = await exportBatch(
    { targets: [gone], fragment: join(tempDir(), 'f') },
    settingsFor('ndjson'),
  );
  expect(exported).toMatchObject([{ left: { log: gone.log, reason: 'no such file or folder' } }]);
});

test('a log that is damaged between two readings ends the export, so no line is silently lost', async () => {
  const log = tempFile('{"a":1}\n{"a":2}\n', 'x.jsonl');
  const opened = await openForExport({ name: 'x', dir: undefined, log });
  if ('corruption' in opened) throw new Error('the log is whole');
  const [run] = opened.runs;
  if (run === undefined) throw new Error('the log is a run');
  writeFileSync(log, '{"a":1}\n{"a":2]\n');
  const between = async () => undefined;
  const changed = { code: 'log-changed', message: expect.stringContaining('now has a damaged line') };
  await expect(eventRows(opened, () => {}, between)).rejects.toMatchObject(changed);
  await expect(eachTraceEvent(opened, run, () => {}, between)).rejects.toMatchObject(changed);
});
