import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { makeTar } from '../support/archives.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const log = readFileSync(join(SAMPLES, 'coordinator/interrupted-session1.jsonl'));
const document = readFileSync(join(SAMPLES, 'atif/v1.0-minimal.json'));

/** A file that breaks off after two thirds of its bytes. */
const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor((bytes.length * 2) / 3));

/** A file with bytes in the middle that are not JSON. */
function garbled(bytes: Buffer): Buffer {
  const middle = Math.floor(bytes.length / 2);
  return Buffer.concat([
    bytes.subarray(0, middle),
    Buffer.from('\xff\0{{', 'latin1'),
    bytes.subarray(middle),
  ]);
}

const INPUTS: Readonly<Record<string, Buffer>> = {
  'whole.jsonl': log,
  'cut.jsonl': cut(log),
  'garbled.jsonl': garbled(log),
  'none.jsonl': Buffer.from('this is\nnot a log\n'),
  'whole.json': document,
  'cut.json': cut(document),
  'garbled.json': garbled(document),
  'none.json': Buffer.from('{"a":1}'),
};

const COMMANDS = [
  ['verify'],
  ['verify', '--format', 'sarif'],
  ['show'],
  ['read'],
  ['events'],
  ['events', '--partial'],
  ['tail'],
  ['timeline'],
  ['stats'],
  ['project'],
  ['search', 'e'],
  ['search', '-q', 'e'],
  ['list'],
  ['diff', 'whole.jsonl'],
  ['export', '--format', 'chrome'],
];

describe.each(Object.entries(INPUTS))('%s', (name, bytes) => {
  test('no command shows the path of a temporary copy', async () => {
    const [cwd, tmpDir] = [tempDir(), tempDir()];
    writeFileSync(join(cwd, 'whole.jsonl'), log);
    writeFileSync(join(cwd, `${name}.gz`), gzipSync(bytes));
    writeFileSync(join(cwd, `${name}.tar`), await makeTar([{ name: `a/${name}`, content: bytes }]));
    for (const command of COMMANDS)
      for (const json of [[], ['-j']])
        for (const [target, input] of [
          ['-', bytes],
          [`${name}.gz`, undefined],
          [`${name}.tar`, undefined],
        ] as const) {
          const args = [...command, ...json, target];
          const { stdout, stderr } = await runHere(args, { cwd, tmpDir, input });
          for (const text of [stdout, stderr])
            expect(text, args.join(' ')).not.toMatch(/noesis-\w{6}\b|stdin\.jsonl/);
        }
  });

  // A file like this is refused because of its name; standard input has none.
  if (name === 'none.json') return;
  test('a report on standard input has the findings of one on the file, at the same places', async () => {
    const cwd = tempDir();
    writeFileSync(join(cwd, name), bytes);
    const findingsOf = async (target: string) => {
      const { stdout } = await runHere(['verify', '-j', target], { cwd, input: bytes });
      if (stdout === '') return undefined;
      const { episodes } = JSON.parse(stdout) as VerifyReport;
      return episodes.flatMap(({ findings }) =>
        findings.map(({ code, line, column, message }) => ({ code, line, column, message })),
      );
    };
    expect(await findingsOf('-')).toEqual(await findingsOf(name));
  });
});

test('standard input is named - where a run is named', async () => {
  const { stdout: found } = await runHere(['search', '-q', 'e', '-'], { input: log });
  expect(found).toBe('-\n');
  const { stdout: failures } = await runHere(['stats', '-'], { input: log });
  expect(failures).toMatch(/critic_fail +- 21 /);
  const { stderr } = await runHere(['stats', '-'], { input: cut(log) });
  expect(stderr).toContain('--> -:30:1');
});
