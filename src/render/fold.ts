import type { Finding, Severity } from '../findings/finding.ts';
import type { OmittedFindings } from '../findings/report.ts';
import { SEVERITIES } from '../findings/severity.ts';
import { Places } from './places.ts';

/** The number of findings per code and severity that are shown in full. */
export const SHOWN_IN_FULL = 3;

/** Further findings of a code and severity: their number and places. */
export interface Rest {
  readonly kind: 'more';
  readonly code: string;
  readonly severity: Severity;
  count: number;
  readonly places: Places;
}

/** A finding shown in full, or a row for further ones like it. */
export type Entry = { readonly kind: 'finding'; readonly finding: Finding } | Rest;

/**
 * Folds findings of equal code and severity. The row for the rest follows the last one shown. Errors first,
 * then warnings, then infos; otherwise the order is kept. Needs memory only for its result.
 */
export function fold(findings: Iterable<Finding>, omitted: readonly OmittedFindings[] = []): Entry[] {
  const groups = new Map<string, { shown: number; readonly rest: Rest }>();
  const entries: Record<Severity, Entry[]> = { error: [], warn: [], info: [] };
  const groupOf = ({ code, severity }: Pick<Finding, 'code' | 'severity'>) => {
    const key = `${severity} ${code}`;
    let group = groups.get(key);
    if (group === undefined) {
      group = { shown: 0, rest: { kind: 'more', code, severity, count: 0, places: new Places() } };
      groups.set(key, group);
    }
    return group;
  };
  for (const finding of findings) {
    const { severity } = finding;
    const group = groupOf(finding);
    if (group.shown === SHOWN_IN_FULL) {
      group.rest.count += 1;
      group.rest.places.add(finding);
      continue;
    }
    group.shown += 1;
    entries[severity].push({ kind: 'finding', finding });
    if (group.shown === SHOWN_IN_FULL) entries[severity].push(group.rest);
  }
  for (const more of omitted) {
    const { shown, rest } = groupOf(more);
    rest.count += more.count;
    rest.places.addMore();
    if (shown < SHOWN_IN_FULL) entries[more.severity].push(rest);
  }
  return SEVERITIES.flatMap((severity) => entries[severity]).filter(
    (entry) => entry.kind === 'finding' || entry.count > 0,
  );
}
