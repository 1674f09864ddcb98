import { statSync } from 'node:fs';
import { readWhole } from '../../base/files/open-file.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { linesOf } from '../../dialects/sessions/kit/loading/lines.ts';
import { RepairLog } from '../../dialects/sessions/kit/repair/repair-log.ts';
import { readLog } from '../../log/read.ts';
import { takeRecords } from './bytes.ts';
import { MAX_BYTES } from './examine.ts';

/** The number of whole records in damaged lines. */
export interface RecordsInDamage {
  readonly read: number;
  /** Only doctor finds them. */
  readonly left: number;
}

/** Counts the whole records in the damaged lines of a session; undefined if doctor does not read the log. */
export async function recordsInDamage(
  log: string,
  { repair, form }: Pick<Dialect, 'repair' | 'form'>,
): Promise<RecordsInDamage | undefined> {
  const program = await repair?.();
  if (program === undefined || statSync(log).size > MAX_BYTES) return undefined;
  const damaged = new Set<number>();
  let read = 0;
  await readLog(log, form, {
    record({ line }) {
      if (damaged.has(line)) read += 1;
    },
    wants(code, line) {
      // The record behind a byte order mark is read.
      if (code !== 'log/bom') damaged.add(line);
      return false;
    },
    corrupt() {},
  });
  const taken = new RepairLog();
  takeRecords([...linesOf(readWhole(log))], taken, program.bytes);
  const found = taken.records.filter(({ line }) => damaged.has(line)).length;
  return { read, left: Math.max(0, found - read) };
}
