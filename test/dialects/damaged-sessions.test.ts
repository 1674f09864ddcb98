import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_DEPTH, MAX_VALUES } from '../../src/base/json/limits.ts';
import { CATALOGUE } from '../../src/dialects/catalogue.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { MAX_LINE_BYTES } from '../../src/log/limits.ts';
import { SAMPLES } from '../support/cli.ts';
import { sampled } from '../support/length.ts';
import { tempDir, writeSettled } from '../support/temp.ts';
import { LINE_DIALECTS } from './sessions.ts';

const NEWLINE = Buffer.from('\n');

/** A change of the lines of a log, without newlines, and the line of the finding if it is another one. */
type Damage = (
  lines: Buffer[],
  at: number,
) => { readonly line?: number; readonly noNewline?: boolean } | undefined;

/** Puts another line in the place of one. */
const instead =
  (make: (line: Buffer) => Buffer | string): Damage =>
  (lines, at) => {
    lines[at] = Buffer.from(make(lines[at] ?? Buffer.alloc(0)));
    return undefined;
  };
/** Puts bytes into a line. */
const into = (line: Buffer, at: number, bytes: Buffer | string) =>
  Buffer.concat([line.subarray(0, at), Buffer.from(bytes), line.subarray(at)]);
const withMember = (member: string): Damage =>
  instead((line) => into(line, line.lastIndexOf('}'), `,${member}`));
/** A place inside the first text of a record. */
const insideText = (line: Buffer) => line.indexOf('":"') + 4;

/** How a log gets each kind of damage that the catalogue has. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  'log/truncated': (lines) => {
    lines.push((lines.pop() ?? Buffer.alloc(0)).subarray(0, -9));
    return { line: lines.length, noNewline: true };
  },
  'log/invalid-utf8': instead((line) => into(line, insideText(line), Buffer.of(0xff))),
  'log/bom': (lines) => {
    lines[0] = Buffer.concat([Buffer.from('\ufeff'), lines[0] ?? Buffer.alloc(0)]);
    return { line: 1 };
  },
  'log/nul-bytes': instead((line) => Buffer.concat([Buffer.alloc(300), line])),
  'log/invalid-json': instead((line) => into(line, 1, ',')),
  'log/glued-records': (lines, at) => {
    lines.splice(at, 2, Buffer.concat(lines.slice(at, at + 2)));
    return undefined;
  },
  'log/split-record': instead((line) => into(line, insideText(line), '\n')),
  'log/not-object': instead(() => '[1]'),
  'log/non-finite': withMember('"zz":NaN'),
  'log/duplicate-key': withMember('"zz":1,"zz":2'),
  'log/unsafe-integer': withMember('"zz":12345678901234567890'),
  'log/stray-whitespace': instead((line) => into(line, 0, '\u2028')),
  'log/too-deep': withMember(`"zz":${'['.repeat(MAX_DEPTH + 1)}${']'.repeat(MAX_DEPTH + 1)}`),
  'log/too-many-values': withMember(`"zz":[0${',0'.repeat(MAX_VALUES)}]`),
  'log/line-too-long': instead((line) => Buffer.concat([line, Buffer.alloc(MAX_LINE_BYTES, ' '), line])),
  'log/no-final-newline': (lines) => ({ line: lines.length, noNewline: true }),
};

/** Findings about a missing or intact log. */
const NO_DAMAGE = [
  'log/missing',
  'log/empty',
  'log/mixed',
  'log/changed',
  'log/growing',
  'log/not-json-lines',
];
/** They take long: one sample of each program gets them, and in the short form only one program does. */
const HUGE = ['log/too-many-values', 'log/line-too-long'];

test('the samples are damaged in each way that the catalogue knows', () => {
  const codes = CATALOGUE.map(({ code }) => code).filter((code) => code.startsWith('log/'));
  expect(codes.filter((code) => !NO_DAMAGE.includes(code)).sort()).toEqual(Object.keys(DAMAGES).sort());
});

/** The logs of a program that are as it left them. */
const samplesOf = (program: string): string[] =>
  readdirSync(join(SAMPLES, program), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !name.startsWith('damaged'))
    .sort()
    .map((name) => join(SAMPLES, program, name));

function damaged(path: string, damage: Damage): { readonly log: string; readonly line: number } {
  const bytes = readFileSync(path);
  const lines = bytes
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line, 'latin1'));
  const at = Math.min(lines.length - 2, Math.max(1, lines.length >> 1));
  const { line = at + 1, noNewline = false } = damage(lines, at) ?? {};
  const folder = join(tempDir(), basename(dirname(path)));
  mkdirSync(folder);
  const log = join(folder, basename(path));
  const ended = lines.flatMap((text, index) =>
    noNewline && index === lines.length - 1 ? [text] : [text, NEWLINE],
  );
  writeSettled(log, Buffer.concat(ended));
  return { log, line };
}

const PROGRAMS = LINE_DIALECTS;

describe.each(PROGRAMS)('a session of %s', (program) => {
  const samples = samplesOf(program);
  const hasHuge = sampled(PROGRAMS, 1).includes(program);

  test.each(Object.entries(DAMAGES).filter(([code]) => hasHuge || !HUGE.includes(code)))(
    'with %s gets that finding on its line, and no other',
    async (code, damage) => {
      expect(samples.length).toBeGreaterThan(3);
      for (const sample of HUGE.includes(code) ? samples.slice(0, 1) : sampled(samples, 2)) {
        const { log, line } = damaged(sample, damage);
        const { dialect, findings } = await verifyEpisode(log);
        const where = basename(sample);
        expect([where, dialect]).toEqual([where, program]);
        const told = findings.filter((finding) => finding.code.startsWith('log/'));
        // Where the program that stored a sample left its last newline away, that is said as well.
        const own = told.filter(
          (finding) => finding.code === code || finding.code !== 'log/no-final-newline',
        );
        expect([where, own.map((finding) => [finding.code, finding.line])]).toEqual([where, [[code, line]]]);
        // The records around a lost record are not at fault.
        const errors = findings.filter(({ severity }) => severity === 'error').map((finding) => finding.code);
        expect([where, errors.filter((one) => one !== code)]).toEqual([where, []]);
      }
    },
  );
});
