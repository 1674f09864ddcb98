import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { type MadeEntry, makeTar } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { simulateEpisode } from '../support/simulator/episode.ts';
import { tempDir } from '../support/temp.ts';

const cwd = tempDir();
const good: MadeEntry[] = [...simulateEpisode({ seed: 3 }).files].map(([name, content]) => ({
  name: `ep_1/${name}`,
  content: Buffer.from(content),
}));
const log = good.find(({ name }) => name === 'ep_1/events.jsonl')?.content ?? Buffer.alloc(0);
const rest = good.filter(({ name }) => name !== 'ep_1/events.jsonl');

interface Made {
  readonly name?: string;
  readonly type?: string;
  readonly size?: number;
  readonly content?: Uint8Array;
  readonly gnu?: true;
  readonly prefix?: string;
  readonly patch?: (header: Buffer) => void;
}

/** An entry of a tar, byte by byte. */
function entry({ name = 'ep_1/events.jsonl', type = '0', content = Buffer.alloc(0), ...rest }: Made): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${(rest.size ?? content.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(type, 156);
  header.write(rest.gnu ? 'ustar  \0' : 'ustar\x0000', 257, 'latin1');
  header.write(rest.prefix ?? '', 345);
  rest.patch?.(header);
  header.write('        ', 148);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const END = Buffer.alloc(1024);

function field(key: string, value: string): string {
  const body = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(body);
  const digits = String(length + String(length + 2).length).length;
  return `${length + digits}${body}`;
}
const pax = (fields: Record<string, string>, type = 'x') =>
  entry({
    name: 'pax',
    type,
    content: Buffer.from(
      Object.entries(fields)
        .map(([key, value]) => field(key, value))
        .join(''),
    ),
  });
const longName = (name: string, type = 'L') =>
  entry({ name: '././@LongLink', type, gnu: true, content: Buffer.from(`${name}\0`) });

async function found(name: string, bytes: Buffer, ...options: string[]): Promise<string[]> {
  writeFileSync(join(cwd, name), bytes);
  const { stdout, stderr } = await runHere(['verify', '-j', name, ...options], { cwd });
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as VerifyReport).episodes.flatMap(({ findings }) =>
    findings.filter(({ code }) => code.startsWith('archive/')).map(({ code }) => code),
  );
}

const others = async () => (await makeTar(rest)).subarray(0, -1024);
const plain = entry({ content: log });

describe('a tar that programs read in different ways', () => {
  test.each<[string, Buffer[]]>([
    ['a sparse file of pax', [pax({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0' }), plain]],
    ['a sparse name of pax', [pax({ 'GNU.sparse.name': 'ep_1/events.jsonl' }), entry({ name: 'ep_1/x' })]],
    ['a sparse file of bsdtar', [pax({ 'SUN.holesdata': ' 0 5' }), plain]],
    ['a sparse file of star', [pax({ 'SCHILY.realsize': '5' }), plain]],
    ['a file that star does not see as one', [pax({ 'SCHILY.filetype': 'symlink' }), plain]],
    ['a sparse file of global pax', [pax({ 'GNU.sparse.size': '5' }, 'g'), plain]],
    [
      'a path of global pax',
      [pax({ path: 'ep_1/events.jsonl' }, 'g'), entry({ name: 'ep_1/x', content: log })],
    ],
    ['a size of global pax', [pax({ size: '3' }, 'g'), plain]],
    ['a long name before pax', [longName('ep_1/a'), pax({ path: 'ep_1/events.jsonl' }), plain]],
    ['a long name behind pax', [pax({ path: 'ep_1/events.jsonl' }), longName('ep_1/a'), plain]],
    ['two long names', [longName('ep_1/a'), longName('ep_1/events.jsonl'), plain]],
    ['two long links', [longName('a', 'K'), longName('b', 'K'), plain]],
    ['two pax headers', [pax({ path: 'ep_1/a' }), pax({ comment: 'x' }), plain]],
    ['a pax field twice', [entry({ type: 'x', content: Buffer.from('10 path=a\n10 path=b\n') }), plain]],
    ['a pax header with a wrong length', [entry({ type: 'x', content: Buffer.from('99 path=a\n') }), plain]],
    ['a pax header without a key', [entry({ type: 'x', content: Buffer.from('5 =a\n') }), plain]],
    ['a pax header of text', [entry({ type: 'x', content: Buffer.from('hello\n') }), plain]],
    ['an empty path', [pax({ path: '' }), plain]],
    ['an empty long name', [longName(''), plain]],
    ['a second size', [pax({ size: '3' }), plain]],
    ['a size that is not a number', [pax({ size: '0x10' }), entry({ size: 0 })]],
    ['the prefix of GNU', [entry({ name: 'events.jsonl', prefix: 'ep_1', gnu: true, content: log })]],
    ['a file with the name of a folder', [entry({ name: 'ep_1/events.jsonl/', content: log })]],
    ['a long name of a folder', [longName('ep_1/events.jsonl/'), entry({})]],
    ['a folder with content', [entry({ name: 'ep_1/', type: '5', content: plain })]],
    ['a link with content', [entry({ name: 'ep_1/l', type: '2', content: plain })]],
  ])('is refused: %s', async (_, made) => {
    const codes = await found('two.tar', Buffer.concat([await others(), ...made, END]));
    expect(new Set(codes)).toEqual(new Set(['archive/unsafe-entry']));
  });

  test.each<[string, Buffer[]]>([
    ['a path of pax', [pax({ path: 'ep_1/events.jsonl', mtime: '1.5' }), entry({ name: 'x', content: log })]],
    ['a comment of global pax', [pax({ comment: 'a commit' }, 'g'), plain]],
    ['a size of pax that is the same', [pax({ size: String(log.length) }), plain]],
    ['a long name', [longName('ep_1/events.jsonl'), entry({ name: 'x', gnu: true, content: log })]],
    ['a prefix', [entry({ name: 'events.jsonl', prefix: 'ep_1', content: log })]],
    [
      'an old type, and a folder by its name',
      [entry({ name: 'ep_1/', type: '\0' }), entry({ type: '\0', content: log })],
    ],
    [
      'a size in binary',
      [
        entry({
          content: log,
          patch: (header) => {
            header.fill(0, 124, 136);
            header[124] = 0x80;
            header.writeUInt32BE(log.length, 132);
          },
        }),
      ],
    ],
  ])('is read: %s', async (_, made) => {
    expect(await found('one.tar', Buffer.concat([await others(), ...made, END]))).toEqual([]);
  });

  test.each<[string, Buffer[]]>([
    ['something behind its end', [plain, END, entry({ name: 'ep_1/more' }), END]],
    ['a header that no file follows', [plain, pax({ path: 'a' }), END]],
    ['a header of many bytes', [entry({ type: 'L', size: 1e9 }), END]],
    ['a header that is cut', [entry({ type: 'L', size: 5000 }), END]],
    ['a size that is not a number', [entry({ patch: (header) => header.write('12x', 124) }), END]],
    [
      'a size beyond all',
      [entry({ patch: (header) => header.fill(0xff, 125, 136).writeUInt8(0x80, 124) }), END],
    ],
    ['an unknown format', [entry({ patch: (header) => header.fill(0, 257, 265) }), END]],
    ['a wrong checksum', [Buffer.concat([Buffer.from('x'), plain.subarray(1)]), END]],
    [
      'a file that is cut in its padding',
      [entry({ name: 'ep_1/x', content: Buffer.from('x') }).subarray(0, 600)],
    ],
  ])('is corrupt: %s', async (_, made) => {
    expect(await found('bad.tar', Buffer.concat([await others(), ...made]))).toContain('archive/corrupt');
  });
});

test.each<[string, Buffer[]]>([
  ['behind the end', [plain, END, Buffer.alloc(3e6)]],
  ['in a refused entry', [entry({ name: '../x', content: Buffer.alloc(3e6) }), plain, END]],
  ['in a repeated entry', [plain, entry({ content: Buffer.alloc(3e6) }), END]],
])('every unpacked byte counts: %s', async (_, made) => {
  const tar = gzipSync(Buffer.concat([await others(), ...made]));
  expect(await found('zeros.tar.gz', tar, '--max-unpacked', '1M')).toContain('archive/too-large');
});
