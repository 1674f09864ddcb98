import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync } from 'node:fs';

/** An entry of a folder. */
export interface FolderEntry extends Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'> {
  /**
   * Its name is not valid UTF-8, so no path names it: as text, it may be the name of another file. Its invalid bytes are
   * shown as `\xNN`, and it counts neither as a file, nor as a folder or a link. What it is, or a link may lead to.
   */
  readonly unnameable?: 'file' | 'folder';
}

/** How Node decodes an invalid byte of a name. */
const REPLACED = '\uFFFD';

/** A name with its invalid bytes as `\xNN`. */
function shownName(name: Uint8Array): string {
  let shown = '';
  for (let at = 0; at < name.length; ) {
    const size = [1, 2, 3, 4].find((length) => isUtf8(name.subarray(at, at + length))) ?? 0;
    shown +=
      size > 0
        ? Buffer.from(name.subarray(at, at + size)).toString()
        : `\\x${(name[at] ?? 0).toString(16).padStart(2, '0')}`;
    at += Math.max(1, size);
  }
  return shown;
}

const no = (): boolean => false;

/**
 * The entries of a folder. Throws the error of the file system. Names are bytes, and those that are not valid UTF-8 are
 * marked instead of being opened under another name.
 */
export function folderEntries(dir: string): FolderEntry[] {
  const entries = readdirSync(dir, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes(REPLACED))) return entries;
  return readdirSync(dir, { withFileTypes: true, encoding: 'buffer' }).map((entry): FolderEntry => {
    const name = entry.name as Buffer;
    if (!isUtf8(name)) {
      const unnameable = entry.isDirectory() || entry.isSymbolicLink() ? 'folder' : 'file';
      return { name: shownName(name), unnameable, isFile: no, isDirectory: no, isSymbolicLink: no };
    }
    const [isFile, isDirectory, isSymbolicLink] = [
      entry.isFile(),
      entry.isDirectory(),
      entry.isSymbolicLink(),
    ];
    return {
      name: name.toString(),
      isFile: () => isFile,
      isDirectory: () => isDirectory,
      isSymbolicLink: () => isSymbolicLink,
    };
  });
}
