import { dirname, join } from 'node:path';
import type { WriterSystem } from './system.ts';
import { removeIfPossible, retried, writeAll } from './system-calls.ts';

/**
 * Replaces a file: writes a temporary file next to it, flushes it and renames it. Readers see the old or the
 * new text, also after a power failure.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  { files, newId }: WriterSystem,
): Promise<void> {
  // The runtime gives its temporary files such names.
  const temporary = join(dirname(path), `tmp${newId().replaceAll('-', '').slice(0, 8)}`);
  const file = await retried(() => files.open(temporary, 'create'));
  try {
    try {
      await writeAll(file, bytes);
      await retried(() => file.sync());
    } finally {
      await file.close();
    }
    await retried(() => files.rename(temporary, path));
  } catch (error) {
    await removeIfPossible(files, temporary);
    throw error;
  }
  await retried(() => files.syncFolder(dirname(path)));
}
