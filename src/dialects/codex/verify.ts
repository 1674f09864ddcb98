import { severitiesOf } from '../../findings/catalogue-severities.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { CODEX } from './catalogue.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { checkHistoryBase } from './checks/history-base.ts';
import { OrdinalCheck } from './checks/ordinals.ts';
import { ThreadCheck } from './checks/thread.ts';
import { ToolCheck } from './checks/tools.ts';
import { LAYOUT } from './rows.ts';

const SEVERITIES = severitiesOf(CODEX);

/** Verifies a rollout and those of its subagents (codex.md §9). */
export function verifyRollout(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport> {
  return verifyLog(target, options, {
    dialect: 'codex',
    severities: SEVERITIES,
    checks: (report, log) => [
      new EnvelopeCheck(report),
      new OrdinalCheck(report),
      new ToolCheck(report),
      new ThreadCheck(report),
      checkHistoryBase(report, log),
    ],
    layout: LAYOUT,
  });
}
