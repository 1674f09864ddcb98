import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { seed, times } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

const LOGS = [
  'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
  'codex/sessions/2026/11/22/rollout-2026-11-22T08-37-29-01a20267-3b5a-7330-8e90-645a845357cd.jsonl',
  'copilot/session-state/ffc20ccd-6741-4d9a-a3cd-ac12dd32114a/events.jsonl',
].map((name) => join(SAMPLES, name));

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Kinds of damage to one line. */
const DAMAGE: Readonly<Record<string, (line: Buffer, isFirst: boolean) => Buffer>> = {
  'a byte order mark': (line, isFirst) => (isFirst ? Buffer.concat([MARK, line]) : line),
  'a byte that is not UTF-8': (line) =>
    Buffer.concat([line.subarray(0, -2), Buffer.from([0xff]), line.subarray(-2)]),
  'a raw control character': (line) => Buffer.from(line.toString().replace(/"([a-z])/, '"\u0001$1')),
  'a lost end': (line) => line.subarray(0, -1),
  'NUL bytes': (line) => Buffer.concat([Buffer.alloc(9), line]),
  'two records': (line) => Buffer.concat([line, line]),
};

/** The entry of a log without what the bytes of the file change. */
async function listed(dir: string, name: string, lines: readonly Buffer[]) {
  const log = join(dir, name);
  writeFileSync(log, Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')])));
  const [entry] = JSON.parse((await runHere(['list', log, '-j'])).stdout);
  return { ...entry, log_bytes: 0 };
}

test('a line of white space that JSON does not know is blank for list as well, and a record may be next to it', async () => {
  const [log = ''] = LOGS;
  const name = basename(log);
  const [first = '', second = '', ...rest] = readFileSync(log, 'utf8').trimEnd().split('\n');
  const dir = tempDir();
  const entryOf = async (lines: readonly string[]) => {
    writeFileSync(join(dir, name), `${lines.join('\n')}\n`);
    const [{ log_bytes: _, ...entry }] = JSON.parse((await runHere(['list', join(dir, name), '-j'])).stdout);
    return entry;
  };
  const plain = await entryOf([first, second, ...rest]);
  for (const space of ['\u00a0', '\u3000\t', '\u2028'])
    expect(
      await entryOf([`${space}${first}`, space, second, `${rest[0]}${space}`, ...rest.slice(1)]),
    ).toEqual(plain);
});

describe.each(LOGS.map((log) => [basename(log), log]))('%s', (name, log) => {
  test('list reads the records of a damaged log that other commands read', async () => {
    const lines = readFileSync(log)
      .toString()
      .trimEnd()
      .split('\n')
      .map((text) => Buffer.from(text));
    const cases = fc.record({
      line: fc.oneof(fc.constant(0), fc.nat(lines.length - 1)),
      kind: fc.constantFrom(...Object.keys(DAMAGE)),
    });
    const dir = tempDir();
    const property = fc.asyncProperty(cases, async ({ line, kind }) => {
      const damage = DAMAGE[kind];
      const damaged = lines.map((bytes, at) => (at === line && damage ? damage(bytes, at === 0) : bytes));
      const isKept = kind === 'a byte order mark';
      // Other commands leave out a damaged line, but keep a record behind a byte order mark, and the whole records of a line.
      const whole =
        kind === 'two records' ? [lines[line], lines[line]].filter((bytes) => bytes !== undefined) : [];
      const kept = lines.flatMap((bytes, at) =>
        at === line && !isKept ? [Buffer.from('{'), ...whole] : [bytes],
      );
      expect(await listed(dir, name, damaged)).toEqual(await listed(dir, name, kept));
    });
    await fc.assert(property, { seed, numRuns: times(40, 8) });
  });
});

test('the sum below a list does not say that logs are intact', async () => {
  const { stderr } = await runHere(['list', ...LOGS.slice(0, 2)], { columns: 120 });
  expect(stderr).toMatch(/^2 \w+: .*; not verified$/m);
});
