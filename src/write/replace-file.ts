import { dirname, join } from 'node:path';
import { removeIfPossible, retried, writeAll } from './system-calls.ts';
import type { WriterWorld } from './world.ts';

/**
 * Writes a file anew: beside its name first, then to the disk, then under its name. Whoever reads it sees the old or
 * the new text, and after a fall of power one of the two is there.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  { files, newId }: WriterWorld,
): Promise<void> {
  // Named as the runtime names what it is about to rename.
  const beside = join(dirname(path), `tmp${newId().replaceAll('-', '').slice(0, 8)}`);
  const file = await retried(() => files.open(beside, 'create'));
  try {
    try {
      await writeAll(file, bytes);
      await retried(() => file.sync());
    } finally {
      await file.close();
    }
    await retried(() => files.rename(beside, path));
  } catch (error) {
    await removeIfPossible(files, beside);
    throw error;
  }
  await retried(() => files.syncFolder(dirname(path)));
}
