import type { PackedFormat } from '../base/archives/format.ts';
import { FileError, reasonFor } from '../base/errors.ts';
import type { DialectName } from '../dialects/dialect.ts';

/** An episode that was found: its folder, and its log if it has one. */
export interface Episode {
  /** The folder's name; if several logs share a folder, the log's. */
  readonly name: string;
  /** The episode's folder; undefined for a single log. */
  readonly dir: string | undefined;
  readonly log: string | undefined;
  /** One run of a log with many. */
  readonly run?: string;
  /** Separate logs that belong to it, such as those of subagents. */
  readonly parts?: readonly string[];
  /** The dialect of the folder's artifacts, whatever the log looks like. */
  readonly owner?: DialectName;
  /** Why the folder could not be listed. */
  readonly unlisted?: string;
  /** The folder is a link, which is not followed. */
  readonly link?: true;
  /** The log is an archive of episodes, or compressed. */
  readonly packed?: PackedFormat;
  /** The path inside an archive. */
  readonly inside?: string;
  /** Its log is compressed; verification unpacks it. */
  readonly packedLog?: true;
  /** Other logs in and below its folder, as relative paths. Each is a separate episode. */
  readonly inner?: readonly string[];
}

/** The path of an episode: its folder, or its single log. */
export const pathOf = ({ dir, log = '' }: Pick<Episode, 'dir' | 'log'>): string => dir ?? log;

/** The error for an episode whose folder cannot be listed. */
export function unreadable(episode: Episode, file = pathOf(episode)): FileError {
  return new FileError('unreadable', `cannot read ${file}: ${reasonFor(episode.unlisted ?? '')}`, {
    place: { file: pathOf(episode) },
    hint: 'it may contain a log: make it readable',
  });
}

/** The file of a target that is a single log, possibly the only one in a folder that is not an episode. */
export const plainFile = ({ dir, log, owner, run, packed }: Omit<Episode, 'name'>): string | undefined =>
  log === '-' || (dir !== undefined && owner !== undefined) || run !== undefined || packed !== undefined
    ? undefined
    : log;
