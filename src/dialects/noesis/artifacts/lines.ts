import { join } from 'node:path';
import { errorCode } from '../../../errors.ts';
import type { LoggedEvent } from '../../../findings/check.ts';
import { EventReporter } from '../../../findings/check.ts';
import type { Findings } from '../../../findings/findings.ts';
import { readLog } from '../../../log/read.ts';
import { field } from '../../../log/record.ts';
import type { CannotRead } from './contents.ts';

const ID = field('id');

/**
 * Reads a JSONL artifact beside the log; a line that is no record is `artifact/corrupt`. Without a look at the records
 * any JSON value may stand on a line. True when every line could be read.
 */
export async function checkLines(
  dir: string,
  name: string,
  findings: Findings,
  cannotRead: CannotRead,
  look?: (logged: LoggedEvent, report: EventReporter) => void,
): Promise<boolean> {
  const report = new EventReporter(findings, name);
  const reading = readLog(join(dir, name), {
    record(line) {
      const id = line.string(ID);
      look?.({ record: line, event: line.value, line: line.line, id }, report);
    },
    corrupt({ code, lineExcerpt: _, ...place }) {
      if (code === 'log/not-object' && look === undefined) return;
      report.report({ ...place, code: 'artifact/corrupt', file: name });
    },
  });
  try {
    return (await reading).corruptions === 0;
  } catch (error) {
    const reason = errorCode(error);
    if (reason === undefined) throw error;
    cannotRead(name, reason);
    return false;
  }
}
