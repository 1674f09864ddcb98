import { readLog } from '../../log/read.ts';
import { field } from '../../log/record.ts';

const RUN_ID = field('run_id');

/** The runs of a ledger in the order in which they begin: any event registers its run (fishbowl.md §5). */
export async function listRuns(path: string): Promise<string[]> {
  const runs = new Set<string>();
  await readLog(path, {
    record(record) {
      const id = record.string(RUN_ID);
      if (id !== undefined) runs.add(id);
    },
    corrupt() {},
  });
  return [...runs];
}
