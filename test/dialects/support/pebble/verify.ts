import { basename, dirname } from 'node:path';
import { readEpisodeFile } from '../../../../src/base/files/files.ts';
import { parseDocument } from '../../../../src/base/json/parse-document.ts';
import { isObject } from '../../../../src/base/json/value.ts';
import { severitiesOf } from '../../../../src/findings/catalogue-severities.ts';
import { type EventCheck, EventReporter, type LoggedEvent } from '../../../../src/findings/check.ts';
import { Document } from '../../../../src/findings/document.ts';
import { Findings } from '../../../../src/findings/findings.ts';
import { checkLog } from '../../../../src/findings/log-stage.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../../../src/findings/options.ts';
import type { EpisodeReport } from '../../../../src/findings/report.ts';
import { runStages, stage } from '../../../../src/findings/stages.ts';
import { PEBBLE } from './catalogue.ts';

const SEVERITIES = severitiesOf(PEBBLE);
/** The artifact next to the log: which ponds have no water. */
const PONDS_FILE = 'ponds.json';

/** Stones grow heavier. */
class WeightCheck implements EventCheck {
  readonly ponds = new Set<unknown>();
  readonly #report: EventReporter;
  #heaviest = 0;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  row(logged: LoggedEvent): void {
    const { pond, weight } = logged.event;
    this.ponds.add(pond);
    if (typeof weight !== 'number') return;
    if (weight < this.#heaviest)
      this.#report.at(logged, {
        code: 'sequence/lighter-stone',
        message: `a stone of ${weight} after one of ${this.#heaviest}`,
        path: ['weight'],
      });
    this.#heaviest = Math.max(weight, this.#heaviest);
  }
}

/** The list of dry ponds, against those that were thrown into. */
function checkPonds(dir: string, thrownInto: ReadonlySet<unknown>, findings: Findings): void {
  const outcome = readEpisodeFile(dir, PONDS_FILE);
  const read = outcome.kind === 'read' ? parseDocument(outcome.bytes) : undefined;
  if (outcome.kind !== 'read' || !read?.ok || !isObject(read.value)) return;
  const { dry } = read.value;
  if (!Array.isArray(dry)) return;
  const document = new Document(PONDS_FILE, outcome.bytes, read.value, findings);
  for (const [index, pond] of dry.entries())
    if (thrownInto.has(pond))
      document.at({
        code: 'artifact/dry-pond',
        message: 'a pebble was thrown into a dry pond',
        path: ['dry', index],
      });
}

/** Verifies the log of one pond, and the files next to it. */
export function verifyPonds(
  target: VerifyTarget,
  { policy, form }: LogVerifyOptions,
): Promise<EpisodeReport> {
  const { log = '' } = target;
  const findings = new Findings(policy, SEVERITIES);
  const file = target.fileName ?? basename(log);
  const weights = new WeightCheck(new EventReporter(findings, file));
  let extent = { records: 0, bytes: 0 };
  const steps = [
    stage({
      names: ['log', 'events'],
      needs: () => undefined,
      run: async () => {
        extent = await checkLog({ path: log, file, checks: [weights], form }, findings);
      },
    }),
    stage({
      names: ['artifacts'],
      needs: () => undefined,
      run: () => checkPonds(dirname(log), weights.ponds, findings),
    }),
  ];
  const facts = () => ({ target, dialect: 'pebble', events: extent.records, bytes: extent.bytes });
  return runStages(steps, facts, findings);
}
