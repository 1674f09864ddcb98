import { basename } from 'node:path';
import { usualMaxUnpacked } from '../base/archives/budget.ts';
import { packedIn } from './compressed-log.ts';
import type { Episode } from './episode.ts';
import { mayBeDocument } from './require-log.ts';
import type { RootSearch } from './root.ts';

/** Whether a log must be unpacked or converted before its records can be read. */
export const isConverted = (log: string): boolean =>
  packedIn(log).packed !== undefined || mayBeDocument(log, basename(log));

/** Reads a log that must be unpacked or converted, and removes the copy. Throws if that fails. */
export async function readConverted<T>(
  log: string,
  place: RootSearch['unpackPlace'],
  read: (episodes: readonly Episode[]) => Promise<T> | T,
): Promise<T> {
  const { mountWhole } = await import('./mount.ts');
  const episode = { name: basename(log), dir: undefined, log, ...packedIn(log) };
  const limits = place && { maxUnpacked: usualMaxUnpacked(place.tmpDir) };
  const mount = await mountWhole(episode, place && limits && { place, limits });
  if (mount === undefined) return read([episode]);
  try {
    return await read(mount.episodes);
  } finally {
    mount.dispose();
  }
}
