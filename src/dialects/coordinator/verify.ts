import { dirname } from 'node:path';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import type { Document } from '../../findings/document.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { stage } from '../../findings/stages.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { COORDINATOR } from './catalogue.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { PlanCheck } from './checks/plan.ts';
import { SequenceCheck } from './checks/sequence.ts';
import { checkStateContent, openStateObject } from './checks/state.ts';
import { isStateOfOther, stateFileOf } from './files.ts';
import { CoordinatorProjector } from './projection.ts';
import { LOG_FILE, STATE_FILE } from './read.ts';
import { LAYOUT } from './rows.ts';
import { stateSchema } from './schema/state.ts';

const SEVERITIES = severitiesOf(COORDINATOR);

/**
 * Verifies a coordinator's log and the state next to it, unless that may belong to another log (coordinator.md §8). Throws
 * the file system's error if the log cannot be read.
 */
export async function verifyCoordinator(
  target: VerifyTarget,
  options: VerifyOptions,
): Promise<EpisodeReport> {
  const { log, place = log } = target;
  const stateFile = place === undefined ? undefined : stateFileOf(place);
  let state: Document | string = `no ${LOG_FILE}`;
  let isExcused = false;
  return verifyLog(target, options, {
    dialect: 'coordinator',
    severities: SEVERITIES,
    layout: LAYOUT,
    names: ['log', 'events', 'lineage'],
    logName: LOG_FILE,
    missing: `there is no ${LOG_FILE}`,
    reason: `no ${LOG_FILE}`,
    leavesOutState: () => place !== undefined && isStateOfOther(place),
    checks: (report) => [new EnvelopeCheck(report), new SequenceCheck(report), new PlanCheck(report)],
    steps: (findings, read) => [
      stage({
        names: ['state'],
        needs: () => {
          if (stateFile !== undefined) state = openStateObject(dirname(stateFile), findings);
          else if (log !== undefined) state = `${STATE_FILE} may belong to another log in this folder`;
          return state;
        },
        // States are only described in prose, so a missing part is only a warning.
        run: (document) => void document.fits(stateSchema, 'state/schema', 'warn'),
      }),
      stage({
        names: ['projection'],
        needs: () => (typeof state === 'string' || read().whole ? state : 'the log is damaged'),
        run: async (document) => {
          const projector = new CoordinatorProjector();
          // A state is only opened if there is a log.
          await readUntilCorrupt(log as string, { record: (record) => projector.add(record) });
          isExcused = checkStateContent(document, projector);
        },
        partly: () => (isExcused ? 'the state was saved before events that contradict it' : undefined),
      }),
    ],
  });
}
