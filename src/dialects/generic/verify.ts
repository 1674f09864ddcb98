import { basename } from 'node:path';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import { type EpisodeReport, STAGES } from '../../findings/report.ts';
import { runStages, type StageStep } from '../../findings/stages.ts';

/** Verifies what can be said of any log: its bytes, its lines and their JSON. */
export async function verifyGeneric(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport> {
  const { log = '', fileName = basename(log) } = target;
  const findings = new Findings(options.policy);
  let extent = { records: 0, bytes: 0 };
  const steps: StageStep[] = [
    {
      names: ['log'],
      run: async () => {
        extent = await checkLog({ path: log, file: fileName, checks: [] }, findings);
        return undefined;
      },
    },
    {
      names: STAGES.filter((name) => name !== 'log'),
      needs: () => 'the log is of no known dialect',
      run: () => undefined,
    },
  ];
  const facts = () => ({ target, dialect: 'generic', events: extent.records, bytes: extent.bytes });
  return runStages(steps, facts, findings);
}
