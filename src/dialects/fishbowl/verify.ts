import { severitiesOf } from '../../findings/catalogue-severities.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { upcastsIn } from '../kit/upcast-schema.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { FISHBOWL } from './catalogue.ts';
import { LedgerCheck } from './checks/ledger.ts';
import { LAYOUT } from './rows.ts';

const SEVERITIES = severitiesOf(FISHBOWL);

/**
 * Verifies an exported ledger, or one run of it. Ids are always checked over the whole ledger (fishbowl.md §11). Throws
 * `unreadable` for a database, and the file system's error if the ledger cannot be read.
 */
export async function verifyFishbowl(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport> {
  const upcasts = upcastsIn('fishbowl', options.settings?.['fishbowl']);
  let check: LedgerCheck | undefined;
  return verifyLog(target, options, {
    dialect: 'fishbowl',
    severities: SEVERITIES,
    layout: LAYOUT,
    names: ['log', 'events', 'consistency'],
    missing: 'there is no ledger',
    checks: (report) => {
      check = new LedgerCheck(report, upcasts, target.run);
      return [check];
    },
    events: () => check?.events ?? 0,
  });
}
