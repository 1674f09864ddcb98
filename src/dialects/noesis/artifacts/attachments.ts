import { stat } from 'node:fs/promises';
import { readDocument } from '../../../findings/document.ts';
import { tooLongForDocument } from '../../../json/limits.ts';
import type { EpisodeContents } from './contents.ts';
import { checkLines } from './lines.ts';
import { CHECKPOINT_FILE, KNOWN_FILES } from './names.ts';

/**
 * Checks that every other JSON and JSONL file of an episode, such as snapshots and transcripts, can be
 * parsed. Files over 64 MiB are only covered by the manifest's hash.
 */
export async function checkAttachments(contents: EpisodeContents): Promise<void> {
  for (const { name, inside } of contents.files) {
    if (!inside || KNOWN_FILES.has(name) || CHECKPOINT_FILE.test(name)) continue;
    if (name.endsWith('.jsonl')) await checkLines(contents, name);
    if (!name.endsWith('.json')) continue;
    const size = await stat(contents.path(name)).then(
      (status) => status.size,
      () => 0,
    );
    if (tooLongForDocument(size) !== undefined) continue;
    const bytes = contents.read(name);
    if (bytes) readDocument(name, bytes, 'artifact/corrupt', contents.findings);
  }
}
