import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { documentAt } from '../../src/find/document-source.ts';
import { type MadeEntry, makeZip, makeZstdZip } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

const at = (second: number) => `2026-03-02T09:00:0${second}+00:00`;
const EVENTS = [
  { event: 'sample_init', uuid: 'a1', timestamp: at(0), span_id: 's' },
  { event: 'tool', uuid: 'a2', timestamp: at(1), span_id: 's', type: 'function', function: 'bash' },
  { event: 'score', uuid: 'a3', timestamp: at(2), span_id: 's', score: { value: 'C' } },
];
const MESSAGES = [{ id: 'm1', role: 'user', content: 'what is 12345678901234567890?' }];
const SAMPLES = [
  { id: 1, epoch: 1, messages: MESSAGES, events: EVENTS },
  { id: 'two', epoch: 1, messages: MESSAGES, events: [] },
];
const HEADER = { version: 2, status: 'success', eval: { task: 'sums', created: at(0) } };

const entry = (name: string, value: unknown): MadeEntry => ({
  name,
  content: Buffer.from(JSON.stringify(value)),
});
const ENTRIES = [
  entry('_journal/start.json', { version: 2, eval: HEADER.eval }),
  entry('_journal/summaries/1.json', [{ id: 1, epoch: 1 }]),
  ...SAMPLES.map((sample) => entry(`samples/${sample.id}_epoch_1.json`, sample)),
  entry('summaries.json', [{ id: 1, epoch: 1 }]),
  entry('header.json', HEADER),
];
const LINES = [
  ...EVENTS.map((event) => JSON.stringify({ sample_id: 1, epoch: 1, event_type: event.event, ...event })),
  JSON.stringify({ sample_id: 'two', epoch: 1, ...MESSAGES[0] }),
];

function written(name: string, content: Uint8Array | string): string {
  const path = join(tempDir(), name);
  writeFileSync(path, content);
  return path;
}

describe('an evaluation log of Inspect', () => {
  test.each([
    ['deflated', 'log.eval', async () => makeZip(ENTRIES)],
    ['with zstd', 'log.eval', async () => makeZstdZip(ENTRIES)],
    ['as JSON', 'log.json', async () => JSON.stringify({ ...HEADER, samples: SAMPLES }, null, 2)],
  ] as const)('is read as the events of its samples: %s', async (_how, name, make) => {
    const path = written(name, await make());
    const events = await runHere(['events', path, '-j']);
    expect([events.code, events.stdout]).toEqual([0, `${LINES.join('\n')}\n`]);
    expect(events.stderr).toMatch(/line N is/);
    const tools = await runHere(['events', path, '-j', '--type', 'tool']);
    expect(tools.stdout).toBe(`${LINES[1]}\n`);
    for (const command of ['show', 'timeline', 'stats', 'tail'])
      expect([command, (await runHere([command, path])).code]).toEqual([command, 0]);
    const verified = await runHere(['verify', path, '-j']);
    const { verdict, summary } = JSON.parse(verified.stdout) as { verdict: string; summary: object };
    expect([verified.code, verdict, summary]).toEqual([0, 'ok', expect.objectContaining({ events: 4 })]);
  });

  test('with a sample that is not a document, or too long, is refused', async () => {
    const broken = makeZip([{ name: 'samples/1_epoch_1.json', content: Buffer.from('{"id":1,') }]);
    const long = makeZip(
      [{ name: 'samples/1_epoch_1.json', content: Buffer.alloc(65 * 1024 * 1024, 32) }],
      0,
    );
    for (const bytes of [broken, long]) {
      const path = written('log.eval', bytes);
      const { code, stdout } = await runHere(['events', path, '-j']);
      expect([code, stdout]).toEqual([3, '']);
      expect((await runHere(['verify', path])).code).toBe(1);
    }
  });

  test('is recognised by its bytes as well: a file that only has the name is read unchanged', async () => {
    const path = written('lines.eval', '{"id":"a","type":"x"}\n');
    expect(await runHere(['events', path, '-j'])).toMatchObject({
      code: 0,
      stdout: '{"id":"a","type":"x"}\n',
    });
  });
});

const EMPTY = Buffer.alloc(0);

interface Made {
  readonly bytes: Buffer;
  /** Where each entry ends. */
  readonly ends: readonly number[];
}

/** The ends of the entries of a zip, by the headers of the next ones. */
function withEnds(bytes: Buffer): Made {
  const ends: number[] = [];
  for (const sign of ['PK\u0003\u0004', 'PK\u0001\u0002'])
    for (let at = bytes.indexOf(sign, 1, 'latin1'); at !== -1; at = bytes.indexOf(sign, at + 1, 'latin1'))
      if (ends.length < ENTRIES.length) ends.push(at);
  return { bytes, ends };
}

/** A zip of a program that writes to a pipe: the sizes follow the data. */
function streamed(method: 0 | 8, { isSigned, isLong }: { isSigned: boolean; isLong: boolean }): Made {
  const parts: Buffer[] = [];
  const ends: number[] = [];
  for (const { name, content = EMPTY } of ENTRIES) {
    const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const head = Buffer.alloc(30);
    head.write('PK\u0003\u0004', 'latin1');
    head.writeUInt16LE(0x808, 6);
    head.writeUInt16LE(method, 8);
    head.writeUInt16LE(name.length, 26);
    const sums = Buffer.alloc(isLong ? 20 : 12);
    sums.writeUInt32LE(crc32(content));
    sums.writeUInt32LE(packed.length, 4);
    sums.writeUInt32LE(content.length, isLong ? 12 : 8);
    parts.push(
      head,
      Buffer.from(name),
      packed,
      isSigned ? Buffer.from('PK\u0007\u0008', 'latin1') : EMPTY,
      sums,
    );
    ends.push(Buffer.concat(parts).length);
  }
  return {
    bytes: Buffer.concat([...parts, Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.alloc(20)]),
    ends,
  };
}

/** A zip with the sizes of its entries in extra fields, as for files that could grow beyond 4 GiB. */
function long(): Made {
  const parts: Buffer[] = [];
  const ends: number[] = [];
  for (const { name, content = EMPTY } of ENTRIES) {
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(30);
    head.write('PK\u0003\u0004', 'latin1');
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(0xffffffff, 18);
    head.writeUInt32LE(0xffffffff, 22);
    head.writeUInt16LE(name.length, 26);
    head.writeUInt16LE(20, 28);
    const extra = Buffer.alloc(20);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(16, 2);
    extra.writeUInt32LE(content.length, 4);
    extra.writeUInt32LE(packed.length, 12);
    parts.push(head, Buffer.from(name), extra, packed);
    ends.push(Buffer.concat(parts).length);
  }
  return { bytes: Buffer.concat(parts), ends };
}

const KINDS: readonly (readonly [string, () => Made | Promise<Made>])[] = [
  ['deflated', () => withEnds(makeZip(ENTRIES))],
  ['stored', () => withEnds(makeZip(ENTRIES, 0))],
  ['with zstd', async () => withEnds(await makeZstdZip(ENTRIES))],
  ['streamed, deflated', () => streamed(8, { isSigned: true, isLong: false })],
  ['streamed, stored', () => streamed(0, { isSigned: true, isLong: false })],
  ['streamed with long sizes', () => streamed(8, { isSigned: true, isLong: true })],
  ['streamed without signatures', () => streamed(8, { isSigned: false, isLong: false })],
  ['streamed with long sizes, without signatures', () => streamed(0, { isSigned: false, isLong: true })],
  ['with sizes in extra fields', long],
];

describe('an evaluation log of Inspect that was cut off', () => {
  const isSample = (name: string) => name.startsWith('samples/');
  const firstSample = ENTRIES.findIndex(({ name }) => isSample(name));

  test.each(KINDS)('gives its whole samples, and says where it is cut: %s', async (kind, make) => {
    const { bytes, ends } = await make();
    const isStreamed = kind.startsWith('streamed');
    const from = ends[firstSample - 1] ?? 0;
    // In a descriptor the data is whole, and its size may be known already.
    const isClear = (cut: number) => !isStreamed || !ends.some((end) => cut >= end - 24 && cut < end);
    const everywhere = Array.from({ length: (bytes.length - from - 1) / 5 }, (_, index) => from + 5 * index);
    const cuts = sampled(everywhere.filter(isClear), 12);
    for (const cut of [...cuts, ...ends]) {
      const path = written('log.eval', bytes.subarray(0, cut));
      const { remark = '', damage = '', lines } = (await documentAt(path)) ?? { lines: undefined };
      const text: string[] = [];
      for await (const line of lines?.(() => {}) ?? []) text.push(`${line}`);
      const whole = ends.filter((end) => end <= cut);
      const samples = ENTRIES.slice(0, whole.length).filter(({ name }) => isSample(name)).length;
      const wanted = LINES.slice(0, [0, EVENTS.length, LINES.length][samples]);
      expect([cut, text]).toEqual([cut, [...wanted.map((line) => `${line}\n`), '{']]);
      expect(damage).toContain(`with ${samples} sample${samples === 1 ? '' : 's'}`);
      const torn = ENTRIES[whole.length]?.name;
      const isInside = torn !== undefined && cut >= (whole.at(-1) ?? 0) + 30 + torn.length;
      if (isInside && cut < (ends[whole.length] ?? 0))
        expect(damage).toContain(`byte ${cut}, in the middle of ${torn}`);
      expect(remark).toContain('line N is event N of its whole samples');
    }
  });

  test('fails verification, and every command reads what is whole', async () => {
    const { bytes, ends } = withEnds(makeZip(ENTRIES));
    const path = written('log.eval', bytes.subarray(0, (ends[firstSample] ?? 0) + 40));
    const verified = await runHere(['verify', path, '-j']);
    const { episodes } = JSON.parse(verified.stdout) as {
      episodes: { findings: object[]; summary: object }[];
    };
    expect([verified.code, episodes]).toEqual([
      1,
      [
        expect.objectContaining({
          level: 'none',
          findings: [
            {
              code: 'log/truncated',
              severity: 'error',
              file: 'log.eval',
              hint: expect.any(String),
              message: expect.stringMatching(
                /^the file ends at byte \d+, .*: 3 entries before it are whole, with 1 sample$/,
              ),
            },
          ],
        }),
      ],
    ]);
    const events = await runHere(['events', path, '-j', '--partial']);
    expect(events.stdout.split('\n').slice(0, 3)).toEqual(LINES.slice(0, 3));
    for (const command of ['read', 'show']) {
      const { code, stdout } = await runHere([command, path]);
      expect([command, code, stdout]).toEqual([command, 1, expect.stringContaining('C')]);
    }
    expect((await runHere(['list', join(path, '..')])).stdout).toContain('log.eval');
    const small = await runHere(['verify', path, '--max-unpacked', '100']);
    expect([small.code, small.stdout]).toEqual([1, expect.stringContaining('archive/too-large')]);
  });

  test('salvage names a command that writes what is whole', async () => {
    const { bytes, ends } = withEnds(makeZip(ENTRIES));
    const path = written('log.eval', bytes.subarray(0, (ends[firstSample] ?? 0) + 40));
    const { code, stderr } = await runHere(['salvage', path, '--dry-run']);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`noesis events --partial -j '${path}'`)]);
  });

  test('with the sizes of its last entry still missing ends in that entry', async () => {
    const { bytes, ends } = withEnds(makeZip(ENTRIES, 0));
    const at = ends[firstSample - 1] ?? 0;
    const cut = Buffer.from(bytes.subarray(0, at + 80));
    cut.fill(0, at + 14, at + 26);
    const source = await documentAt(written('log.eval', cut));
    expect(source?.damage).toMatch(
      /in the middle of samples\/1_epoch_1\.json: 2 entries before it are whole, with 0 samples$/,
    );
  });

  test('in front of other bytes says where no entry begins', async () => {
    const { bytes, ends } = withEnds(makeZip(ENTRIES));
    const at = ends[firstSample] ?? 0;
    const source = await documentAt(
      written('log.eval', Buffer.concat([bytes.subarray(0, at), Buffer.alloc(50, 7)])),
    );
    expect(source?.damage).toContain(`at byte ${at}`);
  });
});
