import type { Findings } from '../../../verify/findings.ts';
import type { SequenceNumbers } from '../checks/numbers.ts';
import type { StreamFiles } from '../names.ts';
import { snapshotSchema } from '../schema/artifacts.ts';
import { checkLines } from './lines.ts';

/**
 * The projection snapshots of a stream (exarchos.md §1.2, §11, §16). One that stands beyond the end of the log hides
 * every event that comes until the log has caught up. True when there were any.
 */
export function checkSnapshots(
  files: StreamFiles,
  numbers: SequenceNumbers | undefined,
  findings: Findings,
): Promise<boolean> {
  return checkLines(
    {
      dir: files.dir,
      name: files.snapshots,
      schema: snapshotSchema,
      loss: 'the program calls the snapshots corrupt and replays the whole log',
      line(logged, report) {
        const { sequence } = logged.event;
        if (numbers === undefined || typeof sequence !== 'number' || sequence <= numbers.max) return;
        const message = `the snapshot was taken at ${sequence}, and the log ends at ${numbers.max}`;
        report.at(logged, {
          code: 'checkpoint/mismatch',
          message,
          path: ['sequence'],
          expected: `at most ${numbers.max}`,
          actual: String(sequence),
        });
      },
    },
    findings,
  );
}
