import { basename } from 'node:path';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import { type EpisodeReport, STAGES } from '../../findings/report.ts';
import { runStages, stage } from '../../findings/stages.ts';

/** Verifies what can be said of any log: its bytes, its lines and their JSON. */
export async function verifyGeneric(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport> {
  const { log = '', fileName = basename(log) } = target;
  const findings = new Findings(options.policy);
  let extent = { records: 0, bytes: 0 };
  const steps = [
    stage({
      names: ['log'],
      needs: () => undefined,
      run: async () => {
        extent = await checkLog({ path: log, file: fileName, checks: [] }, findings);
      },
    }),
    stage({
      names: STAGES.filter((name) => name !== 'log'),
      needs: () => 'the log is of no known dialect',
      run: () => {},
    }),
  ];
  const facts = () => ({ target, dialect: 'generic', events: extent.records, bytes: extent.bytes });
  return runStages(steps, facts, findings);
}
