import { join } from 'node:path';
import { EventReporter } from '../../../findings/check.ts';
import type { Findings } from '../../../findings/findings.ts';
import { readLog } from '../../../log/read.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import { PROMPTS_FILE } from './names.ts';

const ID = field('id');

/** The event that a prompt led to, and the one that says what became of it (noesis.md §4). */
const LINKS = ['event_id', 'outcome_event_id'].map(field);

/** What a prompt's record links to, by the key that says so. */
function* linksOf(record: LogRecord): Generator<readonly [key: string, id: string]> {
  for (const link of LINKS) {
    const id = record.string(link);
    if (id !== undefined) yield [link.name, id];
  }
}

/** What is corrupt in a file was said when it was read before. */
const saidBefore = (): void => {};

/** The ids that the prompts of an episode name, to be looked for in its log. */
export class PromptLinks {
  readonly #ids = new Set<string>();

  add(record: LogRecord): void {
    for (const [, id] of linksOf(record)) this.#ids.add(id);
  }

  /**
   * Reports the prompts that name no event of the log, which must be whole. The log is read once more, up to the last
   * event that is named: its ids are not kept, and few episodes keep their prompts.
   */
  async check(dir: string, log: string, findings: Findings): Promise<void> {
    const missing = this.#ids;
    if (missing.size === 0) return;
    await readLog(log, {
      record: (record) => missing.delete(record.string(ID) ?? ''),
      corrupt: saidBefore,
      between: () => missing.size > 0,
    });
    if (missing.size === 0) return;
    const report = new EventReporter(findings, PROMPTS_FILE);
    await readLog(join(dir, PROMPTS_FILE), {
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
      corrupt: saidBefore,
    });
  }
}
