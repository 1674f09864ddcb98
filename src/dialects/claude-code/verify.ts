import { SHARED_SEVERITIES } from '../../findings/catalogue-severities.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { ChainCheck } from './checks/chain.ts';
import { EnvelopeCheck } from './checks/envelope.ts';
import { checkSession } from './checks/session.ts';
import { LAYOUT } from './rows.ts';

// Several writers append, so a record may come before its parent.
const SEVERITIES = new Map([...SHARED_SEVERITIES, ['lineage/forward-cause', 'info'] as const]);

/** Verifies a transcript and those of its subagents (claude-code.md §9). */
export function verifyTranscript(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport> {
  return verifyLog(target, options, {
    dialect: 'claude-code',
    severities: SEVERITIES,
    checks: (report, log) => [new EnvelopeCheck(report), new ChainCheck(report, log), checkSession(report)],
    layout: LAYOUT,
  });
}
