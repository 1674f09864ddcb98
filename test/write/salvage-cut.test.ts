import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { YIELD_MS } from '../../src/base/time/yielder.ts';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { salvageLog } from '../../src/library/write.ts';
import { salvage } from '../../src/write/salvage/salvage.ts';
import { realEpisodes } from '../support/runtime-episodes.ts';
import { tempDir } from '../support/temp.ts';

afterEach(() => vi.restoreAllMocks());

const [SAMPLE] = realEpisodes().filter(({ name }) => name === 'produced/ok-minimal-planner');
const LINES = readFileSync(SAMPLE?.log ?? '', 'utf8')
  .trimEnd()
  .split('\n');
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** Writes each copy to a new folder. */
function written(copies: readonly string[]): { dir: string; paths: string[] } {
  const dir = tempDir();
  const paths = copies.map((content, index) => {
    mkdirSync(join(dir, `${index}`));
    const path = join(dir, `${index}`, 'events.jsonl');
    writeFileSync(path, content);
    return path;
  });
  return { dir, paths };
}

/** Lets it be the turn of other work whenever long work asks, and does something at one of these moments. */
function askingOften(does: (time: number) => void): () => number {
  let times = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => {
    times += 1;
    does(times);
    return times * YIELD_MS;
  });
  return () => times;
}

/** Every line of a copy, in turn torn, whole, and of a number that JSON does not have. */
const damaged = text(
  LINES.map((line, index) =>
    index % 3 === 0
      ? line.slice(0, -9)
      : index % 3 === 1
        ? line
        : line.replace('"payload":{', '"payload":{"n":NaN,'),
  ),
);

test('salvage yields to other work', async () => {
  const { dir, paths } = written([damaged]);
  let ticks = 0;
  const tick = () => {
    ticks += 1;
    timer = setImmediate(tick);
  };
  let timer = setImmediate(tick);
  askingOften(() => {});
  const { summary } = await salvageLog(paths[0] ?? '', { to: join(dir, 'out') });
  clearImmediate(timer);
  expect(summary.kept + summary.repaired).toBeGreaterThan(LINES.length / 2);
  expect(ticks).toBeGreaterThan(LINES.length);
});

test('a log that is truncated while it is salvaged is refused, or its intact records are kept', async () => {
  const attempt = async (at: number) => {
    const { dir, paths } = written([damaged]);
    const [path = ''] = paths;
    const count = askingOften((time) => {
      if (time === at) truncateSync(path, 2000);
    });
    const to = join(dir, 'out');
    const outcome = await salvageLog(path, { to }).catch((error: unknown) => error);
    vi.restoreAllMocks();
    return { to, outcome, count: count() };
  };
  const { count, to } = await attempt(0);
  const whole = linesOf(join(to, 'events.jsonl'));
  expect(count).toBeGreaterThan(LINES.length);
  let refused = 0;
  for (let at = 1; at <= count; at += 1) {
    const { outcome, to: folder } = await attempt(at);
    if (outcome instanceof Error) {
      refused += 1;
      expect([at, outcome]).toEqual([at, expect.objectContaining({ code: 'log-changed' })]);
      expect(existsSync(folder)).toBe(false);
    } else
      for (const line of linesOf(join(folder, 'events.jsonl')))
        if (line !== '') expect([at, whole.includes(line)]).toEqual([at, true]);
  }
  expect(refused).toBeGreaterThan(0);
});

test.each(['', '   ', '        '])(
  'a record that is split between its members is joined there, behind %j',
  async (indent) => {
    const [first = '', second = ''] = LINES;
    const { dir, paths } = written([text([first, indent + second.replace(',"', ',\n"')])]);
    const { summary } = await salvageLog(paths[0] ?? '', { to: join(dir, 'out') });
    expect(summary).toMatchObject({ kept: 1, repaired: 1 });
    expect(linesOf(join(dir, 'out/events.jsonl')).map((line) => line.trim())).toEqual([first, second]);
  },
);

test('nothing is written if a file of the episode is in the way', async () => {
  const { dir, paths } = written([damaged]);

  mkdirSync(join(dir, '0', 'events.jsonl.salvage'));
  writeFileSync(join(dir, '0', 'events.jsonl.salvage', 'file'), '');
  const to = join(dir, 'out');
  const copy = { log: paths[0] ?? '', dir: join(dir, '0') };
  await expect(salvage(copy, noesis, { to })).rejects.toMatchObject({ code: 'usage' });
  expect(existsSync(to)).toBe(false);
});
