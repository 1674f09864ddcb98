import { basename, dirname } from 'node:path';
import { EventReporter } from '../../findings/check.ts';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { StageList } from '../../findings/stages.ts';
import type { UpcasterRegistry } from '../upcast.ts';
import { DetailsCheck } from './checks/details.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { FlowCheck } from './checks/flow.ts';
import { CoordinatorCheck } from './checks/log-check.ts';
import { PairsCheck } from './checks/pairs.ts';
import { SequenceCheck } from './checks/sequence.ts';
import { SessionCheck } from './checks/sessions.ts';
import { CompletedTasks, checkStateContent, checkStateShape, openState } from './checks/state.ts';
import { LOG_FILE, STATE_FILE } from './names.ts';
import { COORDINATOR_UPCASTERS } from './upcasters.ts';

const STAGES = ['log', 'events', 'lineage'] as const;

/** The state beside the log, on its own and as far as the log must know of it. */
function checkState(
  log: string,
  { completed, whole }: { readonly completed: ReadonlySet<string>; readonly whole: boolean },
  findings: Findings,
  stages: StageList,
): void {
  const skip = (reason: string) => {
    stages.skip('state', reason);
    stages.skip('projection', reason);
  };
  // Beside a log of another name, `state.json` may be anybody's.
  if (basename(log) !== LOG_FILE) return skip(`the log is not called ${LOG_FILE}`);
  const state = openState(dirname(log), findings);
  if (state === 'absent' || state === undefined)
    return skip(`no ${state === undefined ? 'readable ' : ''}${STATE_FILE}`);
  checkStateShape(state);
  stages.ran('state');
  if (!whole) return stages.skip('projection', 'the log is not whole');
  checkStateContent(state, completed);
  stages.ran('projection');
}

/**
 * Verifies a coordinator's log, and the state beside it (coordinator.md §8). What a corrupt line may have held is not
 * missed aloud. Throws the file system's error where it does not let it read the log.
 */
export async function verifyCoordinator(
  target: VerifyTarget,
  options: VerifyOptions,
  upcasters: UpcasterRegistry = COORDINATOR_UPCASTERS,
): Promise<EpisodeReport> {
  const { log, dir } = target;
  const findings = new Findings(options.policy);
  const stages = new StageList();
  const file = target.fileName ?? (log === undefined ? LOG_FILE : basename(log));
  const report = new EventReporter(findings, file);
  let extent = { records: 0, bytes: 0, corruptions: 0 };
  if (log === undefined) {
    findings.report({ code: 'log/missing', message: `there is no ${LOG_FILE}`, file });
    for (const stage of STAGES) stages.skip(stage, `no ${LOG_FILE}`);
  } else {
    const stored = [new EnvelopeCheck(report), new SequenceCheck(report)];
    const completed = new CompletedTasks();
    const read = [
      new DetailsCheck(report),
      new SessionCheck(report),
      new FlowCheck(report),
      new PairsCheck(report),
      completed,
    ];
    const checks = [new CoordinatorCheck(stored, read, upcasters)];
    extent = await checkLog({ path: log, file, checks }, findings);
    const partly =
      extent.corruptions === 0
        ? undefined
        : 'the log is not whole: what it may have lost is not held against it';
    for (const stage of STAGES) stages.ranOrPartly(stage, stage === 'log' ? undefined : partly);
    checkState(log, { completed: completed.ids, whole: extent.corruptions === 0 }, findings, stages);
  }
  const { verdict, ...found } = findings.conclude();
  return {
    episode: target.name,
    path: dir ?? target.fileName ?? log ?? '',
    dialect: 'coordinator',
    verdict,
    events: extent.records,
    bytes: extent.bytes,
    sealed: false,
    stages: stages.list(),
    ...found,
  };
}
