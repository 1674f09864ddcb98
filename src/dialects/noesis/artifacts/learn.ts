import type { EventReporter } from '../../../findings/check.ts';
import type { LogFacts } from '../model/facts.ts';
import type { EpisodeContents } from './contents.ts';
import { LEARN_FILE } from './names.ts';

/**
 * Checks learn events of a finished run that refer to learn.jsonl: the file, its records and the seal
 * (noesis.md §8.5). `recordIds`: the ids in the file; undefined if part of it could not be read.
 */
export function checkLearnEvents(
  { learn }: LogFacts,
  contents: EpisodeContents,
  recordIds: ReadonlySet<string> | undefined,
  log: EventReporter,
): void {
  for (const { payload, line, id } of learn) {
    if (payload['learn_path'] !== LEARN_FILE) continue;
    const say = (message: string) => log.onLine(line, id, { code: 'consistency/learn', message });
    if (!contents.lists(LEARN_FILE)) {
      say(`the event points to ${LEARN_FILE}, which does not exist`);
      continue;
    }
    if (contents.manifest && contents.entry(LEARN_FILE)?.kind !== 'learn')
      say(`the manifest does not list ${LEARN_FILE} as kind learn`);
    const proposals = payload['proposal_ids'];
    if (recordIds === undefined || !Array.isArray(proposals)) continue;
    for (const proposal of proposals) {
      if (typeof proposal !== 'string' || recordIds.has(proposal)) continue;
      say(`proposal ${JSON.stringify(proposal)} is not in ${LEARN_FILE}`);
    }
  }
}
