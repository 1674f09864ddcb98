import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Budget } from '../archives/budget.ts';
import { privateFolder, type UnpackSettings } from './archive.ts';

/** A file that only this user can read, for as long as it is needed. */
export interface PrivateCopy {
  readonly path: string;
  remove(): void;
}

/**
 * Writes what comes out of something to a file of that name in a private folder. Throws what that throws, such as an
 * ArchiveFault where it is too much; nothing is left then.
 */
export async function privateCopy(
  name: string,
  bytes: (budget: Budget) => AsyncIterable<string | Buffer>,
  { place, limits }: UnpackSettings,
): Promise<PrivateCopy> {
  const folder = privateFolder(place);
  const path = join(folder.path, name);
  try {
    const budget = new Budget(limits);
    await pipeline(bytes(budget), createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    folder.remove();
    throw error;
  }
  return { path, remove: () => folder.remove() };
}
