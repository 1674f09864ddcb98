import { severitiesOf } from '../../findings/catalogue-severities.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { field } from '../../log/record.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { CLAUDE_CODE } from './catalogue.ts';
import { ChainCheck } from './checks/chain.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { SessionCheck } from './checks/session.ts';

const UUID = field('uuid');
const SEVERITIES = severitiesOf(CLAUDE_CODE);

/** Verifies a transcript with those of its subagents (claude-code.md §9). */
export function verifyTranscript(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport> {
  return verifyLog(target, options, {
    dialect: 'claude-code',
    severities: SEVERITIES,
    checks: (report) => [new EnvelopeCheck(report), new ChainCheck(report), new SessionCheck(report)],
    idOf: (record) => record.string(UUID),
  });
}
