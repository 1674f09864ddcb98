/** One entry of an archive. */
export interface ArchiveEntry {
  /** As the archive has it. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'device' | 'unknown';
  /** Why programs unpack it in different ways; absent if they do not. */
  readonly unsafe?: string;
  /** The bytes of a file: to be read to their end before the next entry is asked for, or not at all. */
  readonly content: AsyncIterable<Buffer>;
}

/** Longer paths are made by nobody who wants them read. In UTF-16 units. */
const LONGEST_PATH = 2048;
/** What file systems take as one name, in bytes. */
const LONGEST_NAME = 255;
const DEEPEST = 64;

/** A name as a path below the archive, with forward slashes; or why it is refused. */
export function safePath(name: string): { readonly path: string } | { readonly refused: string } {
  if (name.includes('\0')) return { refused: 'it has a zero byte in it' };
  if (name.includes('\\'))
    return { refused: 'it has a backslash in it, which some systems take for a folder' };
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name))
    return { refused: 'it begins at the root of a file system' };
  if (name.length > LONGEST_PATH) return { refused: `it has ${name.length} characters` };
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return { refused: 'it leads out of the archive' };
  if (parts.length > DEEPEST) return { refused: `it is ${parts.length} folders deep` };
  if (parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME))
    return { refused: 'a part of it is longer than a name may be' };
  return { path: parts.join('/') };
}
