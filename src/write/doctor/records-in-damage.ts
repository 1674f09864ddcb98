import { statSync } from 'node:fs';
import { readWhole } from '../../base/files/open-file.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { linesOf } from '../../dialects/sessions/kit/loading/lines.ts';
import { RepairLog } from '../../dialects/sessions/kit/repair/repair-log.ts';
import { AS_STORED } from '../../log/log-form.ts';
import { readLog } from '../../log/read.ts';
import { takeRecords } from './bytes.ts';
import { MAX_BYTES } from './examine.ts';

/**
 * The number of whole records in the damaged lines of a session, which only doctor reads: a line number names one record, so
 * other commands leave these lines out. 0 if doctor does not read the log.
 */
export async function recordsInDamage(log: string, { repair }: Pick<Dialect, 'repair'>): Promise<number> {
  const program = await repair?.();
  if (program === undefined || statSync(log).size > MAX_BYTES) return 0;
  const damaged = new Set<number>();
  await readLog(log, AS_STORED, {
    wants(code, line) {
      // The record behind a byte order mark is read.
      if (code !== 'log/bom') damaged.add(line);
      return false;
    },
    corrupt() {},
  });
  const taken = new RepairLog();
  takeRecords([...linesOf(readWhole(log))], taken, program.bytes);
  return taken.records.filter(({ line }) => damaged.has(line)).length;
}
