import { basename, dirname } from 'node:path';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { EventReporter } from '../../findings/check.ts';
import type { Document } from '../../findings/document.ts';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import { logFileOf, type VerifyOptions, type VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { requireLog, runStages, stage, unlessWhole } from '../../findings/stages.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import { COORDINATOR } from './catalogue.ts';
import { DetailsCheck } from './checks/details.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { FlowCheck } from './checks/flow.ts';
import { CoordinatorCheck } from './checks/log-check.ts';
import { PairsCheck } from './checks/pairs.ts';
import { SequenceCheck } from './checks/sequence.ts';
import { SessionCheck } from './checks/sessions.ts';
import { checkStateContent, checkStateShape, openState } from './checks/state.ts';
import { TotalsCheck } from './checks/totals.ts';
import { LOG_FILE } from './names.ts';
import { CoordinatorProjector } from './projection.ts';
import { LAYOUT } from './rows.ts';

const SEVERITIES = severitiesOf(COORDINATOR);

/** The state beside the log, or why there is none to check: beside a log of another name it may be anybody's. */
function stateBeside(log: string, findings: Findings): Document | string {
  return basename(log) === LOG_FILE ? openState(dirname(log), findings) : `the log is not called ${LOG_FILE}`;
}

/**
 * Verifies a coordinator's log, and the state beside it (coordinator.md §8). What a corrupt line may have held is not
 * missed aloud. Throws the file system's error where it does not let it read the log.
 */
export async function verifyCoordinator(
  target: VerifyTarget,
  options: VerifyOptions,
): Promise<EpisodeReport> {
  const { log } = target;
  const findings = new Findings(options.policy, SEVERITIES);
  const file = logFileOf(target, LOG_FILE);
  const report = new EventReporter(findings, file);
  const stored = [new EnvelopeCheck(report), new SequenceCheck(report)];
  const read = [
    new DetailsCheck(report),
    new SessionCheck(report),
    new FlowCheck(report),
    new PairsCheck(report),
    new TotalsCheck(report),
  ];
  let extent = { records: 0, bytes: 0, whole: false };
  let state: Document | string = `no ${LOG_FILE}`;
  let isExcused = false;
  const steps = [
    stage({
      names: ['log', 'events', 'lineage'],
      needs: () =>
        requireLog(log, { message: `there is no ${LOG_FILE}`, file, reason: `no ${LOG_FILE}` }, findings),
      run: async ({ path }) => {
        const checks = [new CoordinatorCheck(stored, read)];
        const { onBytes } = options;
        extent = await checkLog({ path, file, checks, layout: LAYOUT, onBytes }, findings);
      },
      partly: () => unlessWhole(extent, 'what it may have lost is not held against it'),
    }),
    stage({
      names: ['state'],
      needs: () => {
        if (log !== undefined) state = stateBeside(log, findings);
        return state;
      },
      run: checkStateShape,
    }),
    stage({
      names: ['projection'],
      needs: () => (typeof state === 'string' || extent.whole ? state : 'the log is not whole'),
      run: async (document) => {
        const projector = new CoordinatorProjector();
        // There is a state only beside a log.
        await readUntilCorrupt(log as string, { record: (record) => projector.add(record) });
        isExcused = checkStateContent(document, projector);
      },
      partly: () => (isExcused ? 'the state was saved before events that contradict it' : undefined),
    }),
  ];
  const facts = () => ({ target, dialect: 'coordinator', events: extent.records, bytes: extent.bytes });
  return runStages(steps, facts, findings);
}
