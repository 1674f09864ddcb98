import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseInstant } from '../../src/base/time/instant.ts';
import type { EpisodeDocument } from '../../src/show/page/page-data.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

// Two commands never say different things about one run.

const outputOf = async (...args: string[]): Promise<string> => (await runHere(args)).stdout;

interface Entry {
  readonly path: string;
  readonly started_at?: string;
  readonly sealed: boolean;
}

/** The runs below the folders: episodes, logs, and the runs of logs with several. */
async function runsBelow(...roots: string[]): Promise<[name: string, run: Entry][]> {
  const logs = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.jsonl'))
      .map((path) => join(root, path)),
  );
  const found = new Map<string, Entry>();
  for (const target of [...roots, ...logs.sort()])
    for (const entry of JSON.parse(await outputOf('list', target, '-j')) as Entry[])
      found.set(entry.path, entry);
  return [...found.values()].map((entry) => [relative(join(EXAMPLES, '..'), entry.path), entry]);
}

/** Times in microseconds since 1970, or in whole milliseconds if that is how they are rounded. */
const micros = (time: number | string | undefined): number | undefined => {
  const at = typeof time === 'string' ? parseInstant(time) : time;
  return at === undefined ? undefined : Math.round(at * 1000);
};

/** The row of a run in the table of an export. A folder may contain further runs. */
async function exported(path: string): Promise<Record<string, string | number | undefined>> {
  const dir = tempDir();
  await runHere(['export', path, '--format', 'ndjson', '-o', dir, '--force']);
  const [file = ''] = readdirSync(join(dir, 'episodes'));
  const rows = readFileSync(join(dir, 'episodes', file), 'utf8')
    .trimEnd()
    .split('\n');
  const parsed = rows.map((row) => JSON.parse(row));
  // A folder of several chains has a row for each; one run of a log has only its own.
  return parsed.find((row) => row.path === path) ?? parsed[0];
}

/** The document in the page of a run. */
async function pageOf(path: string): Promise<EpisodeDocument> {
  const html = await outputOf('view', path, '-o', '-');
  const [, base64 = ''] = /id="document">([^<]*)</.exec(html) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString()) as EpisodeDocument;
}

// A folder of chained logs is several runs. Of a file that only has results of another session, list names the time of its head.
const RUNS = (await runsBelow(EXAMPLES, SAMPLES)).filter(
  ([, { path }]) => !/[/\\](?:chains|orphan)[/\\]/.test(path),
);

test.each(sampled(RUNS, 40))(
  'every command has the same times for %s',
  async (_name, { path, started_at }) => {
    const shown = await outputOf('show', path, '-j');
    if (shown === '') return;
    const { started_at: began, ended_at: ended, duration_ms: lasted, skipped } = JSON.parse(shown);
    const [start, end] = [parseInstant(began), parseInstant(ended)];
    expect(micros(started_at), 'list').toBe(micros(start));

    const { runs, days } = JSON.parse(await outputOf('stats', path, '-j', '--partial'));
    expect(micros(runs.max), 'stats').toBe(micros(lasted));
    const day = start === undefined ? [] : [new Date(start).toISOString().slice(0, 10)];
    expect(Object.keys(days), 'stats: days').toEqual(day);

    for (const command of ['timeline', 'events']) {
      const text = await outputOf(command, path, '--partial');
      expect(text.includes(' +0.000s '), command).toBe(start !== undefined && text !== '');
    }

    const { account, table } = await pageOf(path);
    expect([account.start, account.end], 'page').toEqual([start, end]);
    expect(table.base, 'page: base').toBe(start ?? 0);

    // The tables leave out corrupt logs.
    if (skipped !== undefined) return;
    const row = await exported(path);
    expect([micros(row['start']), micros(row['end'])], 'export').toEqual([micros(start), micros(end)]);
    expect(row['duration_ms'] ?? undefined, 'export: duration').toBe(
      start === undefined || end === undefined ? undefined : Math.round((end - start) * 1000) / 1000,
    );
  },
);

test.each(sampled(RUNS, 40))('stats counts a call of %s once for its tool', async (_name, { path }) => {
  const { groups, names } = JSON.parse(await outputOf('stats', path, '-j', '--partial', '--by', 'tool'));
  for (const [tool, { calls }] of Object.entries<{ calls: { count: number } }>(groups))
    expect(names[tool], tool).toEqual(calls);
});

test('export says how many rows the table of episodes has', async () => {
  const dir = tempDir();
  const ledger = join(EXAMPLES, 'other-dialects', 'fishbowl', 'ledger.jsonl');
  const { stderr } = await runHere(['export', ledger, '--format', 'ndjson', '-o', dir]);
  const [file = ''] = readdirSync(join(dir, 'episodes'));
  const rows = readFileSync(join(dir, 'episodes', file), 'utf8')
    .trimEnd()
    .split('\n');
  expect(stderr).toContain(`${rows.length} runs written`);
});
