import { basename } from 'node:path';
import type { PackedFormat } from '../base/archives/format.ts';
import { FileError, reasonFor, TargetError, UNNAMEABLE } from '../base/errors.ts';
import { leadsOutside } from '../base/files/files.ts';
import { plainShellWord } from '../base/text/shell-word.ts';
import type { DialectName } from '../dialects/dialect.ts';

/** An episode that was found: its folder, and its log if it has one. */
export interface Episode {
  /** The folder's name; if several logs share a folder, the log's. */
  readonly name: string;
  /** The episode's folder; undefined for a single log. */
  readonly dir: string | undefined;
  readonly log: string | undefined;
  /** The user named the log itself, which may therefore be a link that leads out of the folder. */
  readonly isNamed?: true;
  /** One run of a log with many: its id, or the text that names it if the log is packed. */
  readonly run?: string;
  /** The dialect that the user named, to find the run after unpacking. */
  readonly dialect?: DialectName;
  /** Separate logs that belong to it, such as those of subagents. */
  readonly parts?: readonly string[];
  /** If some of them are unpacked copies: the paths that they would have without packing. */
  readonly partPlaces?: readonly string[];
  /** What may be such logs and is not read: links, FIFOs, and folders that cannot be listed. */
  readonly unreadParts?: readonly string[];
  /** The dialect of the folder's artifacts, whatever the log looks like. */
  readonly owner?: DialectName;
  /** Why the folder could not be listed, or the file not be opened by its name. */
  readonly unlisted?: string;
  /** A link that is not followed: to a folder, out of the searched folder, or to nothing. */
  readonly link?: true;
  /** The log is an archive of episodes, or compressed. */
  readonly packed?: PackedFormat;
  /** If the log is a copy: its path without packing. Other files of the episode are next to it. */
  readonly place?: string;
  /** If the log is an unpacked copy: the compressed file. */
  readonly packedAt?: string;
  /** The log, or the whole run, is a private copy of what the user named; nobody writes to it. */
  readonly copy?: true;
  /** The log's name for the user, if it differs from the file name: that of a copy, or `-` for standard input. */
  readonly fileName?: string;
  /** The path inside an archive. */
  readonly inside?: string;
  /** Its compressed log, if it has no other. */
  readonly packedLog?: string;
  /** When it was last written to, in milliseconds since 1970, if its log is in a store. */
  readonly changed?: number;
  /** Other logs in and below its folder, as relative paths. Each is a separate episode. */
  readonly inner?: readonly string[];
}

/** The path of an episode: its folder, or its single log. */
export const pathOf = ({ dir, log = '' }: Pick<Episode, 'dir' | 'log'>): string => dir ?? log;

/** A link that is not followed. */
export const linked = (path: string): Episode => ({
  name: basename(path),
  dir: path,
  log: undefined,
  link: true,
});

/** The error for a link that is not followed. `file`: its path for the user. */
export const notFollowed = (path: string, file = path): FileError =>
  new FileError('unreadable', `cannot read ${file}: a link out of its folder is not followed`, {
    place: { file: path },
    hint: 'name what it leads to',
  });

/** The error for an episode whose folder cannot be listed, or that is a link. */
export function unreadable(episode: Episode, file = pathOf(episode)): FileError {
  if (episode.link) return notFollowed(pathOf(episode), file);
  return new FileError('unreadable', `cannot read ${file}: ${reasonFor(episode.unlisted ?? '')}`, {
    place: { file: pathOf(episode) },
    hint:
      episode.unlisted === UNNAMEABLE
        ? 'rename it; it may be a log, or contain one'
        : 'it may contain a log: make it readable',
  });
}

/** The file of a target that is a single log, possibly the only one in a folder that is not an episode. */
export const plainFile = ({
  dir,
  log,
  fileName,
  owner,
  packed,
}: Omit<Episode, 'name'>): string | undefined =>
  fileName === '-' || log === '-' || (dir !== undefined && owner !== undefined) || packed !== undefined
    ? undefined
    : log;

/**
 * The log of an episode. Throws `log-missing` if it has none, and `unreadable` if its folder cannot be
 * listed or the log is a link out of it.
 */
export function logOf(episode: Episode): string {
  const { dir, log, place } = episode;
  // A log that the user named may be a link; one that was found in a folder may not lead out of it.
  if (
    log !== undefined &&
    dir !== undefined &&
    !episode.isNamed &&
    place === undefined &&
    leadsOutside(dir, log)
  )
    throw notFollowed(log);
  if (log !== undefined) return log;
  const file = pathOf(episode);
  if (episode.unlisted !== undefined || episode.link) throw unreadable(episode);
  throw new TargetError('log-missing', `${file} has no event log`, {
    place: { file },
    hint: 'see what else it contains with',
    command: `noesis verify ${plainShellWord(file)}`,
  });
}
