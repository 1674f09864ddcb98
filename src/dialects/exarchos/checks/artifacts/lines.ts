import { join } from 'node:path';
import type * as z from 'zod';
import { fileErrorCode } from '../../../../base/errors.ts';
import { openable } from '../../../../base/files/files.ts';
import { EventReporter, type LoggedEvent } from '../../../../findings/check.ts';
import type { Findings } from '../../../../findings/findings.ts';
import { schemaIssues } from '../../../../findings/schema-issues.ts';
import { AS_STORED } from '../../../../log/log-form.ts';
import { readLog } from '../../../../log/read.ts';

/** A JSONL file next to the log. */
interface LinesToCheck {
  readonly dir: string;
  readonly name: string;
  readonly schema: z.ZodType;
  /** What the program does with an invalid line, as the end of a sentence. */
  readonly loss: string;
  readonly line: (logged: LoggedEvent, report: EventReporter) => void;
}

/** Reads a JSONL file in pieces. Returns false if there is none. */
export async function checkLines(
  { dir, name, schema, loss, line }: LinesToCheck,
  findings: Findings,
): Promise<boolean> {
  const report = new EventReporter(findings, name);
  const cannot = (reason: string) => {
    findings.report({ code: 'artifact/unreadable', message: `cannot be read (${reason})`, file: name });
    return true;
  };
  const path = join(dir, name);
  try {
    const status = openable(dir, path);
    if (typeof status === 'string') return cannot(status);
    await readLog(path, AS_STORED, {
      record(record) {
        const logged: LoggedEvent = { record, event: record.value, line: record.line, id: undefined };
        const issues = schemaIssues(schema, logged.event);
        for (const { path, message, expected } of issues) {
          report.at(logged, {
            code: 'artifact/schema',
            severity: 'warn',
            message: `${message}: ${loss}`,
            path,
            expected,
          });
        }
        if (issues.length === 0) line(logged, report);
      },
      corrupt({ code: _, lineExcerpt: __, message, ...place }) {
        report.report({ ...place, code: 'artifact/corrupt', message: `${message}: ${loss}`, file: name });
      },
    });
  } catch (error) {
    const reason = fileErrorCode(error);
    return reason === 'ENOENT' ? false : cannot(reason);
  }
  return true;
}
