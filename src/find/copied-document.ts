import { basename } from 'node:path';
import type { DocumentFile } from './document-copy.ts';
import { type Episode, plainFile } from './episode.ts';
import type { PrivateCopy } from './private-copy.ts';
import { mayBeDocument } from './require-log.ts';

/** A copy of a document with one record per line, which must be removed. */
interface CopiedDocument {
  readonly document: DocumentFile;
  readonly copy: PrivateCopy;
}

/** The document of an episode whose records are not one per line; undefined for other episodes, which load little code. */
export async function documentOfEpisode(episode: Omit<Episode, 'name'>): Promise<DocumentFile | undefined> {
  const path = plainFile(episode);
  if (path === undefined || !mayBeDocument(path, basename(path))) return undefined;
  const { documentAt } = await import('./document-source.ts');
  const source = await documentAt(path);
  return source && { ...source, path };
}

/** Copies the document of an episode. */
export async function copiedDocument(episode: Episode): Promise<CopiedDocument | undefined> {
  const document = await documentOfEpisode(episode);
  if (document === undefined) return undefined;
  const { documentCopy } = await import('./document-copy.ts');
  return { document, copy: await documentCopy(document) };
}
