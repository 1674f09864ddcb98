import { type Command, Option } from 'commander';
import { EventError, isOfTarget, UsageError } from '../src/base/errors.ts';
import { defined } from '../src/base/json/defined.ts';
import { plainShellWord } from '../src/base/text/shell-word.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { targetOfWhole } from '../src/cli/targets/finds-session.ts';
import { dialectOfFile, namedLog, openLog } from '../src/cli/targets/open-log.ts';
import { failIfSkipped, requireEvents, skippedRemarks } from '../src/cli/targets/partial.ts';
import { readLogsOf } from '../src/cli/targets/parts.ts';
import { NEWEST_RUN, streamOption } from '../src/cli/targets/target-options.ts';
import { changedRules, configurationShown, verifiedLog } from '../src/cli/targets/verified-log.ts';
import { repairOf } from '../src/dialects/kit/lines-left-out.ts';
import { folderOfRun, partOfSession } from '../src/dialects/resume.ts';
import { type Episode, logOf, pathOf } from '../src/find/episode.ts';
import { findPrices } from '../src/find/prices.ts';
import { resumeOrWhy } from '../src/find/resume-of-kept.ts';
import { isForDoctor } from '../src/find/stored-form.ts';
import { resolveLog } from '../src/find/target.ts';
import { targetNames } from '../src/find/target-names.ts';
import { notCompared } from '../src/findings/report.ts';
import { accountOfLog, accountWithCost } from '../src/read/describe/account-of-log.ts';
import { lastRefusalIn } from '../src/read/describe/last-refusal.ts';
import { isoOf, lastedMs } from '../src/read/describe/span.ts';
import { tallyOf, verdictText } from '../src/show/render/verdict-text.ts';

/** A run fits on a screen. */
const MOST_LINES = 40;

interface ShowOptions extends GlobalOptions {
  readonly changes?: boolean;
  readonly net?: boolean;
  readonly full?: boolean;
}

export function addShow(program: Command, io: Io): void {
  const command = withExamples(
    program.command('show'),
    ['show latest', 'the newest run on one screen'],
    ['show ep_01KJ 12', 'the event on line 12'],
    ['show latest --changes', 'what the run did to files, as diffs'],
  )
    .description('show what happened in a run and why it ended, or one event')
    .argument('[target]', NEWEST_RUN)
    .argument('[event]', 'an event: its line, its id, or the beginning of its id')
    .addOption(streamOption())
    .option('--changes', 'show what the run did to files')
    .addOption(
      new Option('--net', 'like --changes, with one diff per file: what all edits did together').implies({
        changes: true,
      }),
    )
    .option('--full', 'show everything (default: at most 40 lines)');
  command.action(action(io, runShow));
}

/** The run that a text names; undefined if it names no log, or several. */
async function runNamed(context: Context, text: string): Promise<Episode | undefined> {
  try {
    const found = await resolveLog(text, context.search);
    if (found.kind === 'stdin') return undefined;
    const { episode } = found;
    // A file is only a run if it looks like a log.
    if (episode.packed === undefined) await dialectOfFile(context, logOf(episode), episode);
    return episode;
  } catch (error) {
    if (isOfTarget(error)) return undefined;
    throw error;
  }
}

/** The error about an event that the log does not have. If it is another run, the user wants to compare two. */
async function aboutTwoRuns(
  context: Context,
  error: unknown,
  own: Episode | undefined,
  target: string | undefined,
  event: string,
): Promise<unknown> {
  if (!(error instanceof EventError && error.code === 'event-missing')) return error;
  if (own === undefined || target === undefined) return error;
  const other = await runNamed(context, event);
  if (other === undefined) return error;
  if (pathOf(own) === pathOf(other) && own.run === other.run) return error;
  const [a, b] = [target, event].map((one) => plainShellWord(one));
  return new EventError('event-missing', `${error.message}; it is another run`, {
    hint: `run noesis diff ${a} ${b} to compare the two runs`,
  });
}

async function runShow(
  context: Context,
  target: string | undefined,
  event: string | undefined,
  { changes = false, net = false, full = false }: ShowOptions,
): Promise<void> {
  if (changes && event !== undefined)
    throw new UsageError('usage', '--changes is for the whole run, not for one event');
  await using log = await openLog(context, target);
  const verify = () => verifiedLog(context, log);
  if (event !== undefined) {
    const { showEvent } = await import('./show-event.ts');
    return await showEvent(context, log, event, verify).catch(async (error: unknown) => {
      throw await aboutTwoRuns(context, error, log.episode, target, event);
    });
  }
  if (changes) {
    const { showChanges } = await import('./show-changes.ts');
    return await showChanges(context, log, net);
  }
  const prices = await findPrices(context.search);
  const read = await accountWithCost(
    await accountOfLog(log.path, log.dialect, log.run, undefined, log.parts),
    prices,
  );
  requireEvents(log.label, read);
  const resumed = await resumeOrWhy(context.search, log, read.account?.cwd);
  const resume =
    'command' in resumed
      ? { ...resumed, ...defined({ lastRefusal: lastRefusalIn(read.account?.why) }) }
      : undefined;
  const refused = 'why' in resumed && resumed.isRefused ? resumed.why : undefined;
  // Only programs with sessions have a folder for them.
  const isNamed = refused !== undefined || (full && log.dialect.homes !== undefined);
  const notResumed = isNamed && 'why' in resumed ? resumed : undefined;
  const partOf = partOfSession(log.dialect, log.place ?? log.origin);
  const copyOf = (await repairOf(log.origin))?.source;
  const report = await verify();
  if (context.json) {
    const { account, usage, corruption: _first, skippedInParts: _parts, counts, ...gathered } = read;
    const { start, over, end, ...rest } = gathered;
    const {
      sections: _sections,
      waits: _waits,
      grows: _grows,
      hasTurns: _turns,
      facts,
      ...about
    } = account ?? {};
    const lasted = lastedMs({ start, over, end }, account?.time);
    const { verdict, level, chains } = report ?? {};
    const document = {
      episode: log.name,
      dialect: log.dialect.name,
      verdict,
      level,
      chains,
      ...about,
      ...defined({ cwd: folderOfRun(log.dialect, log, account?.cwd) }),
      ...facts,
      ...usage,
      ...rest,
      counts: Object.fromEntries(counts),
      ...defined({ partOf, copyOf }),
      ...(start !== undefined && { startedAt: isoOf(start) }),
      ...(end !== undefined && { endedAt: isoOf(end) }),
      ...(lasted !== undefined && { durationMs: lasted }),
      ...defined({
        resumeCommand: resume?.command,
        resumeTurns: resume?.turns,
        resumeUnchecked: resume?.unchecked,
        resumeDeletes: resume?.deletes?.logs,
        resumeRefused: refused,
        lastRefusal: resume?.lastRefusal,
      }),
      configuration: await configurationShown(context),
    };
    await context.printJson(document);
    return await failIfSkipped(context, readLogsOf(context, log, read));
  }
  const integrity = verdictText(report, await changedRules(context));
  const { accountView } = await import('../src/show/render/account-view.ts');
  const { namesTarget } = await import('../src/show/render/account-reasons.ts');
  const named = namedLog(log);
  const hasFindings = report === undefined || tallyOf(report) !== '';
  const isNamedAgain = hasFindings || namesTarget(read, { resume, notResumed });
  const frame = {
    name: log.name,
    target: isNamedAgain ? (await targetNames([named], context.search))(named).full : undefined,
    dialect: log.dialect.name,
    integrity,
    hasFindings,
    resume,
    notResumed,
    isExamined: isForDoctor(log.dialect, log.origin),
    partOf,
    copyOf,
    isFull: full,
    isAlone:
      partOf !== undefined && (await targetOfWhole(context.search, partOf.session, log.origin)) === undefined,
  };
  const view = accountView(read, { ...frame, notCompared: report && notCompared(report) });
  const logs = readLogsOf(context, log, read);
  const remarks = await skippedRemarks(logs);
  await (full ? context.showView(view) : context.showShortView(view, MOST_LINES, remarks));
  await failIfSkipped(context, logs, remarks);
}
