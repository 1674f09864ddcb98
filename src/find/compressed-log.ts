import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Compression, packedFormat } from '../base/archives/format.ts';
import { leadsOutside } from '../base/files/files.ts';
import { dialectNamed } from '../dialects/registry.ts';
import type { Episode } from './episode.ts';
import { packedLogOf } from './find.ts';

/** A compressed log. */
export interface CompressedLog {
  readonly path: string;
  readonly compression: Compression;
}

/** The compressed log of a target, named directly or in an episode. */
export function compressedLog({ dir, log, owner, packed }: Episode): CompressedLog | undefined {
  if (log !== undefined && packed?.kind === 'file') return { path: log, compression: packed.compression };
  if (dir === undefined || log !== undefined || owner === undefined) return undefined;
  const dialect = dialectNamed(owner);
  const name = dialect && packedLogOf(dialect, readdirSync(dir));
  const format = name === undefined ? undefined : packedFormat(name);
  return name === undefined || format?.kind !== 'file' || leadsOutside(dir, join(dir, name))
    ? undefined
    : { path: join(dir, name), compression: format.compression };
}
