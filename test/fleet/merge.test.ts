import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { reportHeadSchema, reportSchema } from '../../src/findings/report-schema.ts';
import { planMerge } from '../../src/verify/fleet/merge.ts';
import { asNobody } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { sampled } from '../support/length.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

const cwd = tempDir();
const here = (...args: string[]) => runHere(args, { cwd, env: { TZ: 'UTC' } });

/** Episodes that are good, that are open, and one that is damaged. */
beforeAll(() => {
  for (let seed = 1; seed <= 14; seed += 1) {
    const episode = simulateEpisode({ seed, ending: seed % 3 === 0 ? 'running' : 'ok' });
    const dir = writeEpisode(join(cwd, 'eps'), episode);
    if (seed !== 5) continue;
    const log = join(dir, 'events.jsonl');
    writeSettled(log, `${readFileSync(log, 'utf8').slice(0, -20)}\n`);
  }
});

/** Verifies in shards, into files of a fresh folder; gives its name. */
async function shards(count: number, format: 'json' | 'ndjson', ...args: string[]): Promise<string> {
  const folder = tempDir();
  for (let index = 1; index <= count; index += 1) {
    const file = join(folder, `part.${index}.${format}`);
    await here('verify', 'eps', '--shard', `${index}/${count}`, '-f', format, '-o', file, '-q', ...args);
  }
  return folder;
}

describe('a merged report', () => {
  test.each([
    ['ndjson', 4],
    ['json', 3],
    // More shards than there may be episodes in some.
    ['ndjson', 25],
  ] as const)('of %s shards (%i) equals that of one run, in every format', async (format, count) => {
    const folder = await shards(count, format);
    for (const wanted of sampled(['pretty', 'json', 'ndjson', 'sarif', 'junit', 'github'], 2)) {
      const whole = await here('verify', 'eps', '-f', wanted);
      const merged = await here('merge', folder, '-f', wanted, '--expect', String(count));
      expect(merged).toEqual(whole);
      expect(whole.code).toBe(1);
    }
  });

  test('has the verdict of all warnings together', async () => {
    const episodes = readdirSync(join(cwd, 'eps'));
    expect(episodes.length).toBe(14);
    const rule = ['--rule', 'seal/*=warn', '--rule', 'log/truncated=error', '--max-warnings', '4'];
    const whole = await here('verify', 'eps', '-j', ...rule);
    const folder = await shards(3, 'ndjson', ...rule);
    const merged = await here('merge', folder, '-j');
    expect(merged.stdout).toBe(whole.stdout);
  });

  test('of whole reports is that of one run over their targets', async () => {
    const names = readdirSync(join(cwd, 'eps')).sort();
    const [a, b] = [names.slice(0, 6), names.slice(6)].map((half) => half.map((name) => join('eps', name)));
    const folder = tempDir();
    await here('verify', ...(a ?? []), '-f', 'ndjson', '-o', join(folder, 'a.ndjson'));
    await here('verify', ...(b ?? []), '-j', '-o', join(folder, 'b.json'));
    const merged = await here('merge', folder, '-j');
    expect(merged.stdout).toBe((await here('verify', 'eps', '-j')).stdout);
    const twice = await here('merge', folder, join(folder, 'a.ndjson'), '-j');
    expect(twice.stdout).toBe(merged.stdout);
    cpSync(join(folder, 'a.ndjson'), join(folder, 'c.ndjson'));
    const refused = await here('merge', folder);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('is in ');
  });

  test('needs no newline at its end, may have blank lines, and takes targets with several episodes', async () => {
    const folder = await shards(2, 'ndjson');
    const merged = await here('merge', folder, '-j');
    const first = join(folder, 'part.1.ndjson');
    const text = readFileSync(first, 'utf8');
    writeFileSync(first, text.trimEnd().replaceAll('\n', '\n\n'));
    expect(await here('merge', folder, '-j')).toEqual(merged);
    // Two episodes of one target, of which there is one less in all.
    const [own = '', next = ''] = text.match(/"position":\d+/g) ?? [];
    writeFileSync(first, text.replace(next, own).replace('"targets":14', '"targets":13'));
    const second = join(folder, 'part.2.ndjson');
    writeFileSync(second, readFileSync(second, 'utf8').replace('"targets":14', '"targets":13'));
    const { episodes } = JSON.parse((await here('merge', folder, '-j')).stdout) as VerifyReport;
    expect(episodes).toHaveLength(14);
  });

  test.each(['stat', 'hash'])('adds up the numbers of caches: %s', async (mode) => {
    const cache = join(tempDir(), 'cache');
    const options = ['--cache', cache, '--cache-mode', mode];
    await shards(2, 'ndjson', ...options);
    const folder = await shards(2, 'ndjson', ...options);
    const { cache: told } = JSON.parse((await here('merge', folder, '-j')).stdout) as VerifyReport;
    expect(told).toMatchObject({ mode, read: expect.any(Number), left: 0 });
  });

  test('fits its schema, line by line', async () => {
    const { stdout } = await here('verify', 'eps', '-f', 'ndjson');
    const lines = stdout.trimEnd().split('\n');
    const episodes = lines.slice(0, -1).map((line) => outputIn(line) as object);
    const head = reportHeadSchema.parse(outputIn(lines.at(-1) ?? ''));
    expect(head.summary.episodes).toBe(14);
    expect(reportSchema.safeParse({ ...head, episodes }).success).toBe(true);
    const [json] = [outputIn((await here('verify', 'eps', '-j')).stdout) as VerifyReport];
    expect({ ...head, episodes }).toEqual(json);
  });
});

describe('merge refuses', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await shards(3, 'ndjson');
  });
  const part = (index: number) => join(folder, `part.${index}.ndjson`);
  const edited = (index: number, edit: (text: string) => string): string => {
    const dir = tempDir();
    for (const at of [1, 2, 3]) cpSync(part(at), join(dir, `part.${at}.ndjson`));
    const path = join(dir, `part.${index}.ndjson`);
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    return dir;
  };

  test('missing shards, by name, unless --partial', async () => {
    const { code, stderr, stdout } = await here('merge', part(2));
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('shard 1, 3 of 3 are missing');
    expect(stderr).toContain('--shard 1/3');
    const partial = await here('merge', part(2), '--partial', '-j', '-q');
    expect(partial.code).toBe(1);
    expect((JSON.parse(partial.stdout) as VerifyReport).episodes.length).toBeGreaterThan(0);
  });

  test('another number of shards than was expected', async () => {
    const { code, stderr } = await here('merge', folder, '--expect', '4');
    expect(code).toBe(2);
    expect(stderr).toContain('3 shards, and 4 were expected');
  });

  test('a duplicate shard', async () => {
    const copy = join(tempDir(), 'again.ndjson');
    cpSync(part(1), copy);
    const { code, stderr } = await here('merge', folder, copy);
    expect(code).toBe(2);
    expect(stderr).toContain('are both reports of shard 1 of 3');
  });

  test.each<[string, (text: string) => string, string]>([
    [
      'versions',
      (text) => text.replace(/"version":"[^"]*"/, '"version":"9.9.9"'),
      'different versions (9.9.9',
    ],
    ['policies', (text) => text.replace('"strict":false', '"strict":true'), 'different policies'],
    ['shard counts', (text) => text.replace('"count":3', '"count":4'), 'of 4 and of 3 shards'],
    ['targets', (text) => text.replace(/"plan":"[^"]*"/, '"plan":"x"'), 'different targets'],
  ])('reports of different %s', async (_what, edit, message) => {
    const { code, stderr } = await here('merge', edited(3, edit));
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
  });

  test.each<[string, (text: string) => string, string]>([
    ['has no summary', (text) => text.split('\n').slice(0, -2).join('\n'), 'lacks its last line'],
    [
      'lacks an episode',
      (text) => text.split('\n').slice(1).join('\n'),
      'does not have the number of runs in its summary',
    ],
    ['is out of order', (text) => text.replace(/"position":\d+/, '"position":13'), 'order'],
  ])('a report that %s', async (_what, edit, message) => {
    const { code, stderr, stdout } = await here('merge', edited(3, edit));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  test.each<[string, string, string]>([
    ['of something else', '{"a":1}', 'is not a report of noesis verify'],
    ['of text', 'hello', 'is not a complete report of noesis verify'],
    ['without text', '', 'is not a complete report of noesis verify'],
  ])('a file %s, as any target that cannot be read', async (_what, content, message) => {
    const { code, stderr, stdout } = await here(
      'merge',
      edited(3, () => content),
    );
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(message);
  });

  /** The parts, all edited in one way. */
  const allEdited = (edit: (text: string) => string): string => {
    const dir = tempDir();
    for (const at of [1, 2, 3])
      writeFileSync(join(dir, `part.${at}.ndjson`), edit(readFileSync(part(at), 'utf8')));
    return dir;
  };
  const positionIn = (text: string): string => /"position":\d+/.exec(text)?.[0] ?? '';

  test('an episode in two shards, even without positions', async () => {
    const first = positionIn(readFileSync(part(1), 'utf8'));
    for (const dir of [
      edited(2, (text) => text.replace(/"position":\d+/, first)),
      allEdited((text) => text.replaceAll(/"position":\d+,?/g, '')),
    ]) {
      const { code, stderr } = await here('merge', dir);
      expect([code, stderr]).toEqual([2, expect.stringContaining('it would count twice')]);
    }
  });

  test('shards with fewer episodes than planned', async () => {
    const { code, stderr } = await here(
      'merge',
      allEdited((text) => text.replace('"targets":14', '"targets":15')),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('the shards have 14 of 15 targets')]);
  });

  test('a shard next to a whole report, and fewer reports than expected', async () => {
    const whole = join(tempDir(), 'whole.ndjson');
    await here('verify', 'eps', '-f', 'ndjson', '-o', whole);
    const mixed = await here('merge', whole, part(1));
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('only one is of a shard')]);
    const one = await here('merge', whole, '--expect', '2');
    expect([one.code, one.stderr]).toEqual([
      3,
      expect.stringContaining('there is 1 report, and 2 were expected'),
    ]);
    const copies = tempDir();
    for (const name of ['a', 'b']) cpSync(whole, join(copies, name));
    const two = await here('merge', join(copies, 'a'), join(copies, 'b'), '--expect', '3');
    expect(two.stderr).toContain('there are 2 reports, and 3 were expected');
    expect((await here('merge', whole, '--expect', '1', '-j')).stdout).toBe(
      (await here('verify', 'eps', '-j')).stdout,
    );
    expect(() => planMerge([])).toThrow('there is no report to merge');
  });

  test('many missing shards, of which ten are named', async () => {
    const many = await shards(25, 'ndjson');
    const { stderr } = await here('merge', join(many, 'part.3.ndjson'));
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'shard 1, 2, 4, 5, 6, 7, 8, 9, 10, 11 and 14 more of 25 are missing',
    );
    const all = await here(
      'merge',
      ...Array.from({ length: 24 }, (_, at) => join(many, `part.${at + 1}.ndjson`)),
    );
    expect(all.stderr.replaceAll(/\s+/g, ' ')).toContain('shard 25 of 25 is missing');
  });

  test('a line that is not the report of an episode, and a document that is too long', async () => {
    const dir = edited(1, (text) => `{"episode":1}\n${text.slice(text.indexOf('\n') + 1)}`);
    const { code, stderr } = await here('merge', dir);
    expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('is not the report of a run: '),
    ]);
    const long = join(tempDir(), 'long.json');
    writeFileSync(long, '{');
    truncateSync(long, 256 * 1024 * 1024);
    appendFileSync(long, '\n}');
    const refused = await here('merge', long);
    expect([refused.code, refused.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('has 268435458 bytes: a report of this size is only read as NDJSON'),
    ]);
  });

  test('an unreadable report', async () => {
    const locked = join(tempDir(), 'part.json');
    writeFileSync(locked, '{}', { mode: 0 });
    chmodSync(dirname(locked), 0o755);
    const { code, stderr } = await asNobody(() => runHere(['merge', locked], { cwd: dirname(locked) }));
    expect([code, stderr]).toEqual([3, expect.stringContaining(`cannot read ${locked}: permission denied`)]);
  });

  test('a missing path, and a folder without a report', async () => {
    expect((await here('merge', 'nowhere.json')).code).toBe(3);
    mkdirSync(join(cwd, 'empty'), { recursive: true });
    expect((await here('merge', 'empty')).code).toBe(3);
    expect((await here('merge')).code).toBe(2);
  });
});

describe('many targets', () => {
  test('come from a list, by lines or by zero bytes', async () => {
    const names = readdirSync(join(cwd, 'eps')).map((name) => join('eps', name));
    const whole = await here('verify', ...names, '-j');
    writeFileSync(join(cwd, 'lines'), `${names.join('\r\n')}\n\n`);
    writeFileSync(join(cwd, 'zeros'), `${names.join('\0')}\0`);
    expect(await here('verify', '--targets', 'lines', '-j')).toEqual(whole);
    expect(await here('verify', '--targets', 'zeros', '-0', '-j')).toEqual(whole);
    const input = `${names.join('\0')}\0`;
    expect(await runHere(['verify', '--targets', '-', '-j'], { cwd, input })).toEqual(whole);
  });

  test('that are invalid are refused, because nothing would be checked', async () => {
    writeFileSync(join(cwd, 'none'), '\n\n');
    for (const command of ['verify', 'list', 'stats', 'events']) {
      const { code, stderr } = await here(command, '--targets', 'none');
      expect([command, code]).toEqual([command, 3]);
      expect(stderr).toContain('is empty');
    }
    expect((await here('verify', '--targets', 'nowhere')).code).toBe(3);
    expect((await here('verify', '-', '--targets', '-')).code).toBe(2);
    expect((await here('verify', '--shard', '3/2')).code).toBe(2);
    expect((await here('verify', '--shard', 'auto')).code).toBe(2);
  });

  test('are divided in the same way by verify, list, events and stats', async () => {
    let events = 0;
    for (const index of [1, 2, 3]) {
      const part = ['--shard', `${index}/3`, '-j'];
      const verified = JSON.parse((await here('verify', 'eps', ...part)).stdout) as VerifyReport;
      const listed = JSON.parse((await here('list', 'eps', ...part)).stdout) as { episode: string }[];
      const ids = verified.episodes.map(({ episode }) => episode).sort();
      expect(listed.map(({ episode }) => episode).sort()).toEqual(ids);
      const stats = JSON.parse((await here('stats', 'eps', ...part)).stdout) as { episodes: number };
      const printed = (await here('events', 'eps', ...part)).stdout;
      events += printed.split('\n').length - 1;
      expect(stats.episodes).toBeLessThanOrEqual(ids.length);
    }
    const whole = await here('events', 'eps', '--shard', '1/1', '-j');
    expect(whole.stdout.split('\n').length - 1).toBe(events);
    // The damaged one is named and left out.
    expect(whole.code).toBe(1);
  });

  test('are those of the task that the environment names', async () => {
    const env = { SLURM_ARRAY_TASK_ID: '2', SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_COUNT: '3' };
    const told = await runHere(['verify', 'eps', '--shard', 'auto', '-j'], { cwd, env });
    expect(told).toEqual(await here('verify', 'eps', '--shard', '3/3', '-j'));
  });
});
