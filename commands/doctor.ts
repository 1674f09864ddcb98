import { basename, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { isOfTarget, TargetError, UsageError } from '../src/base/errors.ts';
import { isDirectory } from '../src/base/files/paths.ts';
import { plainShellWord } from '../src/base/text/shell-word.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { Failed, needs } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { folderToWrite } from '../src/cli/report/write-report.ts';
import { reportFailure } from '../src/cli/report-failure.ts';
import { targetOfWhole } from '../src/cli/targets/finds-session.ts';
import { listedLogs } from '../src/cli/targets/listed-logs.ts';
import { otherDialect } from '../src/cli/targets/open-log.ts';
import { notOfThisFolder, sessionsToExamine } from '../src/cli/targets/sessions-to-examine.ts';
import { dialectOf, whyUnlikely } from '../src/dialects/kit/sample.ts';
import { isGeneric } from '../src/dialects/registry.ts';
import { furtherLogsOf, type ResumeCommand } from '../src/dialects/resume.ts';
import { LogFolders } from '../src/dialects/sessions/kit/loading/surroundings.ts';
import { isContinuable, isWhole } from '../src/dialects/sessions/kit/verdict.ts';
import { copyAllAwayCommands, copyAwayCommand } from '../src/find/copy-away.ts';
import { type Episode, pathOf } from '../src/find/episode.ts';
import { episodesAtHome, homesOf } from '../src/find/homes.ts';
import { requireLog } from '../src/find/require-log.ts';
import { targetNames } from '../src/find/target-names.ts';
import { unlikelyLog } from '../src/findings/unlikely-log.ts';
import type { DoctorReport } from '../src/read/outputs/doctor.ts';
import { arranged, type Folding } from '../src/show/render/doctor-order.ts';
import {
  type DoctorRow,
  doctorColumns,
  doctorCounts,
  doctorDeletions,
  doctorFolded,
  doctorHead,
  doctorHealthy,
  doctorLine,
} from '../src/show/render/doctor-table.ts';
import { type DoctorViewOptions, doctorView } from '../src/show/render/doctor-view.ts';
import { verdictOf } from '../src/show/render/doctor-words.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { type Examination, type ExamineOptions, examine } from '../src/write/doctor/examine.ts';
import { givesFolder } from '../src/write/doctor/plan.ts';
import { writeRepair } from '../src/write/doctor/write-repair.ts';

interface DoctorOptions extends GlobalOptions {
  readonly all?: boolean;
  readonly fix?: boolean;
  readonly inPlace?: boolean;
  readonly output?: string;
  readonly programVersion?: string;
  readonly cwd?: string | undefined;
  readonly keepCut?: boolean;
  readonly closeCalls?: boolean;
  readonly undoCompaction?: boolean;
  readonly newest?: boolean;
  readonly force?: boolean;
  readonly full?: boolean;
}

const MORE = `
Without a target: the newest session of this folder, of each program. The report says
how much of the conversation the program loads, and what the API refuses. The rules
were observed; noesis never starts the program and sends nothing.

--fix writes a repaired copy with a new id next to the original, and prints the command
that continues it. doctor writes the copy only if more is loaded or less is refused.
What is left out is in <log>.rejected, and every change in <log>.doctor.json.`;

export function addDoctor(program: Command, io: Io): void {
  withExamples(
    program.command('doctor'),
    ['doctor', 'the newest session of this folder, of each program'],
    ['doctor --all', 'what is damaged, or does not open, on this machine'],
    ['doctor --fix aaaaaaaa', 'write a repaired copy, and say how to continue it'],
  )
    .description('show what a program loads when it continues a session, and repair the session')
    .argument('[target...]', 'sessions: paths, folders or ids')
    .option('--all', 'examine every session on this machine, damaged logs first')
    .option('--full', 'list whole sessions, and those that do not open for one reason, one by one')
    .option('-f, --fix', 'write a repaired copy with a new id next to the original')
    .option('--in-place', 'with --fix: repair the log itself; the original is copied first')
    .option('-o, --output <dir>', 'with --fix: write the copy to this folder')
    .option('--program-version <v>', 'use the rules of this version of the program')
    .option('--cwd <dir>', 'with --fix: the folder in which the repaired session will run')
    .option('--keep-cut', 'do not join records whose parent is missing to the record before')
    .option('--no-close-calls', 'do not add results for calls that have none')
    .option('--undo-compaction', 'load again what came before a compaction')
    .option('--newest', 'continue from the newest turn, if the program continues from an earlier one')
    .option('--force', 'repair although a program may be writing to the log')
    .addHelpText('after', MORE)
    .action(action(io, runDoctor));
}

async function examined(
  context: Context,
  episode: Episode,
  options: DoctorOptions & Pick<ExamineOptions, 'isBrief'>,
  folders: LogFolders,
): Promise<Examination> {
  const log = resolve(episode.log ?? '');
  const dialect = await dialectOf(log, basename(log), context.dialect ?? episode.owner);
  const other = otherDialect(context, log);
  if (other !== undefined) throw other;
  const shown = context.shortPath(log);
  await requireLog(log, shown, !isGeneric(dialect));
  const unlikely = isGeneric(dialect) && context.dialect === undefined ? whyUnlikely(log) : undefined;
  if (unlikely !== undefined)
    throw new TargetError('log-missing', `${shown} is ${unlikelyLog(unlikely)}`, {
      place: { file: log },
      hint: 'name a session; noesis list shows those of this machine',
    });
  return examine(log, dialect, {
    programVersion: options.programVersion,
    cwd: options.cwd,
    keepCut: options.keepCut,
    noCloseCalls: options.closeCalls === false,
    undoCompaction: options.undoCompaction,
    newest: options.newest,
    further: furtherLogsOf(dialect, log, episode.parts),
    homes: homesOf({ ...context.search, dialect: dialect.name }),
    folders,
    ...(options.isBrief && { isBrief: true }),
  });
}

function requireFix(options: DoctorOptions): void {
  if (options.fix) return;
  if (options.inPlace) throw needs('--in-place', '--fix');
  if (options.output !== undefined) throw needs('--output', '--fix');
  if (options.force) throw needs('--force', '--fix');
}

async function runDoctor(context: Context, targets: readonly string[], given: DoctorOptions): Promise<void> {
  const { all = false, fix = false, inPlace, output, force } = given;
  requireFix(given);
  if (inPlace && output !== undefined)
    throw new UsageError('usage', '--in-place and --output exclude each other', { hint: 'use one of them' });
  const cwd = folderOfOption(context, given.cwd);
  const options = { ...given, cwd };
  const { sessions, notExamined } = await sessionsToExamine(context, targets, options);
  if (fix && sessions.length > 1)
    throw new UsageError('usage', `--fix repairs one session, and there are ${sessions.length}`, {
      hint: 'name one',
    });
  const to = output === undefined ? undefined : folderToWrite(context.io.cwd, '--output', output);
  const copiesTo = context.search.home ?? context.io.cwd;
  const reports: DoctorReport[] = [];
  const folders = new LogFolders();
  let hasFailed = false;
  const isShort = all || sessions.length > 3 || context.quiet;
  const isTable = isShort && !context.quiet && !context.json && sessions.length > 0;
  const rows: (DoctorRow & { readonly about: About })[] = [];
  const listed = isTable ? await listedLogs(context, sessions) : undefined;
  const nameOf = context.json ? undefined : await targetNames(sessions.map(runOf), context.search);
  for (const episode of sessions) {
    try {
      const found = await examined(context, episode, { ...options, isBrief: isTable && !fix }, folders);
      const { cwd: own, program } = found.report;
      if (fix && targets.length === 0 && own !== null && own !== context.io.cwd) throw notOfThisFolder();
      if (cwd !== undefined && found.report.loads.parts > 0 && !isOfFolder(found.report, cwd))
        await context.say(`--cwd has no effect: doctor does not move sessions of ${program}`);
      const isNeeded = fix && (found.plan !== undefined || !isAllLoaded(found.report));
      const report = isNeeded
        ? await writeRepair(found, { inPlace, to, force, now: context.io.now() })
        : found.report;
      if (fix && !isNeeded && report.newest !== null)
        await context.say(
          'nothing was written: add --newest to make a copy that continues from the newest turn',
        );
      reports.push(report);
      const names = nameOf?.(runOf(episode));
      if (names === undefined) continue;
      const { short: name, brief } = names;
      const resume = resumeOf(found);
      const keep = isShort ? undefined : copiesOf(report, copiesTo);
      const { part_of: whole } = report;
      const session = whole === null ? undefined : await targetOfWhole(context.search, whole, report.log);
      const about = { name, brief, session, resume, keep, more: optionsOfRepair(options) };
      if (isShort) rows.push({ about, report, ...listed?.get(pathOf(episode)) });
      else {
        await print(context, about, report, reports.length > 1);
        await sayEqualIds(context, report);
      }
    } catch (error) {
      if (sessions.length === 1 || !isOfTarget(error)) throw error;
      hasFailed = true;
      await reportFailure(context.io, error, context.options);
    }
  }
  // Sessions that the user named each have a line.
  const folding = given.full ? 'none' : sessions.length > targets.length ? 'all' : 'refusals';
  if (isTable || context.quiet) await printTable(context, rows, folding);
  if (isShort && !context.json) {
    const logs = [...new Set(reports.flatMap(({ deletes }) => deletes))];
    const deletes = { logs, copy: copyAllAwayCommands(logs, copiesTo) };
    await context.show(doctorDeletions(reports, deletes));
  }
  if (notExamined !== undefined) await context.say(notExamined);
  if (context.json) await context.printJson(sessions.length === 1 && !all ? reports[0] : reports);
  if (hasFailed || !reports.every(isFine)) throw new Failed();
}

/** Says that other logs have the id of a session. Which of them its program opens was not observed, so it is not said. */
async function sayEqualIds(
  context: Context,
  { log, session, dialect, program }: DoctorReport,
): Promise<void> {
  // Two programs may use one id.
  const all = await episodesAtHome({ ...context.search, dialect });
  const others = all.flatMap(({ name, log: path }) =>
    name === session && path !== undefined && path !== log ? [path] : [],
  );
  if (others.length === 0 || !all.some(({ log: path }) => path === log)) return;
  const paths = others.map((path) => escapeText(shortPath(context, path))).join(', ');
  await context.say(
    `another log has this id, and it is not known which one ${program} continues; keep one of them in its folders: ${paths}`,
  );
}

/** How to continue a session as it is; undefined if that would not go well. */
function resumeOf({ log, head, places, report, copy }: Examination): ResumeCommand | undefined {
  if (isContinuable(verdictOf(report)))
    return places.command({ log, head, id: report.session, cwd: report.cwd ?? undefined });
  // A copy in another folder is first put where the program finds it.
  const command = copy?.resume ?? undefined;
  return command?.includes(plainShellWord(log)) ? { command } : undefined;
}

/** The commands that copy away what a start of the program deletes. */
function copiesOf({ deletes, log, place }: DoctorReport, folder: string): DoctorViewOptions['keep'] {
  const own = deletes.find((path) => path === log || path === place?.path);
  const others = deletes.filter((path) => path !== own);
  return {
    own: own === undefined ? undefined : copyAwayCommand(own, folder),
    others: { logs: others, copy: copyAllAwayCommands(others, folder) },
  };
}

/** A session as a list has it, which names are found for. */
const runOf = (session: Episode) => ({ episode: session.name, path: pathOf(session) });

/** Whether a repair with `--cwd` makes the session one of that folder, or it is one already. */
const isOfFolder = ({ cwd, repairs }: DoctorReport, to: string): boolean =>
  cwd === to || givesFolder(repairs);

/** The folder of `--cwd`, which must exist: the program would not start in another one. */
function folderOfOption({ io }: Context, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const folder = resolve(io.cwd, given);
  if (isDirectory(folder)) return folder;
  throw new UsageError('usage', `--cwd: ${escapeText(given)} is not a folder`, {
    hint: 'make the folder first, or name another one',
  });
}

/** The options that a repair needs to be the one that was shown, before a space each. */
function optionsOfRepair(options: DoctorOptions): string {
  const { cwd, programVersion, keepCut, closeCalls, undoCompaction, newest } = options;
  const words = [
    ...(cwd === undefined ? [] : ['--cwd', plainShellWord(cwd)]),
    ...(programVersion === undefined ? [] : ['--program-version', plainShellWord(programVersion)]),
    ...(keepCut ? ['--keep-cut'] : []),
    ...(closeCalls === false ? ['--no-close-calls'] : []),
    ...(undoCompaction ? ['--undo-compaction'] : []),
    ...(newest ? ['--newest'] : []),
  ];
  return words.map((word) => ` ${word}`).join('');
}

/** Whether nothing has to be done for a session. */
const isAllLoaded = (report: DoctorReport): boolean => isWhole(verdictOf(report));

/** After a repair, what is still lost counts. */
function isFine(report: DoctorReport): boolean {
  const { written, after } = report;
  if (written === null || after === null) return verdictOf(report) === 'resumes';
  return after.loads.parts > 0 && after.loads.parts >= after.loads.of && after.refused.length === 0;
}

/** A path as a shell understands it, relative to the current or the home folder if it is there. */
function shortPath(context: Context, path: string): string {
  const { home } = context.search;
  const shown = context.shortPath(path);
  return home !== undefined && shown.startsWith(`${home}${sep}`) ? `~${shown.slice(home.length)}` : shown;
}

/** What a report is printed with. */
type About = Pick<DoctorViewOptions, 'name' | 'session' | 'resume' | 'keep' | 'more'>;

const viewOptions = async (context: Context, about: About): Promise<DoctorViewOptions> => ({
  ...about,
  style: await context.style,
  width: context.width,
  shown: (path: string) => escapeText(shortPath(context, path)),
});

/** Prints what `doctor` found of many sessions; with `--quiet` only the rows of those that are not fine. */
async function printTable(context: Context, all: readonly DoctorRow[], folding: Folding): Promise<void> {
  const { quiet, cutWidth: width } = context;
  const rows = quiet ? all.filter(({ report }) => !isFine(report)) : all;
  const { urgent, folded, others, healthy } = arranged(rows, quiet ? 'none' : folding);
  const table = { style: await context.style, width, columns: doctorColumns([...urgent, ...others], width) };
  if (!quiet) await context.show(doctorHead(table));
  for (const row of urgent) await context.show(doctorLine(row, table));
  for (const same of folded)
    await context.show(
      doctorFolded(
        same.map(({ report }) => report),
        table,
      ),
    );
  for (const row of others) await context.show(doctorLine(row, table));
  if (healthy.length > 0) await context.show(doctorHealthy(healthy.length, table));
  if (!quiet) await context.show(doctorCounts(rows, width));
}

async function print(context: Context, about: About, report: DoctorReport, isNext: boolean): Promise<void> {
  await context.show(`${isNext ? '\n' : ''}${doctorView(report, await viewOptions(context, about))}`);
}
