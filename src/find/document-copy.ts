import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { usualMaxUnpacked } from '../base/archives/budget.ts';
import type { UnpackSettings } from './archive.ts';
import { type DocumentSource, linesWithin } from './document-source.ts';
import { type PrivateCopy, privateCopy } from './private-copy.ts';

/** A document of records, and its path. */
export type DocumentFile = DocumentSource & { readonly path: string };

/** Copies the records of a document, one per line. Throws ArchiveFault if it is too large. */
export const documentCopy = (
  document: DocumentFile,
  settings: UnpackSettings = {
    place: { tmpDir: tmpdir(), leftovers: new Set() },
    limits: { maxUnpacked: usualMaxUnpacked(tmpdir()) },
  },
): Promise<PrivateCopy> =>
  privateCopy(basename(document.path), (budget) => linesWithin(document, budget), settings, document);
