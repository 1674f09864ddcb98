import { errorCode } from '../errors.ts';
import type { FileSystem, PortFile } from '../files/port.ts';

/** A call that a signal broke off is made again, so many times. */
const MOST_TRIES = 100;

/** Makes a system call, and again where a signal broke it off. */
export async function retried<Value>(call: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (errorCode(error) !== 'EINTR' || tries === MOST_TRIES) throw error;
    }
  }
}

/** Takes a name away where the system lets one: what stays is swept up by whoever comes next. */
export const removeIfPossible = (files: FileSystem, path: string): Promise<void> =>
  retried(() => files.remove(path)).catch(() => {});

/** Writes all of some bytes at the end of a file: in one call, and on from there where the system took a part. */
export async function writeAll(file: PortFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += await retried(() => file.write(bytes.subarray(at)));
}
