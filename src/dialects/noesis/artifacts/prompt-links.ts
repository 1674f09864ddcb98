import { EventReporter } from '../../../findings/check.ts';
import { readLog } from '../../../log/read.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import type { EpisodeContents } from './contents.ts';
import { PROMPTS_FILE } from './names.ts';

const ID = field('id');

/** The references of a prompt: the event it led to, and the event with the outcome (noesis.md §4). */
const LINKS = ['event_id', 'outcome_event_id'].map(field);

/** Yields the references in a prompt's record, by key. */
function* linksOf(record: LogRecord): Generator<readonly [key: string, id: string]> {
  for (const link of LINKS) {
    const id = record.string(link);
    if (id !== undefined) yield [link.name, id];
  }
}

/** Corrupt lines were reported when the file was first read. */
const alreadyReported = (): void => {};

/** The event ids in an episode's prompts, to be looked up in its log. */
export class PromptLinks {
  readonly #ids = new Set<string>();

  add(record: LogRecord): void {
    for (const [, id] of linksOf(record)) this.#ids.add(id);
  }

  /**
   * Reports prompts that refer to events not in the log, which must be intact. It reads the log again: few episodes have
   * prompts, so event ids are not kept in the first pass.
   */
  async check(log: string, contents: EpisodeContents): Promise<void> {
    const missing = this.#ids;
    if (missing.size === 0) return;
    await readLog(log, {
      record: (record) => missing.delete(record.string(ID) ?? ''),
      corrupt: alreadyReported,
      between: () => missing.size > 0,
    });
    if (missing.size === 0) return;
    const report = new EventReporter(contents.findings, PROMPTS_FILE);
    await readLog(contents.path(PROMPTS_FILE), {
      record: (record) => {
        for (const [key, id] of linksOf(record)) {
          if (!missing.has(id)) continue;
          const message = `the prompt belongs to the event ${JSON.stringify(id)}, which the log does not have`;
          const { line, value: event } = record;
          report.at(
            { record, event, line, id: undefined },
            { code: 'lineage/broken-link', message, path: [key] },
          );
        }
      },
      corrupt: alreadyReported,
    });
  }
}
