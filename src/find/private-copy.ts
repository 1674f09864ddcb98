import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Budget } from '../base/archives/budget.ts';
import { whileTemporary } from '../base/errors.ts';
import { defined } from '../base/json/defined.ts';
import type { DocumentSource } from './document-source.ts';
import { privateFolder, type UnpackSettings } from './private-folder.ts';

/** A temporary file that only this user can read. */
export interface PrivateCopy {
  readonly path: string;
  /** The copies of the logs of its parts. */
  readonly parts?: readonly string[];
  remove(): void;
}

/**
 * Writes a stream to a file in a private folder. If the stream fails, removes the file and rethrows its error,
 * such as an ArchiveFault for too much data. Throws `unwritable` if there is no room, and an
 * AbortError if the user interrupts it.
 */
export async function privateCopy(
  name: string,
  bytes: (budget: Budget) => AsyncIterable<string | Buffer>,
  { place, limits }: UnpackSettings,
  { parts = [], beside = {} }: Pick<DocumentSource, 'parts' | 'beside'> = {},
): Promise<PrivateCopy> {
  const folder = privateFolder(place);
  const path = join(folder.path, name);
  try {
    const budget = new Budget(limits);
    const { interrupted: signal } = place;
    await pipeline(bytes(budget), createWriteStream(path, { mode: 0o600 }), defined({ signal }));
    const others = [
      ...parts.map((part) => [join(folder.path, part.name), part.lines] as const),
      ...Object.entries(beside).map(([ending, lines]) => [path + ending, lines] as const),
    ];
    for (const [other, lines] of others)
      writeFileSync(other, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch (error) {
    folder.remove();
    throw whileTemporary(place.tmpDir, error);
  }
  const copies = parts.map((part) => join(folder.path, part.name));
  return { path, ...(copies.length > 0 && { parts: copies }), remove: () => folder.remove() };
}
