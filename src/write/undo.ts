import { dirname } from 'node:path';
import type { FileSystem, PortFile } from '../base/files/port.ts';
import type { Intent } from './lock-file.ts';

/** Reads a range of a file; shorter if the file ends earlier. */
export async function readRange(file: PortFile, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let have = 0;
  for (let count = 1; have < length && count > 0; have += count)
    count = await file.read(bytes.subarray(have), from + have);
  return bytes.subarray(0, have);
}

async function cutBack(file: PortFile, size: number, { length, batch }: Intent): Promise<boolean> {
  const tail = await readRange(file, length, size - length);
  if (!batch.subarray(0, tail.length).equals(tail)) return false;
  await file.truncate(length);
  await file.sync();
  return true;
}

/**
 * Removes what is left of an unacknowledged batch, and returns the number of bytes. Only removes a tail that
 * is the beginning of that batch: data that another program appended stays.
 */
export async function undoBatch(files: FileSystem, log: string, intent: Intent): Promise<number> {
  const status = await files.status(log);
  if (status === undefined || !status.isFile) return 0;
  const { length, batch, created } = intent;
  const left = status.size - length;
  if (left < 0 || left > batch.length) return 0;
  if (left > 0) {
    const file = await files.open(log, 'append');
    try {
      if (!(await cutBack(file, status.size, intent))) return 0;
    } finally {
      await file.close();
    }
  }
  if (created && length === 0) {
    await files.remove(log);
    await files.syncFolder(dirname(log));
  }
  return left;
}
