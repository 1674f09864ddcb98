import { type Compression, packedFormat } from '../base/archives/format.ts';
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
