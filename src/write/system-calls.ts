import { errorCode } from '../base/errors.ts';
import type { FileSystem, PortFile } from '../base/files/port.ts';

/** How often an interrupted call is retried. */
const MOST_TRIES = 100;

/** Makes a system call, and retries if a signal interrupts it. */
export async function retried<Value>(call: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (errorCode(error) !== 'EINTR' || tries === MOST_TRIES) throw error;
    }
  }
}

/** Removes a file if possible. If not, the next writer removes it. */
export const removeIfPossible = (files: FileSystem, path: string): Promise<void> =>
  retried(() => files.remove(path)).catch(() => {});

/** Appends all bytes to a file, continuing after partial writes. */
export async function writeAll(file: PortFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += await retried(() => file.write(bytes.subarray(at)));
}
