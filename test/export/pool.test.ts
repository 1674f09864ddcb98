import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { BatchOutcome, ExportBatch, ExportSettings } from '../../src/export/batch.ts';
import { openTables, TABLE_FORMATS, type TableFormat } from '../../src/export/parts.ts';
import { exportEach } from '../../src/export/pool.ts';
import type { VerifyTarget } from '../../src/findings/options.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { bundledWorker } from '../support/bundle.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const worker = bundledWorker('src/export/worker.ts');
const EPISODES = 14;
const IN_A_BATCH = 3;

const root = tempDir();
const targets: VerifyTarget[] = Array.from({ length: EPISODES }, (_, at) => {
  // Some batches take much longer than others.
  const episode = simulateEpisode({ seed: 300 + at, extraEvents: at % 4 === 0 ? 400 : 0 });
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

/** The table of events that so many threads made. */
async function eventsBy(jobs: number, format: TableFormat, list = targets) {
  const dir = tempDir();
  const settings = settingsFor(format);
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
  for (const jobs of [1, 2, 5]) {
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

test('what goes wrong in a thread ends the export, and leaves nothing', async () => {
  const dir = writeTree({ 'events.jsonl': '{"phase":"start"}\n' });
  // No such format is read: the thread throws what the command line says.
  const bad: VerifyTarget = { name: 'bad', dir, log: join(dir, 'events.jsonl') };
  const settings: ExportSettings = { ...settingsFor('ndjson'), dialect: 'nonesuch' };
  async function* one(): AsyncGenerator<ExportBatch> {
    yield { targets: [bad], fragment: join(tempDir(), 'fragment') };
  }
  const { signal } = new AbortController();
  for (const jobs of [0, 2])
    await expect(
      exportEach(one(), settings, { jobs, workerUrl: worker, signal }, async () => {}),
    ).rejects.toThrow('nonesuch');
});
