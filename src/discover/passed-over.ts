import { type Dirent, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isArchive, unpackedName } from '../archives/format.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { sideFilesAmong } from '../dialects/registry.ts';
import { isNamedAsLog } from '../dialects/sample.ts';

// A log that is renamed, compressed in another way, or replaced by something that cannot be read would be hidden. Each
// name that may be that of a log, and was not read, is reported.

/** The name of a log, whatever follows it: `.xz`, `.bak`, `~`, a blank. */
const LINES = /\.(?:jsonl|ndjson)(?![a-z\d])/i;
/** The usual name of a log with the ending of another file, or none. */
const AS_LOG =
  /^(?:.*\.)?(?:events|event-log|ledger)(?:\.(?:log|json|txt|bak|backup|save|copy|old|orig|tmp|gz|zst|xz|bz2|lz4|br|z|7z|rar))*[~\s]*$/i;
/** What programs write next to a log: locks, digests and signatures. */
const NO_LOG = /\.(?:lock|leaves|sha\d+|md5|sig|asc|minisig)$/i;
const UNREAD_COMPRESSION = /\.(?:xz|bz2|lz4|br|z|7z|rar)[~\s]*$/i;

const isLikeLog = (name: string): boolean =>
  isArchive(name) || ((LINES.test(name) || AS_LOG.test(name)) && !NO_LOG.test(name));

/** Whether a folder has names of logs beyond those of an episode: only then is it worth a closer look. */
export function mayHaveMore(entries: readonly Dirent[]): boolean {
  const names = entries.map(({ name }) => name);
  const known = sideFilesAmong(names);
  return entries.some((entry) =>
    entry.isFile() ? isLikeLog(entry.name) && !known.has(entry.name) : isNamedAsLog(entry.name),
  );
}

/** What is at a path; undefined where nobody can tell, such as in an archive. */
function kindAt(path: string): 'file' | 'folder' | 'other' | undefined {
  try {
    const status = statSync(path);
    return status.isFile() ? 'file' : status.isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}

/** Why a path that may be a log, by its name, was not read. */
export function whyPassedOver(path: string): string {
  const kind = kindAt(path);
  if (kind === 'folder') return 'it is a folder with the name of a log';
  if (kind === 'other') return 'it is not a regular file';
  const name = basename(path);
  if (isArchive(name)) return 'archives in a folder are not opened';
  if (UNREAD_COMPRESSION.test(name)) return 'logs that are compressed like this are not read';
  return /\.(?:jsonl|ndjson)$/i.test(unpackedName(name))
    ? 'its format is not known'
    : 'a log is not read under such a name';
}

/** At most this many paths are named in a line; `verify` names all. */
const NAMED = 5;

/** `a.jsonl.xz (logs that are compressed like this are not read), 3 more`. `shown`: a path as the user would write it. */
export function passedOverText(
  paths: readonly string[],
  shown: (path: string) => string,
  why: (path: string) => string = whyPassedOver,
): string {
  const named = paths.slice(0, NAMED).map((path) => `${shown(path)} (${why(path)})`);
  return [...named, ...(paths.length > NAMED ? [`${paths.length - NAMED} more`] : [])].join(', ');
}

/** A folder as far as it is known what was taken from it. */
export interface Taken {
  readonly dir: string;
  readonly entries: readonly Dirent[];
  /** The files in it that can be read. */
  readonly names: readonly string[];
  readonly owner: Dialect | undefined;
  /** The log of the episode that the folder is. */
  readonly own: string | undefined;
  /** Other files that were taken for logs. */
  readonly taken: ReadonlySet<string>;
}

/** The paths in a folder that may be logs, by their names, and were not taken for any. */
export function passedOverIn({ dir, entries, names, owner, own, taken }: Taken): string[] {
  const readable = new Set(names);
  const others = entries
    .filter(({ name }) => !readable.has(name))
    .filter(({ name }) => isNamedAsLog(name) || /\.(?:jsonl|ndjson)$/i.test(name))
    .map(({ name }) => name);
  const like = names.filter((name) => name !== own && !taken.has(name) && isLikeLog(name));
  if (like.length === 0 && others.length === 0) return [];
  // The files next to a log are known by its name, also if it is compressed or missing.
  const ownName = own ?? owner?.folder?.log;
  const known = new Set([
    ...sideFilesAmong(ownName === undefined ? names : [...names, unpackedName(ownName)]),
    // The bytes of these are verified with the manifest.
    ...(owner?.listed?.({ dir, names }) ?? []),
  ]);
  return [...others, ...like.filter((name) => !known.has(name))].map((name) => join(dir, name)).sort();
}
