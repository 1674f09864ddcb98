import type { EpisodeFile } from '../../../files/files.ts';
import type { EventReporter } from '../../../findings/check.ts';
import type { LogFacts } from '../model/facts.ts';
import type { NoesisManifest } from '../schema/manifest.ts';
import { LEARN_FILE } from './names.ts';

/** What learn events of the newer form are compared with. */
export interface LearnContext {
  readonly facts: LogFacts;
  readonly files: readonly EpisodeFile[];
  /** The ids in learn.jsonl; undefined if part of it could not be read. */
  readonly recordIds: ReadonlySet<string> | undefined;
  readonly manifest: NoesisManifest | undefined;
  /** The run has written its last artifacts. The event precedes the file. */
  readonly finished: boolean;
  readonly log: EventReporter;
}

/** Checks learn events that refer to learn.jsonl: the file, its records and the seal (noesis.md §8.5). */
export function checkLearnEvents({ facts, files, recordIds, manifest, finished, log }: LearnContext): void {
  if (!finished) return;
  for (const { payload, line, id } of facts.learn) {
    if (payload['learn_path'] !== LEARN_FILE) continue;
    const say = (message: string) => log.onLine(line, id, { code: 'consistency/learn', message });
    if (!files.some(({ name }) => name === LEARN_FILE)) {
      say(`the event points to ${LEARN_FILE}, which is not there`);
      continue;
    }
    const entry = manifest?.files.find(({ name }) => name === LEARN_FILE);
    if (manifest && entry?.kind !== 'learn') say(`the manifest does not list ${LEARN_FILE} as kind learn`);
    const proposals = payload['proposal_ids'];
    if (recordIds === undefined || !Array.isArray(proposals)) continue;
    for (const proposal of proposals) {
      if (typeof proposal !== 'string' || recordIds.has(proposal)) continue;
      say(`proposal ${JSON.stringify(proposal)} is not in ${LEARN_FILE}`);
    }
  }
}
