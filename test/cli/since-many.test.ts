import { appendFileSync, copyFileSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
/** The session is of 2026-10-05. */
const SINCE = ['--since', '2026-10-05T00:00:00Z'];
const writtenOn = (log: string, day: string) => utimesSync(log, new Date(day), new Date(day));

let cwd = '';
beforeEach(() => {
  cwd = tempDir();
  for (const name of ['old.jsonl', 'new.jsonl']) copyFileSync(SHOP, join(cwd, name));
});

test.each([['stats'], ['events']])(
  '%s --since does not read a log that was last written before',
  async (command) => {
    const [old, fresh] = [join(cwd, 'old.jsonl'), join(cwd, 'new.jsonl')];
    for (const path of [old, fresh]) writtenOn(path, '2026-10-06T00:00:00Z');
    const run = () => runHere([command, ...SINCE, 'old.jsonl', 'new.jsonl', '-j'], { cwd });
    const both = await run();
    expect(both.code).toBe(0);
    appendFileSync(old, '{"torn":');
    writtenOn(old, '2026-10-04T12:00:00Z');
    // Within a day of the period it is read, and its damage is an error.
    expect((await run()).code).toBe(1);
    writtenOn(old, '2026-10-03T23:00:00Z');
    const without = await run();
    expect(without.code).toBe(0);
    expect(without.stdout.length).toBeLessThan(both.stdout.length);
    expect(readFileSync(old, 'utf8').endsWith('{"torn":')).toBe(true);
  },
);
