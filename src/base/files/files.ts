import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { FileError, fileErrorCode, isNothing } from '../errors.ts';
import { tooLongForDocument } from '../json/limits.ts';
import { byText } from '../text/order.ts';
import { folderEntries } from './folder-entries.ts';
import { canBeOpened, NO_FILE, readWhole } from './open-file.ts';

/** A file of an episode. Its path is relative to the folder, with forward slashes. */
export interface EpisodeFile {
  readonly name: string;
  /** False for a broken symlink, or one that leads out of the episode. It is never followed. */
  readonly inside: boolean;
}

/** The contents of an episode's folder. */
export interface Listing {
  /** Every regular file and symlink below the folder, sorted by name. */
  readonly files: readonly EpisodeFile[];
  /** Anything else, such as a FIFO, a device or a name that is not valid UTF-8. These are never opened. */
  readonly others: readonly string[];
}

// Synchronous on purpose: an episode has a few small files, and there may be thousands of episodes.

function leadsInside(root: string, path: string): boolean {
  try {
    const target = relative(root, realpathSync(path));
    return target !== '' && target !== '..' && !target.startsWith(`..${sep}`);
  } catch {
    return false;
  }
}

/**
 * Whether a path is a broken symlink or leads out of the episode's folder. The folder itself may be a
 * symlink.
 */
export function leadsOutside(dir: string, path: string): boolean {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink && !leadsInside(realpathSync(dir), path);
}

/** Classifies a symlink in an episode: a file, one that must not be followed, or not readable. */
function linkedFile(dir: string, name: string): EpisodeFile | undefined {
  const path = join(dir, name);
  const inside = leadsInside(realpathSync(dir), path);
  return inside && !canBeOpened(statSync(path)) ? undefined : { name, inside };
}

/** Whether an episode has an entry with this name, even a broken link. */
export const isThere = (dir: string, name: string): boolean =>
  lstatSync(join(dir, name), { throwIfNoEntry: false }) !== undefined;

export function listFiles(dir: string): Listing {
  const files: EpisodeFile[] = [];
  const others: string[] = [];
  const visit = (below: string): void => {
    for (const entry of folderEntries(join(dir, below))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) visit(name);
      else {
        const file = entry.isSymbolicLink()
          ? linkedFile(dir, name)
          : entry.isFile() && { name, inside: true };
        if (file) files.push(file);
        else others.push(name);
      }
    }
  };
  visit('');
  return { files: files.sort((a, b) => byText(a.name, b.name)), others: others.sort(byText) };
}

type FileOutcome =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export const LEADS_OUTSIDE = 'a symlink out of the folder of the run';

/**
 * The status of a file that may be opened, or a text that says why it may not. Throws the error of the file
 * system.
 */
export function openable(dir: string, path: string): Stats | string {
  let status = lstatSync(path);
  if (status.isSymbolicLink()) {
    if (leadsOutside(dir, path)) return LEADS_OUTSIDE;
    status = statSync(path);
  }
  return canBeOpened(status) ? status : NO_FILE;
}

/**
 * Reads a whole document of an episode. Symlinks that lead outside, folders, devices and oversized files are
 * unreadable.
 */
export function readEpisodeFile(dir: string, name: string): FileOutcome {
  const path = join(dir, name);
  try {
    const status = openable(dir, path);
    if (typeof status === 'string') return { kind: 'unreadable', reason: status };
    const tooLong = tooLongForDocument(status.size);
    if (tooLong !== undefined) return { kind: 'unreadable', reason: tooLong };
    return { kind: 'read', bytes: readWhole(path) };
  } catch (error) {
    if (isNothing(error)) return { kind: 'missing' };
    return {
      kind: 'unreadable',
      reason: error instanceof FileError ? NO_FILE : fileErrorCode(error),
    };
  }
}
