import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_VALUES } from '../../src/base/json/limits.ts';
import { CATALOGUE } from '../../src/dialects/catalogue.ts';
import type { SalvageEntry } from '../../src/library/index.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { salvageLog } from '../../src/library/write.ts';
import { MAX_LINE_BYTES } from '../../src/log/limits.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { sampled } from '../support/length.ts';
import { count, rounds, seed } from '../support/reliability.ts';
import { realEpisodes } from '../support/runtime-episodes.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

const recordsIn = (bytes: Buffer): string[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

const [SAMPLE] = realEpisodes().filter(({ name }) => name === 'produced/ok-minimal-planner');
const GOOD = readFileSync(SAMPLE?.log ?? '');
const LINES = recordsIn(GOOD);

function writtenTo(bytes: Uint8Array): string {
  const path = join(tempDir(), 'events.jsonl');
  writeSettled(path, bytes);
  return path;
}

async function salvaged(bytes: Uint8Array) {
  const dir = tempDir();
  const path = join(dir, 'events.jsonl');
  writeFileSync(path, bytes);
  const to = join(dir, 'out');
  const { entries, summary } = await salvageLog(path, { to });
  expect(readFileSync(path).equals(Buffer.from(bytes))).toBe(true);
  return {
    entries,
    summary,
    log: readFileSync(join(to, 'events.jsonl')),
    rejected: readFileSync(join(to, 'events.jsonl.rejected')),
    to,
  };
}

/** A log of two whole records, and a line that is too much between them. */
const around = (line: string | Buffer) =>
  Buffer.concat([Buffer.from(`${LINES[0]}\n`), Buffer.from(line), Buffer.from(`\n${LINES[1]}\n`)]);

type Source = string | (() => Buffer);

/** A fixture or a log that is made, and how many of its records are whole or can be mended, and how many are lost. */
const CLASSES: Readonly<Record<string, readonly [source: Source, records: number, lost: number]>> = {
  'log/truncated': ['log-truncated', 15, 1],
  'log/truncated in a character': ['log-truncated-in-character', 1, 1],
  'log/invalid-utf8': ['log-invalid-utf8', 15, 1],
  'log/bom': ['log-bom', 16, 0],
  'log/nul-bytes': ['log-nul-bytes', 16, 1],
  'log/invalid-json': ['log-invalid-json', 15, 1],
  'log/glued-records': ['log-glued-records', 15, 1],
  'log/glued-records, both whole': ['log-glued-records-whole', 16, 0],
  'log/split-record': ['log-split-record', 16, 0],
  'log/not-object': ['log-not-object', 16, 1],
  'log/non-finite': ['log-non-finite', 16, 0],
  'log/too-deep': ['log-too-deep', 15, 1],
  'log/no-final-newline': ['log-no-final-newline', 16, 0],
  'log/duplicate-key': ['log-duplicate-key', 16, 0],
  'log/unsafe-integer': ['log-unsafe-integer', 16, 0],
  'log/stray-whitespace': ['log-stray-whitespace', 16, 0],
  'blank lines': ['log-blank-lines-and-crlf', 16, 0],
  'log/empty': ['log-empty', 0, 0],
  'log/too-many-values': [
    () => around(`{"id":"x","phase":"reason","payload":{"a":[0${',0'.repeat(MAX_VALUES)}]}}`),
    2,
    1,
  ],
  'log/line-too-long': [() => around(Buffer.alloc(MAX_LINE_BYTES + 1, 'x')), 2, 1],
};

/** Findings about a missing or intact log. */
const NO_DAMAGE = ['log/missing', 'log/changed', 'log/growing', 'log/mixed', 'log/not-json-lines'];

describe('salvage', () => {
  // Two of them are as long as a line may be, which takes as long as all others: only the full form tries them.
  const large = Object.entries(CLASSES).filter(([, [from]]) => typeof from !== 'string');
  const classes = Object.entries(CLASSES).filter((one) => !large.includes(one));
  test.each([...classes, ...sampled(large, 0)])(
    'keeps what is whole in a log with %s',
    async (name, [from, records, lost]) => {
      const source =
        typeof from === 'string' ? readFileSync(join('test/fixtures', from, 'events.jsonl')) : from();
      const [code] = /^log\/[a-z0-9-]+/.exec(name) ?? [];
      const told = (await verifyEpisode(writtenTo(source))).findings.map((finding) => finding.code);
      if (code !== undefined) expect(told).toContain(code);
      const { log, summary, entries, rejected, to } = await salvaged(source);
      expect([summary.kept + summary.repaired, summary.lost]).toEqual([records, lost]);
      expect(recordsIn(log)).toHaveLength(records);
      const report = await verifyEpisode(join(to, 'events.jsonl'));
      const corrupt = report.findings.filter(
        ({ code, severity }) => code.startsWith('log/') && severity === 'error',
      );
      expect(corrupt).toEqual([]);
      // The rejected bytes are kept exactly, and the entries say where they came from.
      for (const entry of entries) {
        if (entry.kind !== 'lost' && entry.kind !== 'replaced') continue;
        const { byteStart, byteEnd, rejectedStart, rejectedEnd } = entry;
        expect(
          rejected.subarray(rejectedStart, rejectedEnd).equals(source.subarray(byteStart, byteEnd)),
        ).toBe(true);
      }
      const account = recordsIn(readFileSync(join(to, 'events.jsonl.salvage'))).map(
        (line) => outputIn(line) as unknown,
      );
      expect(account).toEqual(JSON.parse(JSON.stringify(entries)));
    },
  );

  test('knows every class of damage that the catalogue has', () => {
    const codes = CATALOGUE.map(({ code }) => code).filter((code) => code.startsWith('log/'));
    const known = Object.keys(CLASSES);
    expect(codes.length).toBeGreaterThan(15);
    expect(
      codes.filter((code) => !NO_DAMAGE.includes(code) && !known.some((name) => name.startsWith(code))),
    ).toEqual([]);
  });

  test('restores values that were split or not finite', async () => {
    const record = {
      phase: 'reason',
      payload: { text: 'a\nb"\\', n: 1 },
      episode_id: 'e',
      evidence_ids: [],
      id: 'x',
    };
    const split = JSON.stringify(record).replace('\\n', '\n');
    const { log } = await salvaged(Buffer.from(`${LINES[0]}\n${split}\n${LINES[1]}\n`));
    expect(JSON.parse(recordsIn(log)[1] ?? '')).toEqual(record);
    const infinite = await salvaged(
      Buffer.from(`${LINES[0]}\n{"phase":"reason","payload":{"a":NaN,"b":"NaN","c":-Infinity}}\n`),
    );
    expect(JSON.parse(recordsIn(infinite.log)[1] ?? '')).toEqual({
      phase: 'reason',
      payload: { a: null, b: 'NaN', c: null },
    });
  });

  test('makes no record of the head of one and the tail of another', async () => {
    const [, first = '', second = ''] = LINES;
    const torn = `${first.slice(0, first.indexOf('"timestamp"'))}\n${second.slice(second.indexOf('"id"'))}`;
    const { log, summary } = await salvaged(around(torn));
    expect(recordsIn(log)).toEqual([LINES[0], LINES[1]]);
    expect(summary).toMatchObject({ kept: 2, repaired: 0, lost: 2 });
  });

  test('does not take a part of a torn record for a record', async () => {
    const inner = '{"phase":"act","payload":{},"episode_id":"e","evidence_ids":[],"id":"inner"}';
    for (const torn of [
      `{"id":"o","phase":"plan","payload":{"cause":${inner},"x":1`,
      `{"id":"o","payload":{"a":{}},"phase":"pl`,
      `{"phase":"x","payload":${inner}`,
    ]) {
      const { log, rejected } = await salvaged(Buffer.from(`${LINES[0]}\n${LINES[1]}\n${torn}`));
      expect(recordsIn(log)).toEqual(LINES.slice(0, 2));
      expect(rejected.toString()).toBe(torn);
    }
  });

  const PIECE = 64 * 1024;
  test.each([
    ['before the edge of what is read at a time', [PIECE - 2]],
    ['as the last byte of it', [PIECE - 1]],
    ['right behind it', [PIECE]],
    ['and the next line over it', [10, PIECE - 11, 20]],
    ['and a line longer than it', [3 * PIECE + 5, 1, PIECE - 1, 7]],
  ])('distinguishes lines without a record: a newline %s', async (_where, lengths) => {
    const lines = lengths.map((length, index) => `${index}`.repeat(length));
    const { entries, rejected, log } = await salvaged(around(lines.join('\n')));
    expect(recordsIn(log)).toEqual(LINES.slice(0, 2));
    expect(rejected.toString()).toBe(lines.join(''));
    let byteStart = (LINES[0] ?? '').length + 1;
    const places = lengths.map((length, index) => {
      const place = { line: index + 2, byteStart, byteEnd: byteStart + length };
      byteStart += length + 1;
      return place;
    });
    expect(entries.filter(({ kind }) => kind === 'lost')).toMatchObject(places);
  });

  test('merges neighbouring lost lines after 1,000 entries of their code, and accounts for every byte', async () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}\n`).join('');
    const bytes = Buffer.from(
      `${numbers(1500)}\n${numbers(2)}${LINES[0]}\n${numbers(3)}"text"\n\0\0 \0\n${numbers(1)}{"torn`,
    );
    const { entries, summary, rejected } = await salvaged(bytes);
    expect(outside(bytes, entries)).toBe('');
    expect(summary).toMatchObject({ kept: 1, lost: 1509, repaired: 0 });
    const lost = entries.flatMap((entry) => (entry.kind === 'lost' ? [entry] : []));
    expect(lost.slice(1000).map(({ line, lines, code }) => [line, lines, code])).toEqual([
      [1001, 503, 'log/not-object'],
      [1505, 4, 'log/not-object'],
      [1509, undefined, 'log/nul-bytes'],
      [1510, undefined, 'log/not-object'],
      [1511, undefined, 'log/truncated'],
    ]);
    for (const { byteStart, byteEnd, rejectedStart, rejectedEnd } of lost)
      expect(rejected.toString('latin1', rejectedStart, rejectedEnd)).toBe(
        bytes.toString('latin1', byteStart, byteEnd),
      );
  });

  test.each([
    ['split', `${LINES[0]}`.replace(',"', ',\n"')],
    ['not finite', '{"phase":"reason","payload":{"a":NaN}}'],
    ['torn', `${LINES[0]}${LINES[1]}`],
  ])('mends a record that is %s after a byte order mark', async (_, record) => {
    const { log, summary } = await salvaged(Buffer.from(`\ufeff${record}\n${LINES[1]}\n`));
    expect(summary.kept).toBe(1);
    // At most the mark.
    expect(summary.lostBytes).toBeLessThanOrEqual(3);
    expect(summary.repaired).toBeGreaterThan(0);
    expect(log.includes('\ufeff')).toBe(false);
  });

  test('refuses an episode with more other files than may be copied, and makes nothing', async () => {
    const cwd = tempDir();
    const dir = join(cwd, basename(SAMPLE?.dir ?? ''));
    cpSync(SAMPLE?.dir ?? '', dir, { recursive: true });
    const refused = await runHere(['salvage', dir, '-o', 'out', '--max-copied', '2k'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/more than 2\d{3}\n.*--max-copied/),
    ]);
    expect(readdirSync(cwd)).toEqual([basename(dir)]);
    const copied = await runHere(['salvage', dir, '-o', 'out', '--max-copied', '1M'], { cwd });
    expect(copied.code).toBe(0);
    await expect(salvageLog(dir, { maxCopied: 10 })).rejects.toMatchObject({ code: 'usage' });
  });

  test('copies everything but the seal of an episode, and the seal too if the log is the sealed one', async () => {
    const from = tempDir();
    const [a = '', b = ''] = ['a', 'b'].map((name) => {
      const dir = join(from, name, basename(SAMPLE?.dir ?? ''));
      cpSync(SAMPLE?.dir ?? '', dir, { recursive: true });
      return dir;
    });
    writeFileSync(join(a, 'events.jsonl'), GOOD.subarray(0, GOOD.length - 200));
    const one = await runHere(['salvage', a, '-o', 'out'], { cwd: from });
    expect(one.code).toBe(0);
    expect(one.stderr).toMatch(/the copy is not sealed: final.json, manifest.json/);
    expect(one.stdout).toMatch(
      /\nwrote {5}out\/events.jsonl\nrejected {2}out\/events.jsonl.rejected\naccount {3}out\/events.jsonl.salvage\n$/,
    );
    const sealed = await runHere(['salvage', b, '-o', 'sealed'], { cwd: from });
    expect(sealed.stdout).toMatch(/\nwrote {5}sealed\/events.jsonl\n$/);
    const dry = await runHere(['salvage', a, '--dry-run'], { cwd: from });
    expect(dry.stdout).not.toContain('wrote');
    expect(readdirSync(join(from, 'out')).sort()).toEqual([
      'events.jsonl',
      'events.jsonl.rejected',
      'events.jsonl.salvage',
      'learn.jsonl',
      'state.json',
      'summary.json',
    ]);
    const whole = await runHere(['salvage', b, '-o', 'ep_whole', '-j'], { cwd: from });
    expect(whole.code).toBe(0);
    expect(JSON.parse(recordsIn(Buffer.from(whole.stdout)).at(-1) ?? '')).toMatchObject({
      sealed: true,
      left_out: [],
    });
    expect(readFileSync(join(from, 'ep_whole', 'events.jsonl')).equals(GOOD)).toBe(true);
    const verdict = await runHere(
      ['verify', join(from, 'ep_whole'), '--require-seal', '--rule', 'consistency/episode-id=off'],
      { cwd: from },
    );
    expect(verdict.code).toBe(0);
  });

  test('writes nothing if the folder exists, with --dry-run, or for an unreadable log', async () => {
    const cwd = tempDir();
    writeSettled(join(cwd, 'events.jsonl'), GOOD.subarray(0, 500));
    mkdirSync(join(cwd, 'there'));
    expect(await runHere(['salvage', 'events.jsonl', '-o', 'there'], { cwd })).toMatchObject({
      code: 2,
      stdout: '',
    });
    expect(await runHere(['salvage', 'events.jsonl', '--dry-run'], { cwd })).toMatchObject({ code: 0 });
    expect(await runHere(['salvage', 'events.jsonl'], { cwd })).toMatchObject({ code: 2 });
    for (const command of ['salvage', 'redact'])
      expect(await runHere([command, 'events.jsonl', '-o', 'copy.jsonl'], { cwd })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--output names a folder, and copy.jsonl is the name of a log'),
      });
    expect(await runHere(['salvage', 'nothing.jsonl', '-o', 'x'], { cwd })).toMatchObject({ code: 3 });
    writeFileSync(join(cwd, 'file'), '');
    expect(await runHere(['salvage', 'events.jsonl', '-o', 'file/x'], { cwd })).toMatchObject({ code: 2 });
    expect(readdirSync(cwd).sort()).toEqual(['events.jsonl', 'file', 'there']);
  });

  test('makes missing parents of the folder, as redact does', async () => {
    const cwd = tempDir();
    writeSettled(join(cwd, 'events.jsonl'), GOOD.subarray(0, 500));
    for (const command of ['salvage', 'redact'])
      expect([
        command,
        (await runHere([command, 'events.jsonl', '-o', `${command}/a/b`], { cwd })).stderr,
      ]).toEqual([command, expect.not.stringContaining('cannot write')]);
    expect(readdirSync(join(cwd, 'salvage/a/b'))).toContain('events.jsonl');
  });
});

interface Damage {
  readonly kind: 'cut' | 'nul' | 'put' | 'end';
  readonly at: number;
  readonly length: number;
}

const LOST = ['cut', 'nul'].map((kind) =>
  fc.record({
    kind: fc.constant(kind as 'cut' | 'nul'),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 400 }),
  }),
);

/** Damage to a log: bytes that are cut out, overwritten, or put in. */
const damage: fc.Arbitrary<Damage> = fc.oneof(
  ...LOST,
  fc.record({ kind: fc.constant('put' as const), at: fc.nat(), length: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('end' as const), at: fc.nat(), length: fc.constant(0) }),
);

function damaged(bytes: Buffer, { kind, at: place, length }: Damage): Buffer {
  const at = place % bytes.length;
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(kind === 'put' ? at : at + length)];
  if (kind === 'end') return Buffer.from(head);
  if (kind === 'cut') return Buffer.concat([head, tail]);
  return Buffer.concat([
    head,
    kind === 'nul'
      ? Buffer.alloc(Math.min(length, bytes.length - at))
      : Buffer.from('{"}\n').subarray(0, length),
    tail,
  ]);
}

const damagedBy = (damages: readonly Damage[]): Buffer =>
  damages.reduce<Buffer>((log, one) => (log.length > 0 ? damaged(log, one) : log), GOOD);

const ENVELOPE = ['agent_id', 'episode_id', 'evidence_ids', 'id', 'payload', 'phase', 'timestamp'];

/** The lines of a damaged log that did not change, each with its newline. */
function untouched(bytes: Buffer): string[] {
  const left = bytes.toString('latin1').split('\n');
  return LINES.filter((line) => left.includes(Buffer.from(line).toString('latin1')));
}

/** The text of a log that no entry accounts for; fails if two entries have the same bytes, or one is out of order. */
function outside(bytes: Buffer, entries: readonly SalvageEntry[]): string {
  let at = 0;
  const between = entries.map((entry) => {
    if (entry.kind === 'summary') return bytes.toString('latin1', at);
    // The bytes of a mended record are those of the entry before.
    if (entry.kind === 'replaced') return '';
    expect(entry.byteStart).toBeGreaterThanOrEqual(at);
    const text = bytes.toString('latin1', at, entry.byteStart);
    at = entry.byteEnd;
    return text;
  });
  return between.join('').replace('\xef\xbb\xbf', '').trim();
}

describe('salvage of a log with any damage', () => {
  const how = { numRuns: rounds(60), seed };

  test('keeps every intact record, in order, and invents none', async (context) => {
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        const bytes = damagedBy(damages);
        const { log, entries } = await salvaged(bytes);
        expect(outside(bytes, entries)).toBe('');
        count(context, { 'damaged logs': 1 });
        const found = recordsIn(log);
        expect(found.filter((line) => untouched(bytes).includes(line))).toEqual(untouched(bytes));
        // A record that is neither original nor reported as repaired is invented, unless an edit left it whole.
        const strange = found.filter((line) => !LINES.includes(line));
        const lines = bytes.toString('latin1').split('\n');
        for (const line of strange) {
          // For a reader, any line that is an object is a record.
          if (lines.includes(Buffer.from(line).toString('latin1'))) continue;
          expect(entries.some(({ kind }) => kind === 'repaired')).toBe(true);
          // Two torn records may by chance read on as one: it has at least what records of this log have.
          const keys = Object.keys(JSON.parse(line.trim()) as object);
          expect(ENVELOPE.filter((key) => keys.includes(key)).length).toBeGreaterThan(2);
        }
      }),
      how,
    );
  });
});
