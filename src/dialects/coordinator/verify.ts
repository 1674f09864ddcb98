import { dirname } from 'node:path';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../findings/options.ts';
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

const NO_LOG = `no ${LOG_FILE}`;

/**
 * Verifies a coordinator's log and the state next to it, unless that may belong to another log (coordinator.md §8). Throws
 * the file system's error if the log cannot be read.
 */
export async function verifyCoordinator(
  target: VerifyTarget,
  options: LogVerifyOptions,
): Promise<EpisodeReport> {
  const { log, place = log } = target;
  const stateFile = place === undefined ? undefined : stateFileOf(place);
  return verifyLog(target, options, {
    dialect: 'coordinator',
    severities: SEVERITIES,
    layout: LAYOUT,
    names: ['log', 'events', 'lineage'],
    logName: LOG_FILE,
    missing: `there is no ${LOG_FILE}`,
    reason: NO_LOG,
    leavesOutState: () => place !== undefined && isStateOfOther(place),
    checks: (report) => [new EnvelopeCheck(report), new SequenceCheck(report), new PlanCheck(report)],
    steps: (findings, read) => {
      const state = stage({
        names: ['state'],
        needs: () => {
          if (stateFile !== undefined) return openStateObject(dirname(stateFile), findings);
          return log === undefined ? NO_LOG : `${STATE_FILE} may belong to another log in this folder`;
        },
        run: (document) => {
          // States are only described in prose, so a missing part is only a warning.
          document.fits(stateSchema, 'state/schema', 'warn');
          return document;
        },
      });
      const projection = stage({
        names: ['projection'],
        needs: () => {
          if (state.result === undefined) return state.skipped ?? NO_LOG;
          return read().whole ? state.result : 'the log is damaged';
        },
        run: async (document) => {
          const projector = new CoordinatorProjector();
          // A state is only opened if there is a log.
          await readUntilCorrupt(log as string, options.form, { record: (record) => projector.add(record) });
          return checkStateContent(document, projector);
        },
        partly: (isExcused) =>
          isExcused ? 'the state was saved before events that contradict it' : undefined,
      });
      return [state, projection];
    },
  });
}
