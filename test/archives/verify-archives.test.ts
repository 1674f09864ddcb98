import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Budget } from '../../src/base/archives/budget.ts';
import { unpackedBytes } from '../../src/base/archives/open.ts';
import { ArchiveFault } from '../../src/base/archives/problem.ts';
import { tarEntries } from '../../src/base/archives/tar.ts';
import type { VerifyReport } from '../../src/findings/report.ts';
import { entriesOf, type MadeEntry, makeTar, makeZip, makeZstd, makeZstdZip } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { testOnce, times } from '../support/length.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

const cwd = tempDir();
const tmp = tempDir();
let eps = '';
let folder: VerifyReport;
let entries: MadeEntry[] = [];

async function report(args: readonly string[], input?: Buffer): Promise<VerifyReport> {
  const { stdout, stderr } = await runHere(['verify', '-j', ...args], { cwd, tmpDir: tmp, input });
  // The unpacked files are gone.
  expect(readdirSync(tmp)).toEqual([]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as VerifyReport;
}

/** The report on the folder, had it not this file. */
async function folderWithout(name: string): Promise<VerifyReport> {
  const path = join(eps, entriesOf(eps).find((entry) => entry.name.endsWith(name))?.name ?? '');
  const bytes = readFileSync(path);
  rmSync(path);
  try {
    return await report(['eps']);
  } finally {
    writeFileSync(path, bytes);
  }
}

/** A report on an archive as one on the folder that was packed. */
const asFolder = (archived: VerifyReport, path: string): unknown =>
  JSON.parse(JSON.stringify(archived).replaceAll(`"${path}/eps`, `"${eps}`));

beforeAll(async () => {
  eps = join(cwd, 'eps');
  for (let seed = 1; seed <= 9; seed += 1) {
    const dir = writeEpisode(
      seed > 6 ? join(eps, 'deeper', 'a-b') : eps,
      simulateEpisode({ seed, ending: seed % 3 === 0 ? 'running' : 'ok' }),
    );
    mkdirSync(join(dir, 'attachments'), { recursive: true });
    writeFileSync(join(dir, 'attachments', 'notes.txt'), 'seen');
    // A separate log, which belongs to the episode around it.
    if (seed === 4) writeFileSync(join(dir, 'attachments', 'inner.jsonl'), '{"torn":\n');
    if (seed !== 2) continue;
    const log = join(dir, 'events.jsonl');
    writeSettled(log, readFileSync(log, 'utf8').slice(0, -20));
  }
  mkdirSync(join(eps, 'logs'));
  for (const seed of [11, 12]) {
    const log = simulateEpisode({ seed }).files.get('events.jsonl') ?? '';
    writeSettled(join(eps, 'logs', `${seed}.jsonl`), log);
  }
  writeSettled(join(eps, 'README.md'), 'what this is');
  folder = await report(['eps']);
  entries = [{ name: 'eps/', type: 'directory' }, ...entriesOf(eps, 'eps/')];
});

describe('an archive has the same report as its folder', () => {
  test.each<[string, (all: readonly MadeEntry[]) => Promise<Buffer> | Buffer]>([
    ['runs.tar', makeTar],
    ['runs.tar.gz', async (all) => gzipSync(await makeTar(all))],
    ['runs.tgz', async (all) => gzipSync(await makeTar(all))],
    ['runs.tar.zst', async (all) => makeZstd(await makeTar(all))],
    ['runs.zip', (all) => makeZip(all)],
    ['stored.zip', (all) => makeZip(all, 0)],
    ['zstd.zip', makeZstdZip],
  ])('%s', async (name, make) => {
    writeFileSync(join(cwd, name), await make(entries));
    expect(asFolder(await report([name]), join(cwd, name))).toEqual(folder);
    // One that was packed without entries for folders, and one episode of it.
    writeFileSync(join(cwd, name), await make(entries.filter(({ type }) => type !== 'directory')));
    expect(asFolder(await report([name]), join(cwd, name))).toEqual(folder);
    const [first] = folder.episodes;
    const one = await report([join(name, 'eps', (first?.path ?? '').slice(eps.length))]);
    expect(one.episodes.map(({ findings, events }) => ({ findings, events }))).toEqual([
      { findings: first?.findings, events: first?.events },
    ]);
  });

  test.each(['plain', 'gzip', 'zstd'])('a tar on standard input, %s', async (how) => {
    const tar = await makeTar(entries.filter(({ name }) => !name.includes('inner.jsonl')));
    const input = how === 'gzip' ? gzipSync(tar) : how === 'zstd' ? await makeZstd(tar) : tar;
    const wanted = await folderWithout('inner.jsonl');
    expect(asFolder(await report(['--tar', '-'], input), '-')).toEqual(wanted);
  });

  test('whatever the order of the entries in a file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(
          entries.map((_, at) => at),
          { minLength: entries.length },
        ),
        async (order) => {
          const shuffled = order.flatMap((at) => entries[at] ?? []);
          writeFileSync(join(cwd, 'mixed.tar'), await makeTar(shuffled));
          expect(asFolder(await report(['mixed.tar']), join(cwd, 'mixed.tar'))).toEqual(folder);
        },
      ),
      { numRuns: times(5, 1) },
    );
  });

  test('in NDJSON, in shards and by workers', async () => {
    writeFileSync(join(cwd, 'runs.tar'), await makeTar(entries));
    const parts = tempDir();
    for (const index of [1, 2])
      await runHere(
        [
          'verify',
          'runs.tar',
          'eps',
          '--shard',
          `${index}/2`,
          '-f',
          'ndjson',
          '-o',
          join(parts, `${index}.ndjson`),
        ],
        { cwd },
      );
    const merged = await runHere(['merge', parts, '-j'], { cwd });
    expect(JSON.parse(merged.stdout)).toEqual(await report(['runs.tar', 'eps']));
  });
});

/** The codes of the findings, and the entries or files that they are about. */
const foundIn = ({ episodes }: VerifyReport): string[] =>
  episodes.flatMap(({ findings }) =>
    findings.filter(({ code }) => code.startsWith('archive/')).map(({ code, file }) => `${code} ${file}`),
  );

const good = (): MadeEntry[] =>
  [...simulateEpisode({ seed: 3 }).files].map(([name, content]) => ({ name: `ep_1/${name}`, content }));

describe('an archive that is hostile or damaged', () => {
  const write = (name: string, bytes: Uint8Array) => writeFileSync(join(cwd, name), bytes);

  test.each([
    '../up.txt',
    'ep_1/../../up.txt',
    '/tmp/absolute.txt',
    'C:/windows.txt',
    'a\\..\\b.txt',
    `${'deep/'.repeat(80)}x`,
    `${'x'.repeat(300)}.txt`,
    `${'deep/'.repeat(410)}x`,
  ])('refuses the name %j, and goes on', async (name) => {
    const all = [...good(), { name, content: Buffer.from('x') }];
    for (const [file, bytes] of [
      ['bad.tar', await makeTar(all)],
      ['bad.zip', makeZip(all)],
    ] as const) {
      write(file, bytes);
      const told = await report([file]);
      expect(foundIn(told)).toEqual([`archive/unsafe-name ${name}`]);
      expect([told.verdict, told.summary.episodes]).toEqual(['fail', 2]);
    }
    expect(existsSync(join(cwd, '..', 'up.txt'))).toBe(false);
  });

  test('refuses a name with a zero byte, which only a zip can have', async () => {
    write('bad.zip', makeZip([...good(), { name: 'ep_1/a\0b', content: Buffer.from('x') }]));
    expect(foundIn(await report(['bad.zip']))).toEqual(['archive/unsafe-name ep_1/a\0b']);
  });

  test('may have an entry for itself, as a folder', async () => {
    write('dot.tar', await makeTar([{ name: './', type: 'directory' }, { name: '.' }, ...good()]));
    expect(foundIn(await report(['dot.tar']))).toEqual([]);
  });

  test.each<[string, MadeEntry[], string]>([
    [
      'below a file',
      [
        { name: 'a', content: Buffer.from('x') },
        { name: 'a/b', content: Buffer.from('y') },
      ],
      'a',
    ],
    [
      'longer than the system takes, in bytes',
      [{ name: `${`${'€'.repeat(85)}/`.repeat(15)}${'€'.repeat(85)}`, content: Buffer.from('x') }],
      `${`${'€'.repeat(85)}/`.repeat(15)}${'€'.repeat(85)}`,
    ],
  ])('ends at a name that no file can have: %s', async (_, entries, name) => {
    write('bad.zip', makeZip([...good(), ...entries]));
    const { episodes } = await report(['bad.zip']);
    const found = episodes
      .flatMap(({ findings }) => findings)
      .filter(({ code }) => code === 'archive/corrupt');
    expect(found.map(({ file, message }) => [file, message.includes('cannot be unpacked')])).toEqual([
      [name, true],
    ]);
  });

  test('refuses a file of an unknown type, because tar unpacks other bytes', async () => {
    const tar = await makeTar([{ name: 'ep_1/sparse', content: Buffer.from('x') }, ...good()]);
    tar.write('S', 156, 'latin1');
    tar.fill(' ', 148, 156);
    const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0);
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    write('sparse.tar', tar);
    expect(foundIn(await report(['sparse.tar']))).toEqual(['archive/unsafe-entry ep_1/sparse']);
  });

  /** The places of what begins the entries of a zip: in its directory, and before their bytes. */
  const placesIn = (zip: Buffer, magic: string): number[] => {
    const places: number[] = [];
    for (let at = zip.indexOf(magic); at >= 0; at = zip.indexOf(magic, at + 1)) places.push(at);
    return places;
  };
  const directoryOf = (zip: Buffer) => placesIn(zip, 'PK\x01\x02');
  const headersOf = (zip: Buffer) => placesIn(zip, 'PK\x03\x04');

  test('reads a zip without modes, in which names mark folders', async () => {
    const zip = makeZip([{ name: 'ep_1/', type: 'directory' }, ...good()]);
    write('plain.zip', zip);
    const plain = await report(['plain.zip']);
    for (const at of directoryOf(zip)) zip.fill(0, at + 38, at + 42);
    write('plain.zip', zip);
    expect(await report(['plain.zip'])).toEqual(plain);
  });

  test('refuses a pipe in a zip', async () => {
    const zip = makeZip([...good(), { name: 'ep_1/pipe' }]);
    zip.writeUInt32LE((0o010644 << 16) >>> 0, (directoryOf(zip).at(-1) ?? 0) + 38);
    write('pipe.zip', zip);
    expect(foundIn(await report(['pipe.zip']))).toEqual(['archive/unsafe-entry ep_1/pipe']);
  });

  test.each<[string, (zip: Buffer) => void, string, string]>([
    [
      'whose directory is damaged',
      (zip) => zip.write('XX', directoryOf(zip).at(-1) ?? 0),
      'bad.zip',
      'its directory cannot be read',
    ],
    [
      'with an encrypted entry',
      (zip) => {
        for (const at of directoryOf(zip)) zip.writeUInt8(zip.readUInt8(at + 8) | 1, at + 8);
      },
      'ep_1/events.jsonl',
      'an entry is encrypted',
    ],
    [
      'with an entry that is compressed in another way',
      (zip) => {
        for (const at of directoryOf(zip)) zip.writeUInt16LE(12, at + 10);
        for (const at of headersOf(zip)) zip.writeUInt16LE(12, at + 8);
      },
      'ep_1/events.jsonl',
      'method 12',
    ],
    [
      'with an entry whose bytes are damaged',
      (zip) => zip.fill(0xff, 30 + 'ep_1/events.jsonl'.length, 40 + 'ep_1/events.jsonl'.length),
      'ep_1/events.jsonl',
      'an entry cannot be read',
    ],
  ])('is a zip %s', async (_, damage, file, message) => {
    const zip = makeZip([
      { name: 'ep_1/events.jsonl', content: Buffer.from('{"a":"some text"}\n'.repeat(9)) },
    ]);
    damage(zip);
    write('bad.zip', zip);
    const { episodes } = await report(['bad.zip']);
    const found = episodes
      .flatMap(({ findings }) => findings)
      .filter(({ code }) => code.startsWith('archive/'));
    expect(found.map((one) => [one.code, one.file])).toEqual([['archive/corrupt', file]]);
    expect(found[0]?.message).toContain(message);
  });

  test('is refused if its names alone exceed the limit', async () => {
    const names = Array.from({ length: 30 }, (_, at) => ({ name: `ep_1/${at}` }));
    write('names.zip', makeZip(names));
    expect(foundIn(await report(['names.zip', '--max-unpacked', '10K']))).toEqual([
      'archive/too-large names.zip',
    ]);
  });

  test('is reported as incomplete if the program that feeds it fails', async () => {
    const tar = await makeTar(good());
    const failing = async (cut: number) => {
      async function* source() {
        yield tar.subarray(0, cut);
        throw new ArchiveFault('too-large', 'the source failed');
      }
      for await (const { content } of tarEntries(source())) for await (const _ of content);
    };
    for (const cut of [100, 512, 700, tar.length - 1024, tar.length - 512, tar.length])
      await expect(failing(cut), String(cut)).rejects.toThrow('the source failed');
  });

  test('is not called damaged if it cannot be opened', async () => {
    const gone = unpackedBytes(join(tempDir(), 'gone.gz'), 'gzip', new Budget({ maxUnpacked: 1000 }));
    const all = async () => {
      for await (const _ of gone);
    };
    await expect(all()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('keeps the files of an episode together in a stream, and ends if they are scattered', async () => {
    const log = good().find(({ name }) => name === 'ep_1/events.jsonl') as MadeEntry;
    const inner = { name: 'ep_1/attachments/x.events.jsonl', content: Buffer.from('{"a":1}\n') };
    const note = { name: 'ep_1/notes/x.txt', content: Buffer.from('x') };
    const rest = good().filter(({ name }) => name !== log.name);
    const whole = await report(['--tar', '-'], await makeTar([log, inner, note, ...rest]));
    expect([whole.episodes.length, foundIn(whole)]).toEqual([2, []]);
    // It was passed on as a separate episode before its log came.
    const early = await report(['--tar', '-'], await makeTar([inner, note, log, ...rest]));
    expect(foundIn(early)).toEqual(['archive/scattered ep_1']);
  });

  test('refuses links and devices, and continues', async () => {
    const all: MadeEntry[] = [
      { name: 'ep_1/link', type: 'symlink', linkname: '/etc/passwd' },
      ...good(),
      { name: 'ep_1/hard', type: 'link', linkname: 'ep_1/events.jsonl' },
      { name: 'ep_1/pipe', type: 'fifo' },
      { name: 'ep_1/null', type: 'character-device' },
    ];
    write('bad.tar', await makeTar(all));
    expect(foundIn(await report(['bad.tar']))).toEqual(
      ['hard', 'link', 'null', 'pipe'].map((name) => `archive/unsafe-entry ep_1/${name}`),
    );
    write(
      'bad.zip',
      makeZip([...good(), { name: 'ep_1/link', type: 'symlink', content: Buffer.from('/etc') }]),
    );
    expect(foundIn(await report(['bad.zip']))).toEqual(['archive/unsafe-entry ep_1/link']);
  });

  test('refuses two entries of one name', async () => {
    const all = [...good(), { name: 'ep_1/events.jsonl', content: Buffer.from('{}\n') }];
    write('bad.tar', await makeTar(all));
    expect(foundIn(await report(['bad.tar']))).toEqual(['archive/duplicate-entry ep_1/events.jsonl']);
    write('bad.zip', makeZip(all));
    expect(foundIn(await report(['bad.zip']))).toEqual(['archive/duplicate-entry ep_1/events.jsonl']);
  });

  testOnce('is refused if it unpacks to more than the limit', async () => {
    const content = Buffer.alloc(80e6);
    write('bomb.tar.gz', gzipSync(await makeTar([{ name: 'ep_1/events.jsonl', content }])));
    expect(foundIn(await report(['bomb.tar.gz']))).toEqual(['archive/too-large bomb.tar.gz']);
    write('bomb.zip', makeZip([{ name: 'ep_1/events.jsonl', content: Buffer.alloc(80e6) }]));
    expect(foundIn(await report(['bomb.zip']))).toEqual(['archive/too-large bomb.zip']);
    write('bomb.jsonl.gz', gzipSync(Buffer.alloc(80e6)));
    expect(foundIn(await report(['bomb.jsonl.gz']))).toEqual(['archive/too-large bomb.jsonl.gz']);
    write('runs.tar', await makeTar(good()));
    expect(foundIn(await report(['runs.tar', '--max-unpacked', '10K']))).toEqual([
      'archive/too-large runs.tar',
    ]);
    expect((await runHere(['verify', 'runs.tar', '--max-unpacked', 'x'], { cwd })).code).toBe(2);
  });

  test('is reported if part of it is missing, or all of it', async () => {
    const tar = await makeTar(good());
    write('cut.tar', tar.subarray(0, tar.length - 1024));
    write('half.tar', tar.subarray(0, 700));
    write('cut.tar.gz', gzipSync(tar).subarray(0, -9));
    write('cut.tar.zst', (await makeZstd(tar)).subarray(0, -9));
    write('cut.zip', makeZip(good()).subarray(0, -9));
    write('text.tar', Buffer.from('hello\n'));
    write('text.zip', Buffer.from('hello\n'));
    write('text.jsonl.zst', Buffer.from('hello hello\n'));
    for (const name of readdirSync(cwd).filter((one) => /^(?:cut|half|text)\./.test(one)))
      expect([name, foundIn(await report([name]))]).toEqual([name, [`archive/corrupt ${name}`]]);
    write('empty.tar', await makeTar([]));
    expect(foundIn(await report(['empty.tar']))).toEqual(['archive/empty empty.tar']);
  });

  test('is unpacked completely from a file if it is scattered, and refused as a stream', async () => {
    const other = good().map(({ name, ...rest }) => ({ name: name.replace('ep_1', 'ep_2'), ...rest }));
    const [first, ...rest] = good();
    const tar = await makeTar(first === undefined ? [] : [...rest, ...other, first]);
    expect(foundIn(await report(['--tar', '-'], tar))).toEqual(['archive/scattered ep_1']);
    write('scattered.tar', tar);
    expect(foundIn(await report(['scattered.tar']))).toEqual([]);
  });

  test.each([0, 300_000])('may end in zeros, but not in other data after them (%i more)', async (more) => {
    const zeros = Buffer.alloc(1 + more);
    const made = [...simulateEpisode({ seed: 3 }).files].find(([name]) => name === 'events.jsonl')?.[1] ?? '';
    write('twice.jsonl.gz', Buffer.concat([gzipSync(made), zeros]));
    expect(foundIn(await report(['twice.jsonl.gz']))).toEqual(['archive/compressed-log twice.jsonl']);
    write('twice.jsonl.gz', Buffer.concat([gzipSync(made), zeros, gzipSync('{}\n'), zeros]));
    expect(foundIn(await report(['twice.jsonl.gz']))).toEqual(['archive/corrupt twice.jsonl.gz']);
    const tar = await makeTar(good());
    write('twice.tar.gz', Buffer.concat([gzipSync(tar), zeros, gzipSync(tar)]));
    expect(foundIn(await report(['twice.tar.gz']))).toContain('archive/corrupt twice.tar.gz');
  });

  /** A zip with bytes before its directory, or between its directory and its end. */
  const widened = (zip: Buffer, before: Uint8Array, behind: Uint8Array = Buffer.alloc(0)): Buffer => {
    const start = directoryOf(zip)[0] ?? 0;
    const end = Buffer.from(zip.subarray(-22));
    end.writeUInt32LE(start + before.length, 16);
    return Buffer.concat([zip.subarray(0, start), before, zip.subarray(start, -22), behind, end]);
  };

  test('refuses a zip entry that only a local header names', async () => {
    const other = makeZip([{ name: 'ep_1/events.jsonl', content: Buffer.from('{}\n') }], 0);
    const hidden = other.subarray(0, directoryOf(other)[0]);
    const all = good();
    const zip = makeZip(all, 0);
    // The directory of fewer entries: the last one is only in its header.
    const start = directoryOf(zip)[0] ?? 0;
    const lastAt = directoryOf(zip).at(-1) ?? 0;
    const end = Buffer.from(zip.subarray(-22));
    end.writeUInt16LE(all.length - 1, 8);
    end.writeUInt16LE(all.length - 1, 10);
    end.writeUInt32LE(lastAt - start, 12);
    for (const bytes of [
      widened(zip, hidden),
      widened(zip, Buffer.alloc(0), hidden),
      widened(zip, Buffer.alloc(0), Buffer.alloc(80)),
      Buffer.concat([zip.subarray(0, lastAt), end]),
    ]) {
      write('hidden.zip', bytes);
      expect(foundIn(await report(['hidden.zip']))).toEqual(['archive/unsafe-entry hidden.zip']);
    }
  });

  test('refuses a zip with two entries at one offset', async () => {
    const zip = makeZip(good(), 0);
    const [first = 0, second = 0] = directoryOf(zip);
    zip.copy(zip, second + 42, first + 42, first + 46);
    write('shared.zip', zip);
    expect(foundIn(await report(['shared.zip']))).toEqual(['archive/unsafe-entry shared.zip']);
  });

  test.each([true, false])('reads a zip that was written as a stream (signed: %s)', async (signed) => {
    const content = Buffer.from('{"a":"some text"}\n');
    const zip = makeZip([{ name: 'ep_1/x.txt', content }], 0);
    const start = directoryOf(zip)[0] ?? 0;
    const descriptor = Buffer.alloc(12);
    zip.copy(descriptor, 0, 14, 26);
    for (const at of [6, start + 8]) zip.writeUInt16LE(0x808, at);
    zip.fill(0, 14, 26);
    const behind = signed ? Buffer.concat([Buffer.from('PK\x07\x08'), descriptor]) : descriptor;
    write('stream.zip', widened(zip, behind));
    expect(foundIn(await report(['stream.zip']))).toEqual(['archive/empty stream.zip']);
    for (const at of [0, behind.length - 12]) {
      const bytes = Buffer.from(behind);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      write('stream.zip', widened(zip, bytes));
      expect(foundIn(await report(['stream.zip']))).toEqual(['archive/unsafe-entry stream.zip']);
    }
  });

  test('reads a zip64 directory', async () => {
    const zip = makeZip([{ name: 'ep_1/x.txt', content: Buffer.from('x') }], 0);
    const end64 = Buffer.alloc(76);
    end64.write('PK\x06\x06', 0, 'latin1');
    end64.writeBigUInt64LE(44n, 4);
    end64.writeBigUInt64LE(1n, 24);
    end64.writeBigUInt64LE(1n, 32);
    end64.writeBigUInt64LE(BigInt(directoryOf(zip)[0] ?? 0), 48);
    end64.write('PK\x06\x07', 56, 'latin1');
    end64.writeBigUInt64LE(BigInt(zip.length - 22), 64);
    end64.writeUInt32LE(1, 72);
    write('wide.zip', widened(zip, Buffer.alloc(0), end64));
    expect(foundIn(await report(['wide.zip']))).toEqual(['archive/empty wide.zip']);
    end64.writeBigUInt64LE(43n, 4);
    write('wide.zip', widened(zip, Buffer.alloc(0), end64));
    expect(foundIn(await report(['wide.zip']))).toEqual(['archive/unsafe-entry wide.zip']);
  });

  test.each([true, false])('checks a zip with a name in an extra field (the same: %s)', async (isSame) => {
    const zip = makeZip([{ name: 'ep_1/x.txt', content: Buffer.from('x') }], 0);
    const start = directoryOf(zip)[0] ?? 0;
    const other = Buffer.from(isSame ? 'ep_1/x.txt' : 'ep_1/y.txt');
    const extra = Buffer.alloc(9 + other.length);
    extra.writeUInt16LE(0x7075, 0);
    extra.writeUInt16LE(5 + other.length, 2);
    extra.writeUInt8(1, 4);
    extra.writeUInt32LE(crc32(Buffer.from('ep_1/x.txt')), 5);
    other.copy(extra, 9);
    const tail = 46 + 10;
    const end = Buffer.from(zip.subarray(-22));
    end.writeUInt32LE(tail + extra.length, 12);
    const head = Buffer.from(zip.subarray(start, start + tail));
    head.writeUInt16LE(extra.length, 30);
    write('extra.zip', Buffer.concat([zip.subarray(0, start), head, extra, end]));
    expect(foundIn(await report(['extra.zip']))).toEqual(
      isSame ? ['archive/empty extra.zip'] : ['archive/unsafe-entry ep_1/y.txt'],
    );
    const local = Buffer.concat([zip.subarray(0, 40), extra, zip.subarray(40)]);
    local.writeUInt16LE(extra.length, 28);
    local.writeUInt32LE(start + extra.length, local.length - 6);
    write('extra.zip', local);
    expect(foundIn(await report(['extra.zip']))).toEqual(
      isSame ? ['archive/empty extra.zip'] : ['archive/unsafe-entry ep_1/x.txt'],
    );
  });

  test('is reported as damaged if any byte of a stored entry is flipped', async () => {
    const zip = makeZip([{ name: 'ep_1/events.jsonl', content: Buffer.from('{"a":"some text"}\n') }], 0);
    const start = zip.indexOf('{"a"');
    for (let at = start; at < start + 18; at += 1) {
      const bytes = Buffer.from(zip);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      write('flip.zip', bytes);
      expect(foundIn(await report(['flip.zip']))).toEqual(['archive/corrupt ep_1/events.jsonl']);
    }
  });

  test('must describe each entry in the same way in its directory and local header', async () => {
    const zip = makeZip([{ name: 'ep_1/events.jsonl', content: Buffer.from('{"a":"some text"}\n') }], 0);
    const name = zip.indexOf('events.jsonl');
    expect(name).toBeLessThan(zip.indexOf('{"a"'));
    const method = 8;
    for (const at of [name + 2, method]) {
      const bytes = Buffer.from(zip);
      bytes[at] = (bytes[at] ?? 0) ^ 8;
      write('twofold.zip', bytes);
      expect(foundIn(await report(['twofold.zip']))).toEqual(['archive/corrupt ep_1/events.jsonl']);
    }
  });

  test('cannot suppress findings', async () => {
    for (const code of ['archive/corrupt', 'archive/unsafe-name', 'archive/empty'])
      expect((await runHere(['verify', 'runs.tar', '--rule', `${code}=off`], { cwd })).code).toBe(2);
  });
});

describe('a compressed log', () => {
  test.each(['gz', 'zst'])('is read like its decompressed content (.%s)', async (ending) => {
    const pack = async (bytes: Buffer) => (ending === 'gz' ? gzipSync(bytes) : makeZstd(bytes));
    const made = simulateEpisode({ seed: 8 });
    const dir = writeEpisode(tempDir(), made);
    const plain = await report([dir]);
    const log = join(dir, 'events.jsonl');
    const bytes = readFileSync(log);
    const packed = `${log}.${ending}`;
    writeFileSync(packed, await pack(bytes));
    const alone = await report([packed]);
    expect(alone.episodes[0]).toMatchObject({ path: packed, events: plain.summary.events });
    const printed = await runHere(['events', packed, '-j'], { cwd });
    expect(printed.stdout).toBe(bytes.toString());
    for (const command of ['show', 'list', 'stats', 'timeline'])
      expect((await runHere([command, packed], { cwd })).code).toBe(0);

    // In place of the log in its episode: the manifest is compared with the unpacked log.
    rmSync(log);
    const inside = await report([dir]);
    expect(inside.verdict).toBe(plain.verdict);
    expect(inside.episodes[0]).toMatchObject({ path: dir, events: plain.summary.events, sealed: true });
    expect(foundIn(inside)).toEqual(['archive/compressed-log events.jsonl']);
    writeFileSync(packed, await pack(Buffer.from(bytes.toString().replace('"start"', '"stArt"'))));
    const changed = await report([dir]);
    expect(changed.episodes[0]?.findings.map(({ code }) => code)).toContain('manifest/hash-mismatch');
  });
});

describe('an episode whose log is compressed, with something next to it', () => {
  const made = () => {
    const root = tempDir();
    const dir = writeEpisode(root, simulateEpisode({ seed: 8 }));
    writeEpisode(root, simulateEpisode({ seed: 3 }));
    const log = join(dir, 'events.jsonl');
    writeFileSync(`${log}.gz`, gzipSync(readFileSync(log)));
    rmSync(log);
    return { root, dir };
  };
  const codesOf = ({ episodes }: VerifyReport, dir: string): [string, string | undefined][] =>
    episodes
      .filter(({ path }) => path === dir)
      .flatMap(({ findings }) => findings.map(({ code, file }) => [code, file] as [string, string]));

  test('is verified despite a pipe or socket, which is a finding', async () => {
    const { root, dir } = made();
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    const told = await report([root]);
    expect(codesOf(told, dir)).toContainEqual(['artifact/unreadable', 'pipe']);
    expect(told.episodes).toHaveLength(2);
  });

  test('is verified where it is: only its log is copied, and only the log counts as unpacked', async () => {
    const { root, dir } = made();
    mkdirSync(join(dir, 'artifacts'), { recursive: true });
    writeFileSync(join(dir, 'artifacts', 'video'), '');
    truncateSync(join(dir, 'artifacts', 'video'), 300e6);
    writeFileSync(join(dir, 'notes.txt'), Buffer.alloc(2e6));
    expect(foundIn(await report([root, '--max-unpacked', '1M']))).toEqual([
      'archive/compressed-log events.jsonl',
    ]);
  });
});

describe('other commands', () => {
  test('read the content of an archive', async () => {
    writeFileSync(join(cwd, 'runs.tar'), await makeTar(good()));
    const run = (...args: string[]) => runHere(args, { cwd, tmpDir: tmp });
    const listed = JSON.parse((await run('list', 'runs.tar', '-j')).stdout) as { path: string }[];
    expect(listed.map(({ path }) => path)).toEqual([join(cwd, 'runs.tar', 'ep_1')]);
    const events = await run('events', 'runs.tar', '-j');
    const log = good().find(({ name }) => name === 'ep_1/events.jsonl')?.content;
    expect(events.stdout).toBe(Buffer.from(log ?? []).toString());
    expect((await run('state', 'runs.tar/ep_1', 'outcomes.status')).stdout).toBe('ok\n');
    expect((await run('show', 'runs.tar')).code).toBe(0);
    expect((await run('stats', 'runs.tar')).code).toBe(0);
    expect((await run('events', 'runs.tar/nowhere')).code).toBe(3);
    writeFileSync(join(cwd, 'many.tar'), await makeTar(entries));
    const many = await run('events', 'many.tar');
    expect(many.code).toBe(3);
    expect(many.stderr).toContain('name one of them, such as many.tar/eps/');
    expect(readdirSync(tmp)).toEqual([]);
  });
});

test('standard input cannot be used twice', async () => {
  const { code } = await runHere(['verify', '--tar', '-', '-'], { cwd });
  expect(code).toBe(2);
});

test.each([
  ['a file whose mode is that of a folder', 'ep_1/x.txt', 'directory', 'text'],
  ['a folder whose mode is that of a file', 'ep_1/x/', 'file', ''],
  ['a folder with content', 'ep_1/x/', 'directory', 'text'],
] as const)('an entry of a zip that is %s is refused', async (_, name, type, content) => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'odd.zip'), makeZip([{ name, type, content: Buffer.from(content) }]));
  const { code, stdout } = await runHere(['verify', 'odd.zip', '-j'], { cwd });
  const [episode] = (JSON.parse(stdout) as VerifyReport).episodes;
  expect([code, episode?.findings.map((finding) => finding.code)]).toEqual([1, ['archive/unsafe-entry']]);
});
