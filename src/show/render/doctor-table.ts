import { basename } from 'node:path';
import { largest } from '../../base/text/largest.ts';
import type { Deletes } from '../../dialects/resume.ts';
import { isContinuable, VERDICTS } from '../../dialects/sessions/kit/verdict.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import type { DoctorViewOptions } from './doctor-view.ts';
import {
  countedVerdict,
  nextRepair,
  paintOf,
  partOf,
  partsOf,
  REPAIRS,
  repairOption,
  verdictOf,
  verdictWord,
  whyNoRepair,
} from './doctor-words.ts';
import { escapeText } from './escape.ts';
import { partText, withoutNewest } from './resume-words.ts';
import { plural } from './tally.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { hanging, wrap } from './wrap.ts';

/** Narrower terminals have no room for the commands that continue a session. */
const COMMANDS_FROM = 120;
const GAP = '  ';
const [VERDICT, LOADS] = [11, 7];
/** Of ids. In a narrow terminal, longer ones are on a line of their own. */
const LEAST_ID = 8;
const MAX_PROJECT = 16;

/** A session of the table, and how commands name it. */
export interface DoctorRow {
  readonly report: DoctorReport;
  /** The number of damaged lines, as `list` counts them, unless they were repaired. */
  readonly damaged?: number | undefined;
  /** The name of the repaired copy, if there is one already. */
  readonly repairedAs?: string | undefined;
  readonly about: Pick<DoctorViewOptions, 'name' | 'resume' | 'more'> & {
    /** The name that the table shows. */
    readonly brief: string;
  };
}

/** The widths of the columns that depend on the rows. */
export interface DoctorColumns {
  readonly dialect: number;
  readonly id: number;
  readonly project: number;
  /** 0: there is no such column, and a reason follows the command. */
  readonly next: number;
}

type TableOptions = Pick<DoctorViewOptions, 'style' | 'width'> & { readonly columns: DoctorColumns };

const projectOf = ({ cwd }: DoctorReport): string => escapeText(basename((cwd ?? '').replaceAll('\\', '/')));

/** How a session is continued or repaired. */
function nextOf({ report, repairedAs, about: { name, more, resume } }: DoctorRow, isWide: boolean): string {
  if (repairedAs !== undefined) return '';
  // A session that resumes has its command only in a wide terminal: nothing must be done for it.
  // What its program deletes when it starts must be copied first: the commands are below the table.
  const isSafe = report.deletes.length === 0 && (isWide || verdictOf(report) !== 'resumes');
  return nextRepair(report, name, more) ?? (isSafe ? resume?.command : undefined) ?? '';
}

/** The columns of a table of `rows`. Without an end (in a pipe), each row is one line, and no cell moves the next one. */
export function doctorColumns(rows: readonly DoctorRow[], width: number): DoctorColumns {
  const isEndless = width === Infinity;
  const widest = (title: string, texts: readonly string[]) =>
    largest(texts.map(displayWidth), displayWidth(title));
  const dialect = widest(
    'DIALECT',
    rows.map(({ report }) => report.dialect),
  );
  const projects = widest(
    'PROJECT',
    rows.map(({ report }) => projectOf(report)),
  );
  const project = isEndless ? projects : Math.min(MAX_PROJECT, projects);
  const room = width - VERDICT - LOADS - dialect - project - 4 * GAP.length;
  const ids = rows.map(({ about }) => displayWidth(escapeText(about.brief)));
  const next = rows.filter((row) => remarksOf(row).length > 0).map((row) => nextOf(row, true));
  return {
    dialect,
    id: largest(
      ids.filter((one) => one <= Math.max(room, LEAST_ID)),
      LEAST_ID,
    ),
    project,
    next: isEndless ? widest('CONTINUE OR REPAIR', next) : 0,
  };
}

const padded = (text: string, width: number): string =>
  `${text}${' '.repeat(Math.max(0, width - displayWidth(text)))}`;

/** The title of the columns of `doctorLine`. */
export function doctorHead({ style, width, columns: { dialect, id, project, next } }: TableOptions): string {
  const cells = [
    'VERDICT'.padEnd(VERDICT),
    'LOADS'.padStart(LOADS),
    padded('DIALECT', dialect),
    padded('ID', id),
  ];
  cells.push(padded('PROJECT', project));
  if (width >= COMMANDS_FROM) cells.push(padded('CONTINUE OR REPAIR', next));
  if (next > 0) cells.push('WHY');
  return `${style.dim(truncateToWidth(cells.join(GAP).trimEnd(), width))}\n`;
}

/** Why a session is not opened or not accepted. What the API refuses stays if the program opens the session elsewhere. */
const closedWhy = (notOpened: string | null, notAccepted: string | undefined): string | undefined =>
  notOpened === null || notAccepted === undefined
    ? (notOpened ?? notAccepted)
    : `${notOpened}; the API refuses the request: ${notAccepted}`;

/** What a session lacks, or why it cannot be continued. */
function whyOf(report: DoctorReport): string {
  const { danger, found, refused, loads, turns } = report;
  const [cut] = report.cuts.filter(({ is_bridged: isBridged }) => !isBridged);
  const lost = loads.parts < loads.of ? (cut ?? report.skipped[0] ?? report.dropped[0]) : undefined;
  const part = partOf(report);
  return (
    danger[0] ??
    (part === undefined || found.is_found ? undefined : partText(part)) ??
    closedWhy(found.reason, refused[0]?.message) ??
    withoutNewest(turns) ??
    (lost === undefined ? '' : `line ${lost.line}: ${lost.message}`)
  );
}

/** What is damaged in a log. Its program may read such a line, and then the report names none. */
function damageOf({ report: { skipped }, damaged = 0 }: DoctorRow): string {
  if (damaged === 0) return '';
  const [first] = skipped;
  if (first === undefined) return plural(damaged, 'damaged line');
  const more = skipped.length === 1 ? '' : ` (and ${skipped.length - 1} more)`;
  return `line ${first.line}: ${first.message}${more}`;
}

/** What can be done about a session that has to be repaired, if no command repairs it now. */
function outcomeOf({ report, damaged = 0, repairedAs, about: { name } }: DoctorRow): string {
  if (nextRepair(report, name) !== undefined) return '';
  if (report.repairs.length > 0)
    return repairedAs === undefined ? 'can be repaired when that folder exists' : '';
  if (damaged === 0) return '';
  if (verdictOf(report) === 'resumes') return 'resumes all the same: there is nothing to repair';
  const still = isContinuable(verdictOf(report)) ? '; resumes without what is lost' : '';
  return `cannot be repaired: ${whyNoRepair(report)}${still}`;
}

const repairOf = ({ repairedAs }: DoctorRow): string =>
  repairedAs === undefined ? '' : `repaired as ${repairedAs}, which is to be continued in place of it`;

/** All that a row says of a session. */
const remarksOf = (row: DoctorRow): readonly string[] =>
  [...new Set([repairOf(row), damageOf(row), whyOf(row.report), outcomeOf(row)])].filter((one) => one !== '');

/** A row about a session. In a terminal, what does not fit in a line is below it. */
export function doctorLine(row: DoctorRow, { style, width, columns }: TableOptions): string {
  const { report, about } = row;
  const verdict = verdictWord(report);
  const why = escapeText(remarksOf(row).join('; '));
  const paint = paintOf(verdictOf(report), style);
  const loads = `${report.loads.parts}/${partsOf(report)}`.padStart(LOADS);
  // A name is not cut: without its beginning or its end it names nothing.
  const name = escapeText(about.brief);
  const fits = displayWidth(name) <= columns.id;
  const project = truncateToWidth(projectOf(report), columns.project);
  const cells = [
    padded(verdict, VERDICT),
    loads,
    padded(report.dialect, columns.dialect),
    padded(fits ? name : '', columns.id),
    padded(project, columns.project),
  ];
  const next = nextOf(row, width >= COMMANDS_FROM);
  const texts =
    columns.next > 0 ? [padded(next, columns.next), why] : [next, why].filter((one) => one !== '');
  const painted = (text: string) => `${paint(verdict)}${text.slice(verdict.length)}`.trimEnd();
  const line = [...cells, ...texts].join(GAP);
  if (fits && displayWidth(line) <= width) return `${painted(line)}\n`;
  const below = [
    ...(fits ? [] : [`  ${name}`]),
    ...remarksOf(row).flatMap((text) => hanging('  ', wrap(escapeText(text), width - 2), '  ')),
    ...(next === '' ? [] : [`  ${next}`]),
  ];
  return `${[painted(truncateToWidth(cells.join(GAP), width)), ...below].join('\n')}\n`;
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
  const verdict = verdictWord(first);
  const why = escapeText(whyOfAny(first));
  const option = repairOption(first);
  const next =
    option === undefined ? [] : [`  noesis doctor --fix ID${option === 'none' ? '' : ` ${option}`}`];
  const count = `${plural(reports.length, 'session')} of ${first.program} (--full lists them)`;
  const head = `${' '.repeat(VERDICT + GAP.length - verdict.length)}${count}`;
  const lines = [
    `${paintOf(verdictOf(first), style)(verdict)}${head}`,
    ...hanging('  ', wrap(why, width - 2), '  '),
  ];
  return `${[...lines, ...next].join('\n')}\n`;
}

/** A row about sessions of which nothing has to be said. */
export function doctorHealthy(count: number, { style }: Pick<DoctorViewOptions, 'style'>): string {
  const head = ' '.repeat(VERDICT + GAP.length - 'resumes'.length);
  return `${style.green('resumes')}${head}${plural(count, 'whole session')} (--full lists them)\n`;
}

/** Whether nothing has to be said of a session. */
export const isHealthy = (row: DoctorRow): boolean =>
  verdictOf(row.report) === 'resumes' && remarksOf(row).length === 0;

/** Whether the log has damaged lines that nobody has repaired. */
export const isOfDamagedLog = ({ damaged = 0 }: DoctorRow): boolean => damaged > 0;

/** How many logs are damaged, and how many of these sessions resume nevertheless. */
function damagedText(rows: readonly DoctorRow[]): string {
  const are = `${plural(rows.length, 'log')} ${rows.length === 1 ? 'is' : 'are'} damaged`;
  const resuming = rows.filter(({ report }) => verdictOf(report) === 'resumes').length;
  if (resuming === 0) return are;
  if (rows.length === 1) return `${are} and resumes all the same`;
  return `${are}, ${resuming} of which ${resuming === 1 ? 'resumes' : 'resume'} all the same`;
}

/** The number of sessions, by verdict, and of the damaged logs among them. */
export function doctorCounts(rows: readonly DoctorRow[], width: number): string {
  const reports = rows.map(({ report }) => report);
  const damaged = rows.filter(isOfDamagedLog);
  const repaired = rows.filter(({ repairedAs }) => repairedAs !== undefined).length;
  const open = rows.filter(({ repairedAs }) => repairedAs === undefined).map(({ report }) => report);
  const words = [...VERDICTS].flatMap((verdict) =>
    reports.filter((one) => verdictOf(one) === verdict).map(verdictWord),
  );
  const texts = [...new Set(words)].map((word) =>
    countedVerdict(word, words.filter((one) => one === word).length),
  );
  const more = Object.entries(REPAIRS).flatMap(([option, inWords]) => {
    const count = open.filter((one) => repairOption(one) === option).length;
    return count === 0 ? [] : [`; ${inWords(count)}`];
  });
  const ofLogs = damaged.length === 0 ? '' : `; ${damagedText(damaged)}`;
  const done = repaired === 0 ? '' : `; ${repaired} ${repaired === 1 ? 'was' : 'were'} repaired before`;
  const text = `${plural(reports.length, 'session')}: ${texts.join(', ')}${ofLogs}${done}${more.join('')}`;
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
