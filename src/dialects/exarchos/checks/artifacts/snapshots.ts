import { isObject, type JsonObject } from '../../../../base/json/value.ts';
import type { FindingDraft, Findings } from '../../../../findings/findings.ts';
import { differences } from '../../../../findings/projection/difference.ts';
import { EvidenceMap } from '../../../../findings/projection/evidence.ts';
import { AS_STORED } from '../../../../log/log-form.ts';
import { readLog } from '../../../../log/read.ts';
import type { StreamFiles } from '../../names.ts';
import { REHYDRATION, RehydrationFold } from '../../projection/rehydration.ts';
import { snapshotSchema } from '../../schema/artifacts.ts';
import type { SequenceNumbers } from '../numbers.ts';
import { checkLines } from './lines.ts';

/** The log, and its sequence numbers. */
interface SnapshotLog {
  readonly path: string;
  readonly numbers: SequenceNumbers;
}

/** The document in a snapshot. An agent resumes a workflow from it. */
interface Rehydrated {
  readonly state: JsonObject;
  /** The finding in case the events contradict the snapshot. */
  readonly draft: FindingDraft;
}

/**
 * Checks the snapshots of a stream (exarchos.md §1.2, §11, §12.2, §16). A snapshot ahead of the log hides new events;
 * one that the events contradict makes an agent resume from a wrong state. `log` is undefined if it is damaged. Returns
 * whether there are snapshots.
 */
export async function checkSnapshots(
  files: StreamFiles,
  log: SnapshotLog | undefined,
  findings: Findings,
): Promise<boolean> {
  const rehydrated = new Map<number, Rehydrated[]>();
  const found = await checkLines(
    {
      dir: files.dir,
      name: files.snapshots,
      schema: snapshotSchema,
      loss: 'the program calls the snapshots corrupt and replays the whole log',
      line(logged, report) {
        const { projectionId, sequence, state } = logged.event;
        if (log === undefined || typeof sequence !== 'number') return;
        const { max } = log.numbers;
        if (sequence <= max) {
          if (projectionId !== REHYDRATION || !isObject(state) || state['v'] !== 1) return;
          const draft = report.draft(logged, { code: 'checkpoint/mismatch', message: '', path: ['state'] });
          rehydrated.set(sequence, [...(rehydrated.get(sequence) ?? []), { state, draft }]);
          return;
        }
        report.at(logged, {
          code: 'checkpoint/mismatch',
          message: `the snapshot was taken at ${sequence}, but the log ends at ${max}`,
          path: ['sequence'],
          expected: `at most ${max}`,
          actual: String(sequence),
        });
      },
    },
    findings,
  );
  if (log !== undefined && rehydrated.size > 0) await compare(log.path, files.stream, rehydrated, findings);
  return found;
}

/**
 * Rebuilds the document from the log, and compares each snapshot with it. Stops at the first irregular number, because
 * the program applies events in the order of numbers.
 */
async function compare(
  path: string,
  stream: string,
  snapshots: ReadonlyMap<number, readonly Rehydrated[]>,
  findings: Findings,
): Promise<void> {
  const fold = new RehydrationFold();
  let last = 0;
  let certain = true;
  await readLog(path, AS_STORED, {
    record({ value: event }) {
      certain &&= event['sequence'] === last + 1 && event['streamId'] === stream;
      if (!certain) return;
      last += 1;
      fold.add(event);
      for (const { state, draft } of snapshots.get(last) ?? [])
        reportDifferences(fold, state, draft, findings);
    },
    /* v8 ignore next -- the log was whole when it was read before: another program has damaged it since */
  });
}

const show = (value: unknown): string =>
  (value === undefined ? 'nothing' : JSON.stringify(value)).slice(0, 200);

function reportDifferences(
  fold: RehydrationFold,
  state: JsonObject,
  draft: FindingDraft,
  findings: Findings,
): void {
  const [first, ...others] = differences(fold.result(), state, [], new EvidenceMap());
  if (first === undefined) return;
  const more = others.length === 0 ? '' : `; ${others.length} more parts differ`;
  findings.report({
    ...draft,
    message: `${first.path} is ${show(first.stored)}, but the events up to the snapshot give ${show(first.projected)}${more}`,
    path: `state.${first.path}`,
    expected: show(first.projected),
    actual: show(first.stored),
  });
}
