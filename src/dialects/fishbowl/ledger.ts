import type { LogForm } from '../../log/log-form.ts';
import { readLog } from '../../log/read.ts';
import { field } from '../../log/record.ts';
import type { RunEntry } from '../kit/log-summary.ts';
import { numberIn } from '../kit/members.ts';
import { entryOf } from '../kit/run.ts';
import { readLeniently, storedTime } from './read.ts';
import { DECISIVE, Runs } from './run.ts';

const RUN_ID = field('run_id');
const KIND = field('kind');
const CREATED_AT = field('created_at');

/** Lists the runs of a ledger. Parses only events that say something about the whole run. */
export async function listRuns(path: string, form: LogForm): Promise<RunEntry[]> {
  const runs = new Runs();
  const found = new Map<string, { bytes: number; started_at?: string | undefined; written_at?: string }>();
  await readLog(path, form, {
    record(record) {
      const id = record.string(RUN_ID);
      if (id === undefined) return;
      const time = record.string(CREATED_AT) ?? storedTime(record.value['created_at']);
      const run = found.get(id) ?? { bytes: 0, started_at: time };
      found.set(id, run);
      // The newline counts too.
      run.bytes += record.byteEnd - record.byteStart + 1;
      if (time !== undefined) run.written_at = time;
      if (DECISIVE.has(record.string(KIND))) runs.of(id).take(readLeniently(record.value), record.line);
    },
  });
  return [...found].map(([id, run]) => {
    const known = runs.of(id);
    return { id, ...run, ...entryOf(known), turns: numberIn(known.finished?.payload, 'turns') };
  });
}
