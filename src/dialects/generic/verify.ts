import { basename } from 'node:path';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import { type EpisodeReport, STAGES } from '../../findings/report.ts';
import { StageList } from '../../findings/stages.ts';

/** Verifies what can be said of any log: its bytes, its lines and their JSON. */
export async function verifyGeneric(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport> {
  const { log = '', dir, name, fileName } = target;
  const findings = new Findings(options.policy);
  const stages = new StageList();
  const extent = await checkLog({ path: log, file: fileName ?? basename(log), checks: [] }, findings);
  stages.ran('log');
  for (const stage of STAGES) if (stage !== 'log') stages.skip(stage, 'the log is of no known dialect');
  const { verdict, ...found } = findings.conclude();
  return {
    episode: name,
    path: dir ?? fileName ?? log,
    dialect: 'generic',
    verdict,
    events: extent.records,
    bytes: extent.bytes,
    sealed: false,
    stages: stages.list(),
    ...found,
  };
}
