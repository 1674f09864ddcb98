import { basename, dirname, join, sep } from 'node:path';

export type Compression = 'gzip' | 'zstd';

/** The kind of a packed file, detected from its name. */
export type PackedFormat =
  | { readonly kind: 'tar'; readonly compression: Compression | undefined }
  | { readonly kind: 'zip' }
  /** A single compressed file. */
  | { readonly kind: 'file'; readonly compression: Compression };

const ENDINGS: readonly (readonly [RegExp, PackedFormat])[] = [
  [/\.tar$/i, { kind: 'tar', compression: undefined }],
  [/\.(?:tar\.gz|tgz)$/i, { kind: 'tar', compression: 'gzip' }],
  [/\.(?:tar\.zst|tzst)$/i, { kind: 'tar', compression: 'zstd' }],
  [/\.zip$/i, { kind: 'zip' }],
  [/\.gz$/i, { kind: 'file', compression: 'gzip' }],
  [/\.zst$/i, { kind: 'file', compression: 'zstd' }],
];

/** A name that may have one of the endings; few have. */
const MAY_END = /\.(?:t?gz|t?zst|tar|zip)$/i;

const endingOf = (name: string) =>
  MAY_END.test(name) ? ENDINGS.find(([ending]) => ending.test(name)) : undefined;

/** How a file with this name is packed; undefined if it is not packed. */
export const packedFormat = (name: string): PackedFormat | undefined => endingOf(name)?.[1];

/** Orders several packed forms of one file: endings in lower case first, then by their place in the list of endings. */
export const packedRank = (name: string): number => {
  const at = ENDINGS.findIndex(([ending]) => ending.test(name));
  const [text = ''] = ENDINGS[at]?.[0].exec(name) ?? [];
  return text !== '' && text === text.toLowerCase() ? at : at + ENDINGS.length;
};

/** Whether a file is an archive, judging by its name. */
export function isArchive(name: string): boolean {
  const kind = packedFormat(name)?.kind;
  return kind === 'tar' || kind === 'zip';
}

/** The name without its archive or compression suffix. */
export function unpackedName(name: string): string {
  const [ending] = endingOf(name) ?? [];
  return ending === undefined ? name : name.replace(ending, '');
}

/** A path that `join` does not change. */
const IS_NORMAL = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/;

/** The path without the suffix of an archive or a compression. */
export const unpackedPath = (path: string): string =>
  !MAY_END.test(path) && sep === '/' && IS_NORMAL.test(path)
    ? path
    : join(dirname(path), unpackedName(basename(path)));

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The number of bytes needed to detect the compression. */
export const LONGEST_MAGIC = ZSTD.length;

/** Detects the compression of a file from its first bytes. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  if (GZIP.equals(head.subarray(0, GZIP.length))) return 'gzip';
  return ZSTD.equals(head.subarray(0, ZSTD.length)) ? 'zstd' : undefined;
}
