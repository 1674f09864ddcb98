import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { EventReporter } from '../../findings/check.ts';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import { logFileOf, type VerifyOptions, type VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { requireLog, runStages, stage, unlessWhole } from '../../findings/stages.ts';
import { upcastsIn } from '../upcast-schema.ts';
import { FISHBOWL } from './catalogue.ts';
import { CastCheck } from './checks/cast.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { LedgerCheck } from './checks/ledger-check.ts';
import { LifecycleCheck } from './checks/lifecycle.ts';
import { LongLineCheck } from './checks/long-lines.ts';
import { PayloadCheck } from './checks/payload.ts';
import { SalvageCheck } from './checks/salvage.ts';
import { TimeCheck } from './checks/time.ts';
import { LAYOUT } from './rows.ts';

const SEVERITIES = severitiesOf(FISHBOWL);

/** A ledger, or one run of it. */
export interface LedgerTarget extends VerifyTarget {
  /** This run alone; ids count over the whole ledger all the same. */
  readonly runId?: string;
}

/**
 * Verifies an exported ledger, or one run of it (fishbowl.md §11). What a corrupt line may have held is not missed
 * aloud: such doubts are kept back when the log is not whole. Throws `unreadable` for a database, and the file
 * system's error where it does not let it read the ledger.
 */
export async function verifyFishbowl(target: LedgerTarget, options: VerifyOptions): Promise<EpisodeReport> {
  const { log, runId } = target;
  const findings = new Findings(options.policy, SEVERITIES);
  const file = logFileOf(target, 'events.jsonl');
  const report = new EventReporter(findings, file);
  const check = new LedgerCheck({
    report,
    all: [new EnvelopeCheck(report), new LongLineCheck(report)],
    runs: [
      new PayloadCheck(report),
      new TimeCheck(report),
      new LifecycleCheck(report),
      new CastCheck(report),
      new SalvageCheck(report),
    ],
    upcasts: upcastsIn('fishbowl', options.settings?.['fishbowl']),
    runId,
  });
  let extent = { bytes: 0, whole: false };
  const reading = stage({
    names: ['log', 'events', 'consistency'],
    needs: () =>
      requireLog(log, { message: 'there is no ledger', file, reason: 'there is no ledger' }, findings),
    run: async ({ path }) => {
      const { onBytes } = options;
      extent = await checkLog({ path, file, checks: [check], layout: LAYOUT, onBytes }, findings);
      await check.settle(path);
    },
    partly: () => unlessWhole(extent, 'what it may have lost is not held against it'),
  });
  return runStages(
    [reading],
    () => ({ target, dialect: 'fishbowl', events: check.events, bytes: extent.bytes }),
    findings,
  );
}
