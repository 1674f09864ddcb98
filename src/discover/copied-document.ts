import { basename } from 'node:path';
import type { DocumentFile } from './document-copy.ts';
import { type Episode, plainFile } from './find.ts';
import type { PrivateCopy } from './private-copy.ts';
import { mayBeDocument } from './require-log.ts';

/** A document whose records stand on lines of their own in a copy, which is to be removed. */
export interface CopiedDocument {
  readonly document: DocumentFile;
  readonly copy: PrivateCopy;
}

/** What an episode is whose records do not stand on lines of their own; undefined for any other: little is loaded for those. */
export async function copiedDocument(episode: Episode): Promise<CopiedDocument | undefined> {
  const path = plainFile(episode);
  if (path === undefined || !mayBeDocument(path, basename(path))) return undefined;
  const { documentAt } = await import('./document.ts');
  const source = await documentAt(path);
  if (source === undefined) return undefined;
  const { documentCopy } = await import('./document-copy.ts');
  const document = { ...source, path };
  return { document, copy: await documentCopy(document) };
}
