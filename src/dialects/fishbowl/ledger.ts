import { readLog } from '../../log/read.ts';
import { field } from '../../log/record.ts';

const RUN_ID = field('run_id');

/** One of the runs in a ledger. */
export interface LedgerRun {
  readonly runId: string;
  /** The line of its first event. */
  readonly line: number;
  readonly events: number;
}

/** `<file>#<run_id>`: one run of a ledger. A file of that very name goes first, so ask for it before. */
export function splitRunTarget(
  target: string,
): { readonly file: string; readonly runId: string } | undefined {
  const at = target.lastIndexOf('#');
  return at <= 0 ? undefined : { file: target.slice(0, at), runId: target.slice(at + 1) };
}

/** The runs of a ledger in the order in which they begin: any event registers its run (fishbowl.md §5). */
export async function listRuns(path: string): Promise<LedgerRun[]> {
  const runs = new Map<string, { line: number; events: number }>();
  await readLog(path, {
    record(record) {
      const id = record.string(RUN_ID);
      if (id === undefined) return;
      const run = runs.get(id);
      if (run) run.events += 1;
      else runs.set(id, { line: record.line, events: 1 });
    },
    corrupt() {},
  });
  return [...runs].map(([runId, run]) => ({ runId, ...run }));
}
