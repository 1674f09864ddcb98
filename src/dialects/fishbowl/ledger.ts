import { isObject, type JsonObject } from '../../json/value.ts';
import { readLog } from '../../log/read.ts';
import { field } from '../../log/record.ts';
import type { RunEntry } from '../dialect.ts';
import { textIn } from '../excerpt.ts';
import { taskOf } from './log-summary.ts';
import { resultText } from './outcome.ts';
import { storedTime } from './read.ts';

const RUN_ID = field('run_id');
const KIND = field('kind');
const CREATED_AT = field('created_at');

const NEWLINE_BYTES = 1;

/** The kinds that say what a list shows of a run. */
const TOLD: ReadonlySet<unknown> = new Set(['run.started', 'judge.verdict', 'run.finished']);

const turnsOf = ({ turns }: JsonObject): number | undefined =>
  typeof turns === 'number' ? turns : undefined;

/** What a list shows of a run, with what one more event of it says. */
function tell(run: RunEntry, kind: string | undefined, payload: JsonObject): RunEntry {
  switch (kind) {
    case 'run.started':
      return { ...run, task: taskOf(payload) ?? run.task };
    case 'judge.verdict':
      return { ...run, result: resultText(payload) };
    case 'run.finished':
      return {
        ...run,
        status: textIn(payload, 'reason') ?? 'finished',
        turns: turnsOf(payload),
        result: run.result ?? resultText(payload),
      };
    default:
      return run;
  }
}

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
      if (run !== undefined && !TOLD.has(kind)) {
        runs.set(id, { ...run, bytes, written_at: record.string(CREATED_AT) ?? run.written_at });
        return;
      }
      const { payload, created_at: time } = record.value;
      const known: RunEntry = run ?? { id, started_at: storedTime(time), status: 'running', bytes };
      const now = { ...known, bytes, written_at: storedTime(time) ?? known.written_at };
      runs.set(id, tell(now, kind, isObject(payload) ? payload : {}));
    },
    corrupt() {},
  });
  return [...runs.values()];
}
