import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Budget, DEFAULT_MAX_UNPACKED } from '../archives/budget.ts';
import { privateFolder, type UnpackSettings } from './archive.ts';
import { type DocumentSource, linesWithin } from './document.ts';

/** A document of records, and where it lies. */
export type DocumentFile = DocumentSource & { readonly path: string };

/** A copy that only this user can read, for as long as it is needed. */
export interface DocumentCopy {
  readonly path: string;
  remove(): void;
}

/** Writes the records of a document to a copy, a line each. Throws ArchiveFault where it is too large. */
export async function documentCopy(
  document: DocumentFile,
  { place, limits }: UnpackSettings = { place: { tmpDir: tmpdir(), leftovers: new Set() } },
): Promise<DocumentCopy> {
  const folder = privateFolder(place);
  const path = join(folder.path, basename(document.path));
  try {
    const budget = new Budget(limits ?? { maxUnpacked: DEFAULT_MAX_UNPACKED });
    await pipeline(linesWithin(document, budget), createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    folder.remove();
    throw error;
  }
  return { path, remove: () => folder.remove() };
}
