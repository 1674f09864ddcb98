import { pushAll } from '../../base/files/push-all.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import type { Deletes, ResumeCommand } from '../../dialects/resume.ts';
import { toHaveFolder } from '../../read/describe/to-have-folder.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import { fixCommand, paintOf, partOf, partsOf, verdictOf, verdictWord, whyNoRepair } from './doctor-words.ts';
import { escapeText } from './escape.ts';
import { partText, ranges, whereContinued, withoutNewest } from './resume-words.ts';
import type { Style } from './style.ts';
import { plural } from './tally.ts';
import { hanging, wrap } from './wrap.ts';

export interface DoctorViewOptions {
  /** A name by which commands find the session. */
  readonly name: string;
  readonly style: Style;
  readonly width: number;
  readonly shown: (path: string) => string;
  /** The options of a repair, before a space each. */
  readonly more?: string | undefined;
  /** A name by which commands find the session of a subagent, if it is known. */
  readonly session?: string | undefined;
  /** How to continue the session as it is, if that goes well. */
  readonly resume?: ResumeCommand | undefined;
  /** The commands that copy away what any start of the program deletes. */
  readonly keep?: { readonly own: string | undefined; readonly others: Deletes } | undefined;
}

/** Remarks beyond this number are only counted. */
const MOST_REMARKS = 12;
const HEAD = 11;

interface Remark {
  readonly line: number;
  readonly message: string;
}

/** A text, and how often it is among others if that is more than once. */
function withTimes(text: string, among: readonly string[]): string {
  const count = among.filter((one) => one === text).length;
  return count === 1 ? text : `${text} (${count} times)`;
}

class Page {
  readonly lines: string[] = [];
  readonly #width: number;

  constructor(width: number) {
    this.#width = Math.max(40, width);
  }

  /** A blank line before what follows. */
  gap(): void {
    if (this.lines.at(-1) !== '') this.lines.push('');
  }

  text(text: string): void {
    pushAll(this.lines, wrap(escapeText(text), this.#width));
  }

  /** A text with a coloured head; `plain` is the head without colour. */
  headed(head: string, plain: string, text: string): void {
    const own = ' '.repeat(plain.length + 2);
    const lines = wrap(escapeText(text), this.#width - own.length);
    pushAll(this.lines, hanging(head === '' ? own : `${head}  `, lines, own));
  }

  item(head: string, text: string): void {
    const label = `  ${escapeText(head).padEnd(HEAD - 2)}`;
    const own = label.endsWith(' ') ? label : `${label}  `;
    pushAll(this.lines, hanging(own, wrap(escapeText(text), this.#width - own.length)));
  }

  /** A path, which is not wrapped, so that it can be copied. */
  path(head: string, path: string): void {
    this.lines.push(`  ${head.padEnd(HEAD - 2)}${path}`);
  }

  /** A command to copy, which is not wrapped. */
  command(head: string, command: string): void {
    this.lines.push(`${head}: ${escapeText(command)}`);
  }

  /** In which folder a command works. */
  where(resume: Parameters<typeof whereContinued>[0]): void {
    const text = whereContinued(resume);
    if (text !== undefined) this.text(`(${text})`);
  }

  /** Each line of the log once. */
  remarks(remarks: readonly Remark[]): void {
    const lines = [...new Set(remarks.map(({ line }) => line))];
    for (const line of lines.slice(0, MOST_REMARKS)) {
      const messages = remarks.filter((remark) => remark.line === line).map(({ message }) => message);
      this.item(`line ${line}`, [...new Set(messages)].map((text) => withTimes(text, messages)).join('; '));
    }
    if (lines.length > MOST_REMARKS) this.item('', `and ${lines.length - MOST_REMARKS} more`);
  }
}

/** The report on one session. Danger comes first, then the answer and the commands to copy. */
export function doctorView(
  report: DoctorReport,
  { name, style, width, shown, session, resume, keep, more }: DoctorViewOptions,
): string {
  const page = new Page(width);
  if (report.written !== null)
    page.text(report.written.backup === null ? 'The original, which stays:' : 'Before the repair:');
  for (const danger of report.danger) page.headed(style.red('DANGER'), 'DANGER', danger);
  const [verdict, word] = [verdictOf(report), verdictWord(report)];
  for (const [at, text] of answers(report, keep?.others.logs.length ?? 0, session !== undefined).entries())
    page.headed(at === 0 ? paintOf(verdict, style)(word) : '', word, text);
  commands(page, report, { name, session, resume, shown, keep, more });
  page.gap();
  const place = report.cwd === null ? '' : `  ${escapeText(report.cwd)}`;
  page.lines.push(`${style.bold(escapeText(`${report.program}  ${report.session}`))}${place}`);
  const wrote = report.version === null ? '' : `written by ${report.version}, `;
  page.text(`${wrote}rules of ${report.rules}`);
  if (report.is_newer)
    page.text(`The rules of ${report.version} are not known: those of ${report.rules} were used.`);
  page.gap();
  details(page, report);
  repair(page, report, name, shown);
  continued(page, report);
  if (page.lines.at(-1) === '') page.lines.pop();
  return page.lines.map((line) => `${line}\n`).join('');
}

/** Whether the program has something to load, here or where it would find the log. */
const isLoaded = ({ found, loads }: DoctorReport): boolean => found.is_found || loads.parts > 0;

/** Whether the log is that of a subagent, which its program does not continue by itself. */
const isOnlyPart = ({ part_of: session, found }: DoctorReport): boolean =>
  session !== null && !found.is_found;

/** Which prompts are loaded. After a compaction they are turns with the numbers that other commands have. */
function whichPrompts({ prompts, skipped, turns, compaction }: DoctorReport): string {
  const least = skipped.length > 0 ? 'at least ' : '';
  const named = (what: string, loaded: readonly number[], of: number) =>
    loaded.length === 0 ? '' : `, ${what} ${ranges(loaded)} of ${least}${of}`;
  if (compaction === null) return named('prompts', prompts.loaded, prompts.of);
  const what = turns.loaded.length === 1 ? 'turn' : 'turns';
  return ` after the last compaction${named(what, turns.loaded, turns.of)}`;
}

/** What happens when the user continues the session, in sentences. `isKnown`: the session of a part is known to noesis. */
function answers(report: DoctorReport, others: number, isKnown: boolean): string[] {
  const { program, found, place, loads, refused } = report;
  const part = partOf(report);
  const texts = part === undefined ? [] : [`This is ${partText(part)}.`];
  if (part !== undefined && !isKnown) texts.push('noesis does not find that session.');
  if (!found.is_found && part !== undefined) texts.push(`${program} continues only the session.`);
  else if (!found.is_found) {
    const isWhole = found.reason?.startsWith(`${program} does not `);
    texts.push(isWhole ? `${found.reason}` : `${program} does not open the session: ${found.reason}`);
  }
  if (report.copy_of !== null)
    texts.push(`It is the copy that doctor made of ${report.copy_of}, and needs no repair.`);
  if (place !== null && place.reason !== null)
    texts.push(`It would not open it there either: ${place.reason}`);
  if (!isLoaded(report) && part === undefined && loads.of > 0)
    texts.push(`None of its ${plural(loads.of, 'part')} is loaded.`);
  if (isLoaded(report)) {
    const resume = found.is_found ? 'Resume' : place === null ? 'Otherwise, resume' : 'There, resume';
    const newest = withoutNewest(report.turns);
    const parts = `${loads.parts} of ${plural(partsOf(report), 'part')} of the conversation`;
    texts.push(
      newest === undefined
        ? `${resume} loads ${parts}${whichPrompts(report)}.`
        : `${resume} ${newest}. In all, it loads ${parts}.`,
    );
    if (refused.length === 0 && report.last_refusal !== null)
      texts.push(`The API refused the last request: ${report.last_refusal.message}`);
    if (refused.length > 0)
      texts.push(`The API refuses the request: ${refused[0]?.message}${refused.length > 1 ? ', …' : ''}`);
  }
  if (others > 0)
    texts.push(
      `Any start of ${program} deletes ${others === 1 ? 'another log' : `${others} other logs`} in the same folder.`,
    );
  if (report.further_logs.length > 0)
    texts.push(`The session continues in ${plural(report.further_logs.length, 'further log')}.`);
  if (found.is_found && found.reason !== null) texts.push(`Note: ${found.reason}`);
  const what = report.needs_folder ? toHaveFolder(report) : '';
  if (what !== '') {
    texts.push(`${what.charAt(0).toUpperCase()}${what.slice(1)}.`);
  }
  return texts;
}

/** The commands that the user may copy: each on its own line, which is not wrapped. */
function commands(
  page: Page,
  report: DoctorReport,
  {
    name,
    session,
    resume,
    shown,
    keep,
    more,
  }: Pick<DoctorViewOptions, 'name' | 'session' | 'resume' | 'shown' | 'keep' | 'more'>,
): void {
  const { after, written, place, repairs } = report;
  const line = (head: string, command: string) => page.command(head, command);
  if (session !== undefined) line('Examine its session with', `noesis doctor ${plainShellWord(session)}`);
  // Without its session, nothing can be continued or repaired.
  else if (isOnlyPart(report)) line('Read it with', `noesis read ${plainShellWord(name)}`);
  for (const command of keep?.others.copy ?? [])
    line(`Copy ${keep?.others.logs.length === 1 ? 'that one' : 'the others'} away first with`, command);
  if (keep?.own !== undefined) line('Copy it away first with', keep.own);
  if (written !== null) return;
  if (place !== null) page.lines.push(`Its place: ${shown(place.path)}`);
  const isCopy = place !== null && repairs.length === 0;
  const repair = fixCommand(report, name, more);
  const newest = report.newest === null ? undefined : fixCommand(report, name, `${more ?? ''} --newest`);
  // The user chooses one of two copies by where it continues.
  const from = newest === undefined ? '' : ', which continues where resume does,';
  if (after !== null && repair !== undefined)
    line(`${isCopy ? 'Put a copy there' : 'Repair a copy'}${from} with`, repair);
  if (newest !== undefined)
    line(
      after === null ? 'Continue from the newest turn with a copy' : 'Or one from the newest turn with',
      newest,
    );
  if (resume === undefined) return;
  line(after === null && report.newest === null ? 'Continue with' : 'Continue as it is with', resume.command);
  page.where(resume);
}

/** The command that continues what a repair wrote. It is below the repair, because what is above is about the log before it. */
function continued(page: Page, { written }: DoctorReport): void {
  if (written === null || written.resume === null) return;
  page.command('Continue with', written.resume);
  const { missing_folder: missing, is_folder_unknown: isUnknown } = written;
  page.where({ ...(missing !== null && { missing }), ...(isUnknown && { isFolderUnknown: true }) });
}

function details(page: Page, report: DoctorReport): void {
  const { prompts, lost, refused, branches, cuts, leaf } = report;
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
    const calls = lost.calls === 0 ? '' : `, ${plural(lost.calls, 'call')}`;
    page.item('lost', `${words.join(', ')}${more} (${plural(prompts.lost.length, 'prompt')}${calls})`);
  }
  if (leaf !== null && report.turns.newer.length > 0)
    page.item(
      `line ${leaf.line}`,
      `resume continues from here${leaf.named_by === null ? '' : `: the last-prompt record on line ${leaf.named_by} says so`}`,
    );
  for (const { line, parts } of branches.slice(0, MOST_REMARKS))
    page.item(`line ${line}`, `${plural(parts, 'part')} on another branch, as after a rewind: not loaded`);
  if (!isLoaded(report)) return;
  if (refused.length === 0) acceptedText(page, report);
  else {
    page.text('The API refuses the request:');
    page.remarks(refused);
  }
}

/** What helps if the API refused the last request, because the next one has the same conversation. */
const TOO_LONG = 'Compact the conversation first, or start a new session.';
const INVALID = 'Go back to a prompt before the part that it names, compact, or start a new session.';

/** Whether an error is about the size of the conversation, not of a part such as an image. */
const isTooLong = (message: string): boolean =>
  /token|context|prompt/i.test(message) && !/image|media|document/i.test(message);

function acceptedText(page: Page, { last_refusal: refusal }: DoctorReport): void {
  if (refusal === null) return page.text('The API accepts the request.');
  page.text('The API refused the last request, and may refuse the next one too:');
  page.remarks([refusal]);
  page.text(isTooLong(refusal.message) ? TOO_LONG : INVALID);
}

function repair(page: Page, report: DoctorReport, name: string, shown: (path: string) => string): void {
  const { after, repairs, written } = report;
  page.gap();
  if (after === null) {
    if (isOnlyPart(report)) return;
    page.text(isClean(report) ? nothing(report) : without(report));
    // The program skips damaged lines, but verify fails as long as they are in the log.
    if (report.skipped.length > 0 && report.copy_of === null)
      page.command(
        'For a log that verify accepts, copy the intact records with',
        `noesis salvage ${plainShellWord(name)} -o DIR`,
      );
    return;
  }
  if (written === null && repairs.length === 0) {
    page.text(
      isSound(report)
        ? 'Nothing is wrong with the log itself. The copy gets a new id, and the original stays.'
        : 'The copy gets a new id and keeps what is damaged. The original stays.',
    );
    return;
  }
  const { parts, of } = after.loads;
  const refused = after.refused.length === 0 ? '' : ', and the API still refuses the request';
  const left = of - parts;
  // The exit code is that of a failure although the copy was written.
  const code = written === null ? '' : ', so doctor ends with exit code 1';
  const rest = left > 0 ? ` ${plural(left, 'part')} ${left === 1 ? 'stays' : 'stay'} lost${code}.` : '';
  // Before the repair, the parts of both branches were counted.
  const ofWhat = continuesFromNewest(report) ? ' of the branch of the newest turns' : '';
  page.text(
    `${written ? 'Repaired' : 'Repair'}: ${parts} of ${plural(of, 'part')}${ofWhat} ${parts === 1 ? 'is' : 'are'} loaded${refused}.${rest}${leftOut(report, of)}`,
  );
  page.remarks(
    repairs.map(({ line, message, is_guess: isGuess }) => ({
      line,
      message: isGuess ? `${message} (a guess)` : message,
    })),
  );
  if (written === null) {
    page.text(
      report.needs_folder
        ? `This repair needs a folder that exists: ${report.can_move ? 'add --cwd DIR' : 'create that of the session'}.`
        : 'The repair writes a copy with a new id, and the original stays.',
    );
    return;
  }
  page.path('wrote', shown(written.log));
  if (written.backup !== null) page.path('original', shown(written.backup));
  if (written.rejected !== null) page.path('rejected', shown(written.rejected));
  page.path('account', shown(written.doctor));
}

/** Says that a repair leaves out parts: without it, the numbers before and after it would not agree. */
function leftOut(report: DoctorReport, of: number): string {
  const count = report.loads.of - of;
  if (count <= 0 || continuesFromNewest(report)) return '';
  const which = count === 1 ? 'It is' : 'They are';
  return ` ${plural(count, 'part')} of the ${report.loads.of} before the repair ${count === 1 ? 'is' : 'are'} left out. ${which} named below.`;
}

/** Whether the repair is one with `--newest`. */
const continuesFromNewest = ({ repairs }: DoctorReport): boolean =>
  repairs.some(({ rule }) => rule === 'newest');

const withNewest = ({ loads }: NonNullable<DoctorReport['newest']>): string =>
  `A copy with --newest loads the newest turns instead: ${loads.parts} of ${loads.of} parts of their branch.`;

const nothing = ({ last_refusal: refusal }: DoctorReport): string =>
  refusal === null ? 'There is nothing to repair.' : 'There is nothing to repair in the log.';

/** Why there is no repair of a session that needs one. */
function without(report: DoctorReport): string {
  if (report.copy_of === null && report.further_logs.length === 0 && report.newest !== null)
    return withNewest(report.newest);
  if (needsOnlyFolder(report)) return 'There is nothing to repair in the log itself.';
  const why = whyNoRepair(report);
  return `${why.startsWith('doctor ') ? why : why.charAt(0).toUpperCase() + why.slice(1)}.`;
}

/** Whether the session goes well as soon as its folder exists. */
const needsOnlyFolder = ({
  needs_folder: needsFolder,
  danger,
  loads,
  refused,
  newest,
}: DoctorReport): boolean =>
  needsFolder && danger.length === 0 && loads.parts >= loads.of && refused.length === 0 && newest === null;

/** Whether the program can use every line. */
const isSound = ({ skipped, cuts }: DoctorReport): boolean => skipped.length === 0 && cuts.length === 0;

const isClean = ({ found, loads, refused, newest }: DoctorReport): boolean =>
  found.is_found && loads.parts >= loads.of && refused.length === 0 && newest === null;
