import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileErrorCode, isNothing } from '../errors.ts';
import { tooLongForDocument } from '../json/limits.ts';
import { byText } from '../text/order.ts';

/** A file of an episode: its name relative to the directory, with forward slashes. */
export interface EpisodeFile {
  readonly name: string;
  /** False for a symlink that leads out of the episode, or nowhere: never followed. */
  readonly inside: boolean;
}

/** What lies in an episode's directory. */
export interface Listing {
  /** Every regular file below it, and every symlink, sorted by name. */
  readonly files: readonly EpisodeFile[];
  /** What is neither a file nor a folder, or a link to such: a FIFO or a device is never opened. */
  readonly others: readonly string[];
}

// Synchronous on purpose: an episode is a handful of small files, and a folder may hold thousands of episodes.

/** A FIFO keeps whoever opens it waiting, and a device may never end. */
export function canBeOpened(status: Stats): boolean {
  return status.isFile() || status.isDirectory();
}

function leadsInside(root: string, path: string): boolean {
  try {
    const target = relative(root, realpathSync(path));
    return target !== '' && target !== '..' && !target.startsWith(`..${sep}`);
  } catch {
    return false;
  }
}

/** Whether a path is a symlink that leads out of an episode's directory, or nowhere; the directory may be one. */
export function leadsOutside(dir: string, path: string): boolean {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink && !leadsInside(realpathSync(dir), path);
}

/** What a symlink in an episode is: a file like any other, one that must not be followed, or nothing to read. */
function linkedFile(dir: string, name: string): EpisodeFile | undefined {
  const path = join(dir, name);
  const inside = leadsInside(realpathSync(dir), path);
  return inside && !canBeOpened(statSync(path)) ? undefined : { name, inside };
}

/** Whether an episode has something of a name, be it a link that leads nowhere. */
export const isThere = (dir: string, name: string): boolean =>
  lstatSync(join(dir, name), { throwIfNoEntry: false }) !== undefined;

/** What lies below an episode's directory. */
export function listFiles(dir: string): Listing {
  const files: EpisodeFile[] = [];
  const others: string[] = [];
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
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

/** What came of reading a file of an episode. */
export type FileOutcome =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Why a FIFO or a device is not read. */
export const NO_FILE = 'neither a file nor a folder';

/** Why a symlink is not read. */
export const LEADS_OUTSIDE = 'a symlink out of the episode';

/** What may be opened at a path of an episode; a text says why it must not be. Throws the error of the file system. */
export function openable(dir: string, path: string): Stats | string {
  let status = lstatSync(path);
  if (status.isSymbolicLink()) {
    if (leadsOutside(dir, path)) return LEADS_OUTSIDE;
    status = statSync(path);
  }
  return canBeOpened(status) ? status : NO_FILE;
}

/**
 * Reads a document of an episode whole. A symlink out of the episode is unreadable, as is a directory, a device, and
 * whatever is longer than a document may be.
 */
export function readEpisodeFile(dir: string, name: string): FileOutcome {
  const path = join(dir, name);
  try {
    const status = openable(dir, path);
    if (typeof status === 'string') return { kind: 'unreadable', reason: status };
    const tooLong = tooLongForDocument(status.size);
    if (tooLong !== undefined) return { kind: 'unreadable', reason: tooLong };
    return { kind: 'read', bytes: readFileSync(path) };
  } catch (error) {
    if (isNothing(error)) return { kind: 'missing' };
    return { kind: 'unreadable', reason: fileErrorCode(error) };
  }
}
