import { basename } from 'node:path';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { EventReporter } from '../../findings/check.ts';
import { Findings } from '../../findings/findings.ts';
import { checkLog } from '../../findings/log-stage.ts';
import type { VerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport, StageName } from '../../findings/report.ts';
import { type ReadyStep, runStages, stage } from '../../findings/stages.ts';
import type { LogRecord } from '../../log/record.ts';
import { membersLayout } from '../../log/row-layout.ts';
import { GENERIC } from './catalogue.ts';
import { MappedCheck } from './checks.ts';
import { textFor } from './fields.ts';
import type { FieldMap } from './format.ts';

const SEVERITIES = severitiesOf(GENERIC);

/** Why events are not checked: members with usual names may mean something else. */
const UNMAPPED = 'the format is not known: name the fields to check with --map id=…,parent=…,time=…';

/** Says which checks were skipped because the user mapped no member to a field. */
function unchecked(map: FieldMap): string {
  const left = (['id', 'parent', 'time', 'ordinal'] as const).filter((name) => map[name] === undefined);
  const names = left.length === 0 ? '' : `; no field is mapped to ${left.join(', ')}`;
  return `the contents of the records are in an unknown format${names}`;
}

/** Verifies any log: its bytes, lines and JSON, and the members that the user named. */
export async function verifyGeneric(
  target: VerifyTarget,
  options: VerifyOptions,
  dialect: string,
  map: FieldMap | undefined,
): Promise<EpisodeReport> {
  const { log = '', fileName = basename(log) } = target;
  const findings = new Findings(options.policy, SEVERITIES);
  let extent = { records: 0, bytes: 0 };
  const isLinked = map?.parent !== undefined || map?.ordinal !== undefined;
  const mapped: readonly StageName[] = map === undefined ? [] : isLinked ? ['events', 'lineage'] : ['events'];
  const steps: readonly ReadyStep[] = [
    stage({
      names: ['log', ...mapped],
      needs: () => undefined,
      run: async () => {
        const checks = map === undefined ? [] : [new MappedCheck(new EventReporter(findings, fileName), map)];
        const layout = {
          ...membersLayout(),
          ...(map && { idOf: ({ value }: LogRecord) => textFor(value, 'id', map) }),
        };
        const { onBytes } = options;
        extent = await checkLog(
          { path: log, file: fileName, checks, onBytes, ...(map && { layout }) },
          findings,
        );
      },
    }),
    async () => [
      map === undefined
        ? { name: 'events', status: 'skipped', reason: UNMAPPED }
        : { name: 'consistency', status: 'skipped', reason: unchecked(map) },
    ],
  ];
  const facts = () => ({ target, dialect, events: extent.records, bytes: extent.bytes });
  return runStages(steps, facts, findings);
}
