import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isArchive, unpackedName } from '../base/archives/format.ts';
import type { FolderEntry } from '../base/files/folder-entries.ts';
import { statusOf } from '../base/files/paths.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { hasRecords, isEventless, isNamedAsLog, mayBeLog, sideFilesIn } from '../dialects/kit/sample.ts';
import { sideFilesAmong, supersededBy } from '../dialects/registry.ts';
import { isNamedAsDocument } from './document-logs.ts';
import { isInStore } from './stores.ts';

// A log could be hidden by renaming it, compressing it differently, or replacing it with something
// unreadable. Therefore every name that may be a log's, but was not read, is reported.

/** The name of a log with any suffix: `.xz`, `.bak`, `~`, a space. */
const LINES = /\.(?:jsonl|ndjson)(?![a-z\d])/i;
/** The usual name of a log with another extension, or none. */
const AS_LOG =
  /^(?:.*\.)?(?:events|event-log|ledger)(?:\.(?:log|json|txt|bak|backup|save|copy|old|orig|tmp|gz|zst|xz|bz2|lz4|br|z|7z|rar))*[~\s]*$/i;
/** Files that programs write next to a log: locks, digests and signatures. */
const NO_LOG = /\.(?:lock|leaves|sha\d+|md5|sig|asc|minisig)$/i;
const UNREAD_COMPRESSION = /\.(?:xz|bz2|lz4|br|z|7z|rar)[~\s]*$/i;

const isLikeLog = (name: string): boolean =>
  isArchive(name) || ((LINES.test(name) || AS_LOG.test(name)) && !NO_LOG.test(name));

/** Whether a file has the name of a log's lock, digest or signature. */
const isNamedAsAttachment = (name: string): boolean =>
  NO_LOG.test(name) && (LINES.test(name) || AS_LOG.test(name));

/** Whether a file that cannot be opened, or must not be, may hold a run, judging by its name. */
export const mayHoldRun = (name: string): boolean => {
  const unpacked = unpackedName(name);
  return (
    isLikeLog(name) ||
    isNamedAsLog(unpacked) ||
    mayBeLog(unpacked) ||
    (unpacked !== name && isNamedAsDocument(unpacked))
  );
};

/** Whether a folder has further names of logs, so it needs a closer look. */
export function mayHaveMore(entries: readonly FolderEntry[]): boolean {
  const names = entries.map(({ name }) => name);
  const known = sideFilesAmong(names);
  return entries.some((entry) =>
    entry.isFile()
      ? (isLikeLog(entry.name) || isNamedAsAttachment(entry.name)) && !known.has(entry.name)
      : isNamedAsLog(entry.name),
  );
}

/** The kind of file at a path; undefined if unknown, such as in an archive. */
export function kindAt(path: string): 'file' | 'folder' | 'other' | undefined {
  const status = statusOf(path);
  return status && (status.isFile() ? 'file' : status.isDirectory() ? 'folder' : 'other');
}

/** The files of repairs in a folder. What reads them is only loaded for names that look like theirs. */
async function filesOfRepairs(dir: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (!names.some((name) => name.endsWith('.doctor.json'))) return new Set();
  const repairs = await import('../dialects/sessions/kit/repaired-copy.ts');
  return repairs.filesOfRepairs(dir, names);
}

function namesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path));
  } catch {
    return [];
  }
}

/** Why a path with a log's name was not read. */
export function whyPassedOver(path: string): string {
  if (isInStore(path)) return 'a newer version wrote it';
  const kind = kindAt(path);
  if (kind === 'folder') return 'it is a folder with the name of a log';
  if (kind === 'other') return 'it is not a regular file';
  const name = basename(path);
  const other = supersededBy(name, namesBeside(path));
  if (other !== undefined) return `an older copy: its program loads ${other}`;
  if (isArchive(name)) return 'archives in a folder are not opened';
  if (UNREAD_COMPRESSION.test(name)) return 'noesis cannot read this compression';
  return /\.(?:jsonl|ndjson)$/i.test(unpackedName(name))
    ? 'its dialect is not known'
    : 'logs with such names are not read';
}

/** The number of paths listed in a line; `verify` lists all. */
const NAMED = 5;

/**
 * `a.jsonl.xz (logs that are compressed like this are not read), 3 more`. `shown` formats a path for the
 * user.
 */
export function passedOverText(
  paths: readonly string[],
  shown: (path: string) => string,
  why: (path: string) => string = whyPassedOver,
): string {
  const named = paths.slice(0, NAMED).map((path) => `${shown(path)} (${why(path)})`);
  return [...named, ...(paths.length > NAMED ? [`${paths.length - NAMED} more`] : [])].join(', ');
}

/** A folder, and what the search took from it. */
interface Taken {
  readonly dir: string;
  readonly entries: readonly FolderEntry[];
  /** The readable files in it. */
  readonly names: readonly string[];
  readonly owner: Dialect | undefined;
  /** The log of the episode in this folder. */
  readonly own: string | undefined;
  /** Other files that were recognised as logs. */
  readonly taken: ReadonlySet<string>;
  /** The dialect that the user named. No other reads the files next to a log. */
  readonly dialect: DialectName | undefined;
}

/** The paths in a folder that have names of logs but were not recognised as such. */
export async function passedOverIn(found: Taken): Promise<string[]> {
  const { dir, entries, names, owner, own, taken, dialect } = found;
  const readable = new Set(names);
  const others = entries
    .filter(({ name, unnameable }) => !readable.has(name) && unnameable === undefined)
    .filter(({ name }) => isNamedAsLog(name) || /\.(?:jsonl|ndjson)$/i.test(name))
    .map(({ name }) => name);
  const isLike = (name: string) => isLikeLog(name) || supersededBy(name, names) !== undefined;
  const like = names.filter(
    (name) =>
      name !== own &&
      !taken.has(name) &&
      (isLike(name) || (isNamedAsAttachment(name) && hasRecords(join(dir, name)))),
  );
  if (like.length === 0 && others.length === 0) return [];
  // Files that belong to a log have its name, even if it is compressed or missing.
  const ownName = own ?? owner?.folder?.log;
  const beside = sideFilesIn(
    dir,
    [...names, ...names.map(unpackedName), ...(ownName === undefined ? [] : [ownName])],
    dialect,
  );
  const more: string[] = [];
  for (const name of like) if (!beside.has(name) && !(await isEventless(dir, name, names))) more.push(name);
  // The manifest covers the files that it lists.
  const listed = new Set(more.length === 0 ? [] : owner?.listed?.({ dir, names }));
  const ofRepairs = more.length === 0 ? new Set() : await filesOfRepairs(dir, names);
  return [...others, ...more.filter((name) => !listed.has(name) && !ofRepairs.has(name))]
    .map((name) => join(dir, name))
    .sort();
}
