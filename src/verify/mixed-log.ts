import { jsonIn } from '../base/json/parse.ts';
import { isObject, type JsonObject } from '../base/json/value.ts';
import { ticked } from '../base/json/write.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { foreignDialect, isGeneric } from '../dialects/registry.ts';
import type { FindingDraft } from '../findings/findings.ts';
import { logFileOf, type VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { linesForwards } from '../log/forwards.ts';

/** A record that breaks rules. */
interface OddRecord {
  readonly line: number;
  readonly record: JsonObject;
}

/** At most this many records that break rules are looked at. */
const MOST = 1000;

/** The lines of a log that break a rule about single records, as those of other programs do. */
function oddLines({ findings }: EpisodeReport, file: string): ReadonlySet<number> {
  const lines = findings.flatMap((finding) =>
    finding.file === file && finding.line !== undefined && finding.code.startsWith('event/')
      ? finding.line
      : [],
  );
  return new Set(lines.slice(0, MOST));
}

/** The findings for records of other programs in a log. */
export function mixedLog(target: VerifyTarget, dialect: Dialect, report: EpisodeReport): FindingDraft[] {
  const { log } = target;
  const file = logFileOf(target);
  const odd = oddLines(report, file);
  if (log === undefined || odd.size === 0 || isGeneric(dialect)) return [];
  const lines = new Map<Dialect, number[]>();
  /** Odd records that follow each other, of which none shows its dialect alone. */
  let unknown: OddRecord[] = [];
  const found = (other: Dialect | undefined, records: readonly OddRecord[]) => {
    if (other) lines.set(other, [...(lines.get(other) ?? []), ...records.map((one) => one.line)]);
  };
  const together = () => {
    if (unknown.length === 0) return;
    found(
      foreignDialect(
        unknown.map((one) => one.record),
        dialect,
      ),
      unknown,
    );
    unknown = [];
  };
  let line = 0;
  for (const bytes of linesForwards(log)) {
    line += 1;
    const record = odd.has(line) ? jsonIn(bytes.toString('utf8')) : undefined;
    const other = isObject(record) ? foreignDialect([record], dialect) : undefined;
    if (isObject(record) && other === undefined) unknown.push({ line, record });
    else {
      together();
      if (isObject(record)) found(other, [{ line, record }]);
    }
  }
  together();
  return [...lines].map(([other, [first = 1, ...more]]) => {
    const what = more.length === 0 ? 'this record is' : `this record and ${more.length} more are`;
    // The user named the wrong dialect.
    const isMost = 2 * (more.length + 1) > report.events;
    const message = isMost
      ? `${what} of ${ticked(other.name)}, and were checked as records of ${ticked(dialect.name)}`
      : `${what} of another dialect, ${ticked(other.name)}: most records of the log are of ${ticked(dialect.name)}`;
    return { code: 'log/mixed', message, file, line: first };
  });
}

/** A report whose level says so if the types of most records are unknown. */
export function withUnknownTypes(report: EpisodeReport): EpisodeReport {
  const { findings, events, level } = report;
  const isUnknown = ({ code }: { readonly code: string }) => code === 'event/unknown-type';
  const more = (report.omitted ?? []).filter(isUnknown).reduce((sum, { count }) => sum + count, 0);
  if (2 * (findings.filter(isUnknown).length + more) <= events || level === 'none') return report;
  return {
    ...report,
    level: 'readable',
    notProven: 'the types of most records are not known, so nothing about them was checked',
  };
}
