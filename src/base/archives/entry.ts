/** One entry of an archive. */
export interface ArchiveEntry {
  /** As stored in the archive. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'device' | 'unknown';
  /** Why programs unpack the entry in different ways; absent if they do not. */
  readonly unsafe?: string;
  /** The bytes of a file. Read them to the end before asking for the next entry, or not at all. */
  readonly content: AsyncIterable<Buffer>;
}

/** In UTF-16 units. Longer paths are not real ones. */
const LONGEST_PATH = 2048;
/** The longest name that file systems accept, in bytes. */
const LONGEST_NAME = 255;
const DEEPEST = 64;

/** Turns a name into a path below the archive, with forward slashes, or says why it is refused. */
export function safePath(name: string): { readonly path: string } | { readonly refused: string } {
  if (name.includes('\0')) return { refused: 'it contains a zero byte' };
  if (name.includes('\\'))
    return { refused: 'it contains a backslash, which separates folders on some systems' };
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return { refused: 'it is an absolute path' };
  if (name.length > LONGEST_PATH) return { refused: `it has ${name.length} characters` };
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return { refused: 'it leads out of the archive' };
  if (parts.length > DEEPEST) return { refused: `it is ${parts.length} folders deep` };
  if (parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME))
    return { refused: `a part of it is longer than ${LONGEST_NAME} bytes` };
  return { path: parts.join('/') };
}
