import { isObject } from '../../json/value.ts';
import { readLog } from '../../log/read.ts';
import { field } from '../../log/record.ts';
import type { RunEntry } from '../dialect.ts';
import { storedTime } from './read.ts';

const RUN_ID = field('run_id');
const KIND = field('kind');

const NEWLINE_BYTES = 1;

const text = (payload: unknown, key: string): string | undefined => {
  const value = isObject(payload) ? payload[key] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** The runs of a ledger in the order in which they begin: any event registers its run (fishbowl.md §5). */
export async function listRuns(path: string): Promise<RunEntry[]> {
  const runs = new Map<string, RunEntry>();
  await readLog(path, {
    record(record) {
      const id = record.string(RUN_ID);
      if (id === undefined) return;
      const run = runs.get(id);
      const kind = record.string(KIND);
      const bytes = (run?.bytes ?? 0) + (record.byteEnd - record.byteStart) + NEWLINE_BYTES;
      if (run !== undefined && kind !== 'run.started' && kind !== 'run.finished') {
        runs.set(id, { ...run, bytes });
        return;
      }
      const { payload, created_at: time } = record.value;
      runs.set(id, {
        id,
        bytes,
        started_at: run ? run.started_at : storedTime(time),
        task: (kind === 'run.started' ? text(payload, 'seed') : undefined) ?? run?.task,
        status:
          kind === 'run.finished' ? (text(payload, 'reason') ?? 'finished') : (run?.status ?? 'running'),
      });
    },
    corrupt() {},
  });
  return [...runs.values()];
}
