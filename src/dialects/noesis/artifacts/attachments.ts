import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readEpisodeFile } from '../../../files/files.ts';
import { readDocument } from '../../../findings/document.ts';
import type { Findings } from '../../../findings/findings.ts';
import { tooLongForDocument } from '../../../json/limits.ts';
import type { EpisodeContents } from './contents.ts';
import { checkLines } from './lines.ts';
import { CHECKPOINT_FILE, KNOWN_FILES } from './names.ts';

/**
 * Checks that every other JSON and JSONL file of an episode, such as snapshots and transcripts, can be
 * parsed. Files over 64 MiB are only covered by the manifest's hash.
 */
export async function checkAttachments(
  dir: string,
  contents: EpisodeContents,
  findings: Findings,
): Promise<void> {
  for (const { name, inside } of contents.files) {
    if (!inside || KNOWN_FILES.has(name) || CHECKPOINT_FILE.test(name)) continue;
    if (name.endsWith('.jsonl')) await checkLines(dir, name, findings, contents);
    if (!name.endsWith('.json')) continue;
    const size = await stat(join(dir, name)).then(
      (status) => status.size,
      () => 0,
    );
    if (tooLongForDocument(size) !== undefined) continue;
    const outcome = readEpisodeFile(dir, name);
    if (outcome.kind === 'read') readDocument(name, outcome.bytes, 'artifact/corrupt', findings);
    else contents.cannotRead(name, outcome.kind === 'missing' ? 'gone' : outcome.reason);
  }
}
