import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cannotKeepTemporary, whileTemporary } from '../base/errors.ts';

/** A private copy of a stream, for readers that need two passes. */
export interface Spool extends AsyncDisposable {
  readonly path: string;
}

/** Where to put copies. */
export interface SpoolPlace {
  readonly tmpDir: string;
  /** Functions that remove copies if the process ends early. */
  readonly leftovers: Set<() => void>;
  /** Stops copying when aborted. */
  readonly interrupted: AbortSignal;
}

/**
 * Copies a stream to a file in a private folder that only this user can read. Throws an AbortError if
 * interrupted, and `unwritable` if there is no room.
 */
export async function spool(
  stream: AsyncIterable<Buffer>,
  { tmpDir, leftovers, interrupted }: SpoolPlace,
): Promise<Spool> {
  const folder = await mkdtemp(join(tmpDir, 'noesis-')).catch((error: unknown) => {
    throw cannotKeepTemporary(tmpDir, error);
  });
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
    throw whileTemporary(tmpDir, error);
  }
  return { path, [Symbol.asyncDispose]: dispose };
}
