import { FileError } from '../errors.ts';
import { shellWord } from '../text/shell-word.ts';

/** What a file is that holds no lines of text in UTF-8, by its first bytes, and what makes lines of it or reads it. */
const OTHER_FORMS: readonly {
  /** Undefined: any byte but zero. */
  readonly magic: readonly (number | undefined)[];
  /** How many bytes stand before them: none by default. */
  readonly at?: number;
  readonly what: string;
  readonly command: (path: string) => string;
}[] = [
  {
    magic: [0x50, 0x4b, 0x03, 0x04],
    what: 'a ZIP archive',
    // Its list of entries is at its end.
    command: (path) =>
      path === '-' ? 'write it to a file first, and name that' : `unzip -p ${path} > events.jsonl`,
  },
  {
    magic: [0x75, 0x73, 0x74, 0x61, 0x72],
    at: 257,
    what: 'a tar archive',
    command: (path) => `noesis verify --tar ${path}`,
  },
  { magic: [0x1f, 0x8b], what: 'compressed with gzip', command: (path) => `gzip -dc ${path} > events.jsonl` },
  {
    magic: [0x28, 0xb5, 0x2f, 0xfd],
    what: 'compressed with zstd',
    command: (path) => `zstd -dc ${path} > events.jsonl`,
  },
  // With a byte order mark, and a first character that is ASCII: the two bytes alone may be damage to UTF-8.
  { magic: [0xff, 0xfe, undefined, 0x00], what: 'written in UTF-16', command: fromUtf16 },
  { magic: [0xfe, 0xff, 0x00, undefined], what: 'written in UTF-16', command: fromUtf16 },
  // Without a byte order mark: a brace, and each second byte is zero. A single zero byte may be damage to a log.
  {
    magic: [0x7b, 0x00, undefined, 0x00, undefined, 0x00],
    what: 'written in UTF-16',
    command: (path) => fromUtf16(path, 'UTF-16LE'),
  },
  {
    magic: [0x00, 0x7b, 0x00, undefined, 0x00, undefined],
    what: 'written in UTF-16',
    command: (path) => fromUtf16(path, 'UTF-16BE'),
  },
];

function fromUtf16(path: string, from = 'UTF-16'): string {
  return `iconv -f ${from} -t UTF-8 ${path} > events.jsonl`;
}

/** Refuses what is no text in UTF-8, told by its first bytes, with what helps. `path`: `-` for standard input. */
export function requireUtf8(path: string, bytes: Uint8Array): void {
  const form = OTHER_FORMS.find(({ magic, at: start = 0 }) =>
    magic.every((byte, at) => {
      const there = bytes[start + at];
      return byte === undefined ? (there ?? 0) > 0 : there === byte;
    }),
  );
  if (form === undefined) return;
  const name = path === '-' ? 'standard input' : path;
  throw new FileError('unreadable', `${name} is ${form.what}: a log has a JSON object a line, in UTF-8`, {
    place: { file: path },
    hint: form.command(path === '-' ? path : shellWord(path)),
  });
}
