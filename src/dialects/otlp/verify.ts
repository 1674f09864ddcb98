import { SHARED_SEVERITIES } from '../../findings/catalogue-severities.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { field } from '../../log/record.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { SpanCheck } from './checks.ts';

const ID = field('spanId');

/** Verifies a file of spans. */
export async function verifySpans(target: VerifyTarget, options: LogVerifyOptions): Promise<EpisodeReport> {
  return verifyLog(target, options, {
    dialect: 'otlp',
    severities: SHARED_SEVERITIES,
    checks: (report) => [new SpanCheck(report)],
    idOf: (record) => record.string(ID),
  });
}
