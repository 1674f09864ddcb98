import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A private copy of a stream, for readers that need to go over it twice. */
export interface Spool {
  readonly path: string;
  /** Removes the copy. */
  dispose(): Promise<void>;
}

/** Where copies are put. */
export interface SpoolPlace {
  readonly tmpDir: string;
  /** Removes what is left when the process ends, however it does. */
  readonly leftovers: Set<() => void>;
  /** Ends the copying. */
  readonly interrupted: AbortSignal;
}

/**
 * Copies a stream to its end into a file that only this user can read, in a folder of its own. Throws an AbortError
 * where it is interrupted.
 */
export async function spool(
  stream: AsyncIterable<Buffer>,
  { tmpDir, leftovers, interrupted }: SpoolPlace,
): Promise<Spool> {
  const folder = await mkdtemp(join(tmpDir, 'noesis-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  leftovers.add(remove);
  const dispose = async () => {
    remove();
    leftovers.delete(remove);
  };
  const path = join(folder, 'stdin.jsonl');
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal: interrupted });
  } catch (error) {
    await dispose();
    throw error;
  }
  return { path, dispose };
}
