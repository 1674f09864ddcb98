import { field, type LogRecord } from '../../log/record.ts';
import type { LogEnding } from '../dialect.ts';

const RUN_ID = field('run_id');
const KIND = field('kind');

/** A run is over with its `run.finished`, and a ledger when each run that began in it is. */
export function ledgerEnding(only: string | undefined): LogEnding {
  const open = new Set<string>();
  const finished = new Set<string>();
  return {
    isOver(record: LogRecord): boolean {
      const run = record.string(RUN_ID);
      if (run !== undefined && (only === undefined || run === only)) {
        const kind = record.string(KIND);
        if (kind === 'run.finished') {
          finished.add(run);
          open.delete(run);
        } else if (!finished.has(run)) open.add(run);
      }
      return open.size === 0 && finished.size > 0;
    },
  };
}
