import { SHARED_SEVERITIES } from '../../findings/catalogue-severities.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport, StageName } from '../../findings/report.ts';
import { skip } from '../../findings/stages.ts';
import { field } from '../../log/record.ts';
import { membersLayout } from '../../log/row-layout.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { MappedCheck } from './checks.ts';
import { textFor } from './fields.ts';
import type { FieldMap } from './format.ts';

/** Why events are not checked: members with usual names may mean something else. */
const UNMAPPED = 'the dialect is not known; give the fields to check with --map id=…,parent=…,time=…';

/** Says which checks were skipped because the user mapped no member to a field. */
function unchecked(map: FieldMap): string {
  const left = (['id', 'parent', 'time', 'ordinal'] as const).filter((name) => map[name] === undefined);
  const names = left.length === 0 ? '' : `; no field is mapped to ${left.join(', ')}`;
  return `the contents of the records are of an unknown dialect${names}`;
}

/** The columns for a log whose members the user did not map: the usual id. */
const ID_ALONE = membersLayout(field('id'));

/** Verifies any log: its bytes, lines and JSON, and the members that the user named. */
export function verifyGeneric(
  target: VerifyTarget,
  options: LogVerifyOptions,
  dialect: string,
  map: FieldMap | undefined,
  unmapped = UNMAPPED,
): Promise<EpisodeReport> {
  const isLinked = map?.parent !== undefined || map?.ordinal !== undefined;
  const mapped: readonly StageName[] = map === undefined ? [] : isLinked ? ['events', 'lineage'] : ['events'];
  const skipped = map === undefined ? skip('events', unmapped) : skip('consistency', unchecked(map));
  return verifyLog(target, options, {
    dialect,
    severities: SHARED_SEVERITIES,
    checks: (report) => (map === undefined ? [] : [new MappedCheck(report, map)]),
    layout:
      map === undefined ? ID_ALONE : { ...membersLayout(), idOf: ({ value }) => textFor(value, 'id', map) },
    names: ['log', ...mapped],
    steps: () => [skipped],
  });
}
