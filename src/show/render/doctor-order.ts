import { grouped } from '../../base/text/grouped.ts';
import { isWhole, VERDICTS, type Verdict } from '../../dialects/sessions/kit/verdict.ts';
import { type DoctorRow, isHealthy, isOfDamagedLog, refusalOf } from './doctor-table.ts';
import { verdictOf } from './doctor-words.ts';

/** Fewer sessions with one cause are listed one by one. */
const LEAST_FOLDED = 3;

/** The rows of a table of sessions in the order in which they are shown. */
export interface DoctorRows<Row> {
  /** Of damaged logs, and of sessions that lose something or are refused. */
  readonly urgent: readonly Row[];
  /** Whole sessions that are refused for one reason each, in one row. */
  readonly folded: readonly (readonly Row[])[];
  readonly others: readonly Row[];
  /** Sessions of which nothing has to be said, in one row. */
  readonly healthy: readonly Row[];
}

/** What is shown in one row: everything that can be, only refusals, or nothing. */
export type Folding = 'all' | 'refusals' | 'none';

/** Whether a session is whole, and only refused where it is, mostly because its folder does not exist. */
const isOnlyRefused = ({ report }: DoctorRow): boolean =>
  verdictOf(report) === 'refused' && report.refused.length === 0 && report.loads.parts >= report.loads.of;

/** Damaged logs come first, then the worst verdicts; the order of sessions with one verdict stays. */
function worstFirst<Row extends DoctorRow>(rows: readonly Row[]): Row[] {
  const damaged = rows.filter(isOfDamagedLog);
  const others = rows.filter((row) => !isOfDamagedLog(row));
  const whole = others.filter(isOnlyRefused);
  const of = (among: readonly Row[]) => (verdict: Verdict) =>
    among.filter((row) => verdictOf(row.report) === verdict);
  const [first, last] = [VERDICTS.filter((verdict) => !isWhole(verdict)), VERDICTS.filter(isWhole)];
  return [
    ...[...VERDICTS].reverse().flatMap(of(damaged)),
    ...first.reverse().flatMap(of(others.filter((row) => !isOnlyRefused(row)))),
    ...whole,
    ...last.reverse().flatMap(of(others)),
  ];
}

/** The whole sessions that are refused for the same reason, if there are several. */
const foldedRefusals = <Row extends DoctorRow>(rows: readonly Row[]): Row[][] =>
  [
    ...grouped(
      rows.filter((row) => isOnlyRefused(row) && !isOfDamagedLog(row) && row.repairedAs === undefined),
      ({ report }) => refusalOf(report),
    ).values(),
  ].filter(({ length }) => length >= LEAST_FOLDED);

/** Orders the rows of a table: what needs the user comes first. A session that was repaired needs nothing. */
export function arranged<Row extends DoctorRow>(rows: readonly Row[], folding: Folding): DoctorRows<Row> {
  const folded = folding === 'none' ? [] : foldedRefusals(rows);
  const well = folding === 'all' ? rows.filter(isHealthy) : [];
  const healthy = well.length >= LEAST_FOLDED ? well : [];
  const inOneRow = new Set([...folded.flat(), ...healthy]);
  const ordered = worstFirst(rows.filter((row) => !inOneRow.has(row)));
  const isUrgent = (row: Row) =>
    isOfDamagedLog(row) || (row.repairedAs === undefined && !isWhole(verdictOf(row.report)));
  return {
    urgent: ordered.filter(isUrgent),
    folded,
    others: ordered.filter((row) => !isUrgent(row)),
    healthy,
  };
}
