import { pushAll } from '../../base/files/push-all.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import { escapeText } from './escape.ts';
import { ranges, withoutNewest } from './resume-words.ts';
import type { Style } from './style.ts';
import { plural } from './tally.ts';
import { displayWidth } from './width.ts';
import { hanging, wrap } from './wrap.ts';

export interface DoctorViewOptions {
  /** A name by which commands find the session. */
  readonly name: string;
  readonly style: Style;
  readonly width: number;
  readonly shown: (path: string) => string;
  /** The command that continues the session as it is, if its program would find it. */
  readonly resume?: string | undefined;
}

/** Remarks beyond this number are only counted. */
const MOST_REMARKS = 12;
const HEAD = 11;

interface Remark {
  readonly line: number;
  readonly message: string;
}

class Page {
  readonly lines: string[] = [];
  readonly #width: number;

  constructor(width: number) {
    this.#width = Math.max(40, width);
  }

  text(text: string): void {
    pushAll(this.lines, wrap(escapeText(text), this.#width));
  }

  item(head: string, text: string): void {
    const label = `  ${escapeText(head).padEnd(HEAD - 2)}`;
    const own = label.endsWith(' ') ? label : `${label}  `;
    pushAll(this.lines, hanging(own, wrap(escapeText(text), this.#width - own.length)));
  }

  remarks(remarks: readonly Remark[]): void {
    for (const { line, message } of remarks.slice(0, MOST_REMARKS)) this.item(`line ${line}`, message);
    if (remarks.length > MOST_REMARKS) this.item('', `and ${remarks.length - MOST_REMARKS} more`);
  }
}

/** The report on one session. Danger comes first. */
export function doctorView(
  report: DoctorReport,
  { name, style, width, shown, resume }: DoctorViewOptions,
): string {
  const page = new Page(width);
  for (const danger of report.danger) {
    const lines = wrap(escapeText(danger), Math.max(40, width) - 8);
    pushAll(page.lines, hanging(`${style.red('DANGER')}  `, lines, ' '.repeat(8)));
  }
  const place = report.cwd === null ? '' : `  ${escapeText(report.cwd)}`;
  page.lines.push(`${style.bold(escapeText(`${report.program}  ${report.session}`))}${place}`);
  const wrote = report.version === null ? '' : `written by ${report.version}, `;
  page.text(`${wrote}rules of ${report.rules}`);
  if (report.is_newer)
    page.text(`The rules of ${report.version} are not known: those of ${report.rules} were used.`);
  page.lines.push('');
  loads(page, report);
  repair(page, report, name, shown);
  const command = report.written?.resume ?? (report.found.is_found ? resume : undefined);
  // A command to copy stays on one line.
  if (command !== undefined) page.lines.push(`Continue with: ${escapeText(command)}`);
  return page.lines.map((line) => `${line}\n`).join('');
}

function loads(page: Page, report: DoctorReport): void {
  const { found, loads, prompts, lost, refused, branches, cuts } = report;
  if (!found.is_found) {
    page.text(`${report.program} does not open the session: ${found.reason}`);
    if (found.reason?.includes('directory')) page.text('--cwd DIR repairs it for another folder.');
  }
  if (found.is_found && found.reason !== null) page.text(`Note: ${found.reason}`);
  const isLoaded = found.is_found || loads.parts > 0;
  if (isLoaded) {
    const which = prompts.loaded.length === 0 ? '' : `, prompts ${ranges(prompts.loaded)} of ${prompts.of}`;
    const resume = found.is_found ? 'Resume' : 'Under such a name, resume';
    const newest = withoutNewest(report.turns);
    if (newest !== undefined) page.text(`${resume} ${newest}.`);
    const branch = newest !== undefined && branches.length > 0 ? ' on this branch' : '';
    page.text(`${resume} loads ${loads.parts} of ${loads.of} parts of the conversation${branch}${which}.`);
  }
  const real = cuts.filter(({ is_bridged: isBridged }) => !isBridged);
  page.remarks(report.skipped);
  page.remarks(
    real.map(({ line, message }) => ({ line, message: `${message}: all before it is forgotten, silently` })),
  );
  page.remarks(report.dropped.map(({ line, message }) => ({ line, message: `not sent: ${message}` })));
  page.remarks(
    report.closed.map(({ line, message }) => ({ line, message: `${message}: the program adds one` })),
  );
  if (prompts.lost.length > 0) {
    const words = prompts.lost.slice(0, 5).map((text) => JSON.stringify(text));
    const more = prompts.lost.length > 5 ? ', …' : '';
    page.item(
      'lost',
      `${words.join(', ')}${more} (${plural(prompts.lost.length, 'prompt')}, ${plural(lost.calls, 'call')})`,
    );
  }
  for (const { line, parts } of branches.slice(0, MOST_REMARKS))
    page.item(`line ${line}`, `${plural(parts, 'part')} on another branch, as after a rewind: not loaded`);
  if (!isLoaded) return;
  if (refused.length === 0) page.text('The API accepts the request.');
  else {
    page.text('The API refuses the request:');
    page.remarks(refused);
  }
}

function repair(page: Page, report: DoctorReport, name: string, shown: (path: string) => string): void {
  const { after, repairs, written } = report;
  page.lines.push('');
  if (after === null) {
    page.text(isClean(report) ? 'There is nothing to repair.' : 'No repair loads more.');
    return;
  }
  const { parts, of } = after.loads;
  const refused = after.refused.length === 0 ? '' : ', and the API still refuses the request';
  const left = of - parts;
  const rest = left > 0 ? ` ${plural(left, 'part')} ${left === 1 ? 'stays' : 'stay'} lost.` : '';
  page.text(`${written ? 'Repaired' : 'Repair'}: ${parts} of ${of} parts are loaded${refused}.${rest}`);
  page.remarks(
    repairs.map(({ line, message, is_guess: isGuess }) => ({
      line,
      message: isGuess ? `${message} (a guess)` : message,
    })),
  );
  if (written === null) {
    page.text(`noesis doctor --fix ${plainShellWord(name)}   writes a copy, the original stays`);
    return;
  }
  page.item('wrote', shown(written.log));
  if (written.backup !== null) page.item('original', shown(written.backup));
  if (written.rejected !== null) page.item('rejected', shown(written.rejected));
  page.item('account', shown(written.doctor));
}

const isClean = ({ found, loads, refused }: DoctorReport): boolean =>
  found.is_found && loads.parts >= loads.of && refused.length === 0;

/** One word for the state of a session. */
function doctorState(report: DoctorReport): 'danger' | 'refused' | 'lost' | 'ok' {
  if (report.danger.length > 0) return 'danger';
  if (!report.found.is_found || report.refused.length > 0) return 'refused';
  return report.loads.parts < report.loads.of ? 'lost' : 'ok';
}

/** A long name without its beginning, because the end of a path says which log it is. */
function endOf(name: string, room: number): string {
  if (displayWidth(name) <= room) return name;
  const letters = [...name];
  while (letters.length > 1 && displayWidth(letters.join('')) >= room) letters.shift();
  return `…${letters.join('')}`;
}

/** One line about a session. In a narrow terminal, a long reason is below it. */
export function doctorLine(report: DoctorReport, { name, style, width }: DoctorViewOptions): string {
  const state = doctorState(report);
  const paint = state === 'ok' ? style.green : state === 'lost' ? style.yellow : style.red;
  const { parts, of } = report.loads;
  const [cut] = report.cuts.filter(({ is_bridged: isBridged }) => !isBridged);
  const lost = cut ?? report.skipped[0] ?? report.dropped[0];
  const why =
    report.danger[0] ??
    report.found.reason ??
    report.refused[0]?.message ??
    (state === 'lost' && lost ? `line ${lost.line}: ${lost.message}` : '');
  const numbers = `${parts}/${of}`.padStart(9);
  const head = `${numbers}  ${report.program.padEnd(11)}  `;
  const begin = state.padEnd(7);
  const shownName = endOf(escapeText(name), Math.max(10, width - begin.length - head.length));
  const text = escapeText(why);
  const row = `${head}${shownName.padEnd(8)}`;
  const isOneLine = displayWidth(`${begin}${row}  ${text}`) <= width;
  const first = `${paint(begin)}${isOneLine ? `${row}  ${text}` : row}`.trimEnd();
  const below = isOneLine ? [] : hanging('  ', wrap(text, width - 2), '  ');
  return `${[first, ...below].join('\n')}\n`;
}
