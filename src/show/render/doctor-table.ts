import { basename } from 'node:path';
import type { Deletes } from '../../dialects/resume.ts';
import { VERDICTS, type Verdict } from '../../dialects/sessions/kit/verdict.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import type { DoctorViewOptions } from './doctor-view.ts';
import { nextRepair, paintOf, partOf, partsOf, REPAIRS, repairOption, verdictOf } from './doctor-words.ts';
import { escapeText } from './escape.ts';
import { partText, withoutNewest } from './resume-words.ts';
import { plural } from './tally.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { hanging, wrap } from './wrap.ts';

/** Narrower terminals have no room for the commands that continue a session. */
const COMMANDS_FROM = 120;
const ID = 10;
const CELLS = ['VERDICT', '   LOADS', 'PROGRAM    ', 'ID'.padEnd(ID), 'PROJECT'];

/** The title of the columns of `doctorLine`. */
export function doctorHead({ style, width }: Pick<DoctorViewOptions, 'style' | 'width'>): string {
  const cells = width < COMMANDS_FROM ? CELLS : [...CELLS, 'CONTINUE OR REPAIR'];
  return `${style.dim(truncateToWidth(cells.join('  '), width))}\n`;
}

/** What a session lacks, or why it cannot be continued. */
function whyOf(report: DoctorReport): string {
  const { danger, found, refused, loads, turns } = report;
  const [cut] = report.cuts.filter(({ is_bridged: isBridged }) => !isBridged);
  const lost = loads.parts < loads.of ? (cut ?? report.skipped[0] ?? report.dropped[0]) : undefined;
  const part = partOf(report);
  return (
    danger[0] ??
    (part === undefined || found.is_found ? undefined : partText(part)) ??
    found.reason ??
    refused[0]?.message ??
    withoutNewest(turns) ??
    (lost === undefined ? '' : `line ${lost.line}: ${lost.message}`)
  );
}

/** A row about a session. In a narrow terminal, a long reason and the command of a repair are below it. */
export function doctorLine(
  report: DoctorReport,
  { name, style, width, resume, more }: DoctorViewOptions,
): string {
  const verdict = verdictOf(report);
  const why = escapeText(whyOf(report));
  const paint = paintOf(verdict, style);
  const { parts } = report.loads;
  const of = partsOf(report);
  const head = `${' '.repeat(9 - verdict.length)}${`${parts}/${of}`.padStart(8)}  ${report.program.padEnd(11)}  `;
  const isWide = width >= COMMANDS_FROM;
  // A name may be a path, which is not cut: without its beginning or its end it names nothing.
  const fits = displayWidth(verdict) + displayWidth(head) + displayWidth(escapeText(name)) <= width;
  const project = basename((report.cwd ?? '').replaceAll('\\', '/'));
  const cell = (fits ? escapeText(name) : '').padEnd(ID);
  const row = `${head}${cell}${project === '' ? '' : `  ${escapeText(project)}`}`;
  const fix = nextRepair(report, name, more);
  // A session that resumes has its command only in a wide terminal: nothing must be done for it.
  // What its program deletes when it starts must be copied first: the commands are below the table.
  const isSafe = report.deletes.length === 0 && (isWide || verdict !== 'resumes');
  const next = fix ?? (isSafe ? resume?.command : undefined) ?? '';
  const text = [next, why].filter((one) => one !== '').join('  ');
  const oneLine = `${row}  ${text}`;
  if (fits && displayWidth(verdict) + displayWidth(oneLine) <= width)
    return `${paint(verdict)}${oneLine.trimEnd()}\n`;
  const first = truncateToWidth(row, Math.max(ID, width - verdict.length));
  const below = [
    ...(fits ? [] : [`  ${escapeText(name)}`]),
    ...(why === '' ? [] : hanging('  ', wrap(why, width - 2), '  ')),
    ...(next === '' ? [] : [`  ${next}`]),
  ];
  return `${[`${paint(verdict)}${first.trimEnd()}`, ...below].join('\n')}\n`;
}

/** Why a program refuses a session, without the id of the session. */
const whyOfAny = (report: DoctorReport): string => whyOf(report).replaceAll(report.session, 'ID');

/** Equal for sessions that are refused for one reason. */
export const refusalOf = (report: DoctorReport): string =>
  [report.program, repairOption(report) ?? '', whyOfAny(report)].join(' ');

/** A row about sessions that are refused for one reason. */
export function doctorFolded(
  reports: readonly DoctorReport[],
  { style, width }: Pick<DoctorViewOptions, 'style' | 'width'>,
): string {
  const [first] = reports;
  if (first === undefined) return '';
  const verdict = verdictOf(first);
  const why = escapeText(whyOfAny(first));
  const option = repairOption(first);
  const next =
    option === undefined ? [] : [`  noesis doctor --fix ID${option === 'none' ? '' : ` ${option}`}`];
  const count = `${plural(reports.length, 'session')} of ${first.program} (--full lists them)`;
  const head = `${' '.repeat(9 - verdict.length)}${count}`;
  const lines = [`${paintOf(verdict, style)(verdict)}${head}`, ...hanging('  ', wrap(why, width - 2), '  ')];
  return `${[...lines, ...next].join('\n')}\n`;
}

/** A verdict after a number of sessions. */
function countedAs(verdict: Verdict, count: number): string {
  if (verdict === 'resumes') return count === 1 ? verdict : 'resume';
  // A refused call is another thing: a person or a policy did not allow it.
  return verdict === 'refused' ? 'refused at resume' : verdict;
}

/** The number of sessions, by verdict. */
export function doctorCounts(reports: readonly DoctorReport[], width: number): string {
  const counts = VERDICTS.map(
    (verdict) => [verdict, reports.filter((one) => verdictOf(one) === verdict)] as const,
  );
  const texts = counts
    .filter(([, found]) => found.length > 0)
    .map(([verdict, { length }]) => `${length} ${countedAs(verdict, length)}`);
  const more = Object.entries(REPAIRS).flatMap(([option, inWords]) => {
    const count = reports.filter((one) => repairOption(one) === option).length;
    return count === 0 ? [] : [`; ${inWords(count)}`];
  });
  const text = `${plural(reports.length, 'session')}: ${texts.join(', ')}${more.join('')}`;
  return `${wrap(text, width).join('\n')}\n`;
}

/** How many logs a start of their program deletes, and the commands that copy them away. */
export function doctorDeletions(reports: readonly DoctorReport[], { logs, copy }: Deletes): string {
  if (logs.length === 0) return '';
  const programs = new Set(reports.filter(({ deletes }) => deletes.length > 0).map(({ program }) => program));
  const which = logs.length === 1 ? 'it' : 'them';
  const head = `Any start of ${[...programs].join(', ')} deletes ${plural(logs.length, 'log')}. Copy ${which} away first with`;
  return `${[head, ...copy.map((command) => `  ${escapeText(command)}`)].join('\n')}\n`;
}
