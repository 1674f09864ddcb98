import { basename } from 'node:path';
import type { DocumentFile } from '../discover/document-copy.ts';
import type { PrivateCopy } from '../discover/private-copy.ts';
import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { reportAsPacked } from './packed-report.ts';

/** The target for a copy of a document. */
export const asCopy = (
  target: VerifyTarget,
  document: DocumentFile,
  { path }: PrivateCopy,
): VerifyTarget => ({
  ...target,
  dir: undefined,
  log: path,
  copy: true,
  fileName: basename(document.path),
});

/** Turns the report on a copy into one on the document. */
export const asDocument = (
  report: EpisodeReport,
  document: DocumentFile,
  { path }: PrivateCopy,
): EpisodeReport => ({
  ...reportAsPacked(report, (text) => text.replaceAll(path, document.path)),
  path: document.path,
});
