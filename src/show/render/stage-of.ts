import type { Finding } from '../../findings/finding.ts';
import type { StageName } from '../../findings/report.ts';

const STAGE_OF_FAMILY: ReadonlyMap<string, StageName> = new Map([
  ['log', 'log'],
  ['event', 'events'],
  ['lineage', 'lineage'],
  ['order', 'lineage'],
  ['governance', 'governance'],
  ['state', 'state'],
  ['projection', 'projection'],
  ['artifact', 'artifacts'],
  ['checkpoint', 'artifacts'],
  ['manifest', 'manifest'],
  ['seal', 'manifest'],
  ['consistency', 'consistency'],
]);

/** The `family` in a code `family/name`. */
export function familyOf(code: string): string {
  const [family = ''] = code.split('/', 1);
  return family;
}

export function stageOf({ code }: Pick<Finding, 'code'>): StageName {
  return STAGE_OF_FAMILY.get(familyOf(code)) ?? 'events';
}
