import { type Compression, type PackedFormat, packedFormat } from '../base/archives/format.ts';
import { leadsOutside } from '../base/files/files.ts';
import type { Episode } from './episode.ts';

/** A compressed log. */
export interface CompressedLog {
  readonly path: string;
  readonly compression: Compression;
}

/** The compressed log of a target, named directly or in an episode. */
export function compressedLog({ dir, log, packed, packedLog }: Episode): CompressedLog | undefined {
  if (log !== undefined && packed?.kind === 'file') return { path: log, compression: packed.compression };
  const format = packedLog === undefined ? undefined : packedFormat(packedLog);
  return dir === undefined ||
    packedLog === undefined ||
    format?.kind !== 'file' ||
    leadsOutside(dir, packedLog)
    ? undefined
    : { path: packedLog, compression: format.compression };
}

/** How a log is packed; nothing for a plain one. */
export function packedIn(log: string | undefined): { readonly packed?: PackedFormat } {
  const packed = log === undefined ? undefined : packedFormat(log);
  return packed === undefined ? {} : { packed };
}

/** Whether a run has compressed logs of parts, which must be unpacked to be read. */
export const hasPackedParts = ({ parts = [] }: Pick<Episode, 'parts'>): boolean =>
  parts.some((log) => packedFormat(log)?.kind === 'file');
