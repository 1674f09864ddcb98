import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';

// A thread of Codex with several logs, of which one or a part of one is missing. Each later log says where it goes on.

const DAY = join(SAMPLES, 'parts/codex-segments/sessions/2026/09/01');
const [FIRST = '', SECOND = '', THIRD = ''] = readdirSync(DAY).sort();
const linesOf = (name: string): string[] => readFileSync(join(DAY, name), 'utf8').trimEnd().split('\n');

/** A folder with some first lines of each log. */
const folderWith = (logs: Readonly<Record<string, number>>): string =>
  writeTree(
    Object.fromEntries(
      Object.entries(logs)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => [name, `${linesOf(name).slice(0, count).join('\n')}\n`]),
    ),
  );

const out = async (...args: string[]): Promise<string> => (await runHere(args)).stdout;
const json = async (...args: string[]) => JSON.parse(await out(...args, '-j'));

/** What `verify` says of the thread. */
async function seenIn(folder: string): Promise<string[]> {
  const { episodes } = await json('verify', folder);
  return (episodes as { findings: { severity: string; code: string; file: string; line: number }[] }[])
    .flatMap(({ findings }) => findings)
    .map(({ severity, code, file, line }) => `${severity} ${code} ${file}:${line}`);
}

/** What each command says that the thread lacks. */
async function lacksIn(folder: string): Promise<unknown[]> {
  const [listed] = await json('list', folder);
  const log = join(folder, FIRST);
  const totals = JSON.parse((await out('timeline', log, '-j')).trimEnd().split('\n').at(-1) ?? '');
  const [shown, stats, read] = [
    await json('show', log),
    await json('stats', folder),
    await json('read', log),
  ];
  return [
    listed.lacks,
    shown.lacks ?? shown.usage?.lacks,
    stats.lacks ?? stats.usage?.lacks,
    read.lacks,
    totals.totals.lacks,
  ];
}

const WHOLE = { [FIRST]: 11, [SECOND]: 9, [THIRD]: 9 };

test('a thread with all its logs, or without the last ones, lacks nothing', async () => {
  for (const logs of [WHOLE, { [FIRST]: 11, [SECOND]: 9 }, { [FIRST]: 11 }]) {
    const folder = folderWith(logs);
    expect(await seenIn(folder)).toEqual([]);
    expect(await lacksIn(folder)).toEqual(Array(5).fill(undefined));
  }
});

test('every command says that the log in the middle is missing', async () => {
  const folder = folderWith({ ...WHOLE, [SECOND]: 0 });
  expect(await seenIn(folder)).toEqual([`warn session/missing-log ${THIRD}:1`]);
  expect(await lacksIn(folder)).toEqual(Array(5).fill({ logs: 1 }));
  const log = join(folder, FIRST);
  expect(await out('show', log)).toMatch(/at least 1,570, without the records before 1 further log/);
  const read = await out('read', log);
  expect(read).toContain('── the records before this log are missing ──');
  // Nobody knows whether the program worked in the time between the logs.
  expect(read).toContain('19m 50s unknown');
  expect(read).not.toContain('idle');
  expect(await out('timeline', log)).toContain('19m 50s unknown');
  const { time } = await json('show', log);
  expect(time.unknown_ms).toBeGreaterThan(19 * 60_000);
  expect(time.model_ms + time.tools_ms + time.waited_ms + time.idle_ms + time.unknown_ms).toBe(
    time.lasted_ms,
  );
  expect((await json('stats', folder)).unknown_ms).toBe(time.unknown_ms);
});

test.each([FIRST, SECOND])(
  'every end that %s lacks is seen, because the next log goes on after it',
  async (name) => {
    const next = name === FIRST ? SECOND : THIRD;
    for (let count = 2; count < linesOf(name).length; count += 1) {
      const folder = folderWith({ ...WHOLE, [name]: count });
      expect(await seenIn(folder)).toContain(`warn consistency/history-base ${next}:1`);
      expect(await lacksIn(folder)).toMatchObject(Array(5).fill({ logs: 1 }));
    }
  },
);

test('the further logs of a thread without its first one are runs that say so', async () => {
  const folder = folderWith({ [THIRD]: 9 });
  expect(await seenIn(folder)).toEqual([]);
  expect(await out('verify', folder)).toMatch(/It is a further log of the session/);
});

test('a thread may go on from an earlier record of a log, and a damaged last line is not a missing one', async () => {
  const reverted = linesOf(SECOND)[0]?.replace(
    '"end_ordinal_exclusive":11,"end_byte_offset":2287',
    `"end_ordinal_exclusive":5,"end_byte_offset":${Buffer.byteLength(`${linesOf(FIRST).slice(0, 5).join('\n')}\n`)}`,
  );
  const first = readFileSync(join(DAY, FIRST), 'utf8');
  const second = [reverted, ...linesOf(SECOND).slice(1)].join('\n');
  const back = writeTree({ [FIRST]: first, [SECOND]: `${second}\n` });
  expect(await seenIn(back)).toEqual([]);
  expect(await lacksIn(back)).toEqual(Array(5).fill(undefined));
  const torn = writeTree({ [FIRST]: first.slice(0, -20), [SECOND]: readFileSync(join(DAY, SECOND), 'utf8') });
  expect((await json('list', torn))[0].lacks).toEqual({ lines: 1 });
});
