import { severitiesOf } from '../../../findings/catalogue-severities.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../../findings/options.ts';
import type { EpisodeReport } from '../../../findings/report.ts';
import { verifyLog } from '../../kit/verify-log.ts';
import { checkRepairedCopy } from '../kit/repaired-copy.ts';
import { COPILOT } from './catalogue.ts';
import { ChainCheck } from './checks/chain.ts';
import { CopyCheck } from './checks/copies.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { checkBackups, checkFolder } from './checks/folder.ts';
import { LAYOUT } from './rows.ts';

const SEVERITIES = severitiesOf(COPILOT);

/** Verifies the events of a session, and the files next to them (copilot.md §9). */
export function verifyEvents(target: VerifyTarget, options: LogVerifyOptions): Promise<EpisodeReport> {
  const { place, fileName } = target;
  return verifyLog(target, options, {
    dialect: 'copilot',
    severities: SEVERITIES,
    checks: (report, log) => [
      new EnvelopeCheck(report),
      new ChainCheck(report),
      new CopyCheck(report),
      checkFolder(report, place ?? log),
    ],
    layout: LAYOUT,
    otherFiles: (path, findings) => {
      if (place === undefined && fileName !== undefined) return;
      checkBackups(place ?? path, findings);
      if (fileName === undefined) checkRepairedCopy(path, findings);
    },
  });
}
