import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A private copy of a stream, for readers that need to go over it twice. */
export interface Spool {
  readonly path: string;
  /** Removes the copy. */
  dispose(): Promise<void>;
}

/** Copies a stream to its end into a file that only this user can read, in a folder of its own below `tmpDir`. */
export async function spool(stream: Readable, tmpDir: string): Promise<Spool> {
  const folder = await mkdtemp(join(tmpDir, 'noesis-'));
  const path = join(folder, 'stdin.jsonl');
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await dispose();
    throw error;
  }
  return { path, dispose };
}
