import { FileError } from '../base/errors.ts';
import { shellWord } from '../base/text/shell-word.ts';

/** What a log must be. */
export const LINES_WANTED = 'a log has one JSON object per line, in UTF-8';

/** Advice for what cannot be converted where it is read from standard input. */
export const FROM_A_FILE = 'write it to a file first, and name that';

/** Formats that are not UTF-8 text, detected by their first bytes, and how to convert or read them. */
const OTHER_FORMS: readonly {
  /** Undefined matches any byte except zero. */
  readonly magic: readonly (number | undefined)[];
  /** The offset of these bytes; by default 0. */
  readonly at?: number;
  readonly what: string;
  readonly command: (path: string) => string;
}[] = [
  {
    magic: [0x50, 0x4b, 0x03, 0x04],
    what: 'a ZIP archive',
    // `unzip` needs a file, because a ZIP archive has its list of entries at the end.
    command: (path) => {
      if (path === '-') return FROM_A_FILE;
      // The entries of an evaluation log of Inspect are no JSON Lines, and only its reader puts them in order.
      return /\.eval'?$/.test(path)
        ? `noesis events --partial -j ${path} > records.jsonl`
        : `unzip -p ${path} > records.jsonl`;
    },
  },
  {
    magic: [0x75, 0x73, 0x74, 0x61, 0x72],
    at: 257,
    what: 'a tar archive',
    command: (path) => `noesis verify --tar ${path}`,
  },
  {
    magic: [0x1f, 0x8b],
    what: 'compressed with gzip',
    command: (path) => `gzip -dc ${path} > records.jsonl`,
  },
  {
    magic: [0x28, 0xb5, 0x2f, 0xfd],
    what: 'compressed with zstd',
    command: (path) => `zstd -dc ${path} > records.jsonl`,
  },
  // A byte order mark and an ASCII character. The mark alone could be damaged UTF-8.
  { magic: [0xff, 0xfe, undefined, 0x00], what: 'written in UTF-16', command: fromUtf16 },
  { magic: [0xfe, 0xff, 0x00, undefined], what: 'written in UTF-16', command: fromUtf16 },
  // No byte order mark: a brace, and every second byte is zero. A single zero byte could be damage.
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
  return `iconv -f ${from} -t UTF-8 ${path} > records.jsonl`;
}

/** The form of a file that is not UTF-8, with the command that converts it: `path` is a word of a shell, or `-`. */
export function otherForm(
  bytes: Uint8Array,
): { what: string; command: (path: string) => string } | undefined {
  return OTHER_FORMS.find(({ magic, at: start = 0 }) =>
    magic.every((byte, at) => {
      const there = bytes[start + at];
      return byte === undefined ? (there ?? 0) > 0 : there === byte;
    }),
  );
}

/** Refuses files that are not UTF-8, with advice. `path`: `-` for standard input. */
export function requireUtf8(path: string, bytes: Uint8Array): void {
  const form = otherForm(bytes);
  if (form === undefined) return;
  const name = path === '-' ? 'standard input' : path;
  throw new FileError('unreadable', `${name} is ${form.what}: ${LINES_WANTED}`, {
    place: { file: path },
    hint: form.command(path === '-' ? path : shellWord(path)),
  });
}
