import { join } from 'node:path';
import { readLog } from '../../../log/read.ts';
import type { LoggedEvent } from '../../../verify/check.ts';
import { EventReporter } from '../../../verify/check.ts';
import type { Findings } from '../../../verify/findings.ts';

/** Reads a JSONL artifact beside the log; a line that is no record is `artifact/corrupt`. */
export async function checkLines(
  dir: string,
  name: string,
  findings: Findings,
  record: (logged: LoggedEvent, report: EventReporter) => void,
): Promise<void> {
  const report = new EventReporter(findings, name);
  await readLog(join(dir, name), {
    record(line) {
      const id = line.value['id'];
      const logged = {
        record: line,
        event: line.value,
        line: line.line,
        id: typeof id === 'string' ? id : undefined,
      };
      record(logged, report);
    },
    corrupt({ code: _, lineExcerpt: __, ...place }) {
      report.report({ ...place, code: 'artifact/corrupt', file: name });
    },
  });
}
