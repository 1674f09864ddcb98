import { atLeastCell, countText } from '../../base/text/count.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import { formatDuration } from '../../base/time/duration.ts';
import {
  type AccountStep,
  type EndingReason,
  type GroupedReason,
  groupReasons,
  reasonText,
  type TimeOfRun,
} from '../../dialects/kit/account.ts';
import { agentsSection } from '../../dialects/kit/agents-section.ts';
import { excerptOf, firstLine, withEllipsis } from '../../dialects/kit/excerpt.ts';
import { filesSection } from '../../dialects/kit/files-section.ts';
import { costText, stepCost } from '../../dialects/kit/prices.ts';
import {
  type StateView,
  type Tone,
  tableSection,
  type ViewField,
  type ViewSection,
  type ViewText,
  viewCell,
  viewFields,
} from '../../dialects/kit/state-view.ts';
import { byTurnText, type Tokens, tokensText, totalTokens } from '../../dialects/kit/tokens.ts';
import { lacksText, lostText, modelText, type RunUsage, totalText } from '../../dialects/kit/usage.ts';
import type { NotResumed, PartOfSession, ResumeCommand } from '../../dialects/resume.ts';
import type { LogAccount } from '../../read/describe/gathering.ts';
import { isoOf, lastedMs } from '../../read/describe/span.ts';
import { whyGoingOn } from './going-on.ts';
import { kindName } from './kind-name.ts';
import {
  deletesText,
  lacking,
  partText,
  refusedText,
  seeDoctor,
  seeVerify,
  whereContinued,
} from './resume-words.ts';
import { TAKEN_BACK } from './story-words.ts';
import { placeText, plural, withFailed } from './tally.ts';
import { timeBar, timeTexts } from './time-of-run.ts';
import { lostIn, toolsOf } from './tools-section.ts';
import { untimedText, waitedText } from './waits.ts';

/** What an account shows in addition to the log. */
interface AccountFrame {
  readonly name: string;
  /** A name by which commands find the run; the name by default. */
  readonly target?: string | undefined;
  readonly dialect: string;
  /** The verification result in a line, or why there is none. */
  readonly integrity: ViewText;
  /** `verify` says more about it. */
  readonly hasFindings?: boolean | undefined;
  /** The command that continues a session, if its program would find it. */
  readonly resume?: ResumeCommand | undefined;
  /** Why there is no such command, if that is to be shown. */
  readonly notResumed?: NotResumed | undefined;
  /** The session that the log is a part of. */
  readonly partOf?: PartOfSession | undefined;
  /** That session is not found. */
  readonly isAlone?: boolean;
  /** Parts of the stored state that were not compared with the log. */
  readonly notCompared?: readonly string[] | undefined;
  /** Texts of the log are shown as a whole. */
  readonly isFull?: boolean;
}

/** The columns of the bar of the time. */
const BAR = 60;

/** The last characters of the name of a log, which no other log of the run has. */
const LOG_END = 6;

/** A longer name of a log, such as that of a Codex thread, would need a separate line in a terminal. */
const LONGEST_LOG = 24;

/** The number of failures shown before the end; the last ones. */
const MOST_FAILED = 6;

/** The number of event kinds shown; with more, the reason for the end would need scrolling. */
const MOST_KINDS = 16;

function kindsText(counts: readonly (readonly [kind: string, count: number])[]): string {
  const [named, rest] = [counts.slice(0, MOST_KINDS), counts.slice(MOST_KINDS)];
  const texts = named.map(([kind, count]) => `${kindName(kind)} ${count}`);
  const others = rest.reduce((sum, [, count]) => sum + count, 0);
  if (rest.length > 0) texts.push(`${plural(others, 'event')} of ${plural(rest.length, 'more type')}`);
  return texts.join(', ');
}

function wentOn({ account, start, over, end, events }: LogAccount): string {
  const lasted = lastedMs({ start, over, end }, account?.time);
  if (lasted !== undefined) return formatDuration(lasted);
  if (events < 2) return '';
  return `unknown, because ${start === undefined ? 'no event has a time' : 'only one event has a time'}`;
}

/** Events may follow the end of a run at once. Later ones have other clocks, or were added by hand. */
const LATE_MS = 3_600_000;

/** How long after its end the last event of a run was written, if that was not at once. */
function lateFields({ over, end }: LogAccount): ViewField[] {
  if (over === undefined || end === undefined || end - over < LATE_MS) return [];
  const text = `the last event is ${formatDuration(end - over)} after the end of the run`;
  return [{ label: '', text, tone: 'doubtful' }];
}

/** Times that would make the start or the duration of a run untrue. */
const outlyingFields = ({ outlying = [] }: LogAccount): ViewField[] =>
  outlying.map(({ line, beforeMs, afterMs }) => ({
    label: '',
    text:
      beforeMs === undefined
        ? `line ${line} is stamped ${formatDuration(afterMs ?? 0)} after the last event`
        : `line ${line} is stamped ${formatDuration(beforeMs)} before the first event`,
    tone: 'doubtful',
  }));

/** Where the time went. The marks of the bar stay next to their words. */
function timeFields(time: TimeOfRun): ViewField[] {
  const parts = timeTexts(time);
  return parts.length === 0 ? [] : [{ label: 'Time', text: parts.join(' '), parts }];
}

const seeField = (text: string): ViewField => ({
  label: '',
  text,
  tone: 'doubtful',
  is_whole: true,
});

const notResumedFields = ({ why, isRefused }: NotResumed, target: string): ViewField[] =>
  isRefused
    ? [{ label: 'Resume', text: refusedText(why), tone: 'doubtful' }, seeField(seeDoctor(target))]
    : [{ label: 'Resume', text: `no command: ${why}`, tone: 'muted' }];

function resumeFields(resume: ResumeCommand, target: string): ViewField[] {
  const { command, deletes } = resume;
  const where = whereContinued(resume);
  return [
    ...(deletes === undefined
      ? []
      : [{ label: 'Danger', text: deletesText(deletes.logs.length), tone: 'bad' } satisfies ViewField]),
    ...(deletes?.copy ?? []).map((text): ViewField => ({ label: '', text, is_whole: true })),
    { label: 'Resume', text: command, is_whole: true },
    ...lacking(resume).map((text): ViewField => ({ label: '', text, tone: 'doubtful' })),
    ...(resume.lacks === undefined ? [] : [seeField(seeDoctor(target))]),
    ...(where === undefined ? [] : [{ label: '', text: where, tone: 'muted' } as const]),
  ];
}

/** The title that a session has in `list` and `read`, if it is not the first line of its task. */
function titleOf(account: LogAccount['account']): string | undefined {
  const { facts, task = '' } = account ?? {};
  const title = facts?.['title'];
  return typeof title === 'string' && !task.startsWith(title.replace(/…$/, '')) ? title : undefined;
}

function head(
  {
    name,
    target = name,
    dialect,
    integrity,
    hasFindings = false,
    notCompared = [],
    resume,
    notResumed,
    partOf,
    isAlone = false,
  }: AccountFrame,
  log: LogAccount,
): ViewSection {
  const { account, start, events, counts, usage } = log;
  const started: ViewField[] =
    start === undefined
      ? []
      : [{ label: 'Started', text: new Date(Math.floor(start)).toISOString(), is_time: true }];
  const kinds = kindsText(counts);
  const model = modelText(usage?.models);
  return {
    fields: [
      ...viewFields([
        ['Run', name, 'name'],
        ['Log', partOf && `${partText(partOf)}${isAlone ? ', which noesis does not find' : ''}`],
        ['Dialect', model === '' ? dialect : `${dialect}, model ${model}`],
        ['Title', titleOf(account)],
        ['Task', account?.task === undefined ? undefined : cutText(account.task, account.taskIsCut)],
        ['Status', account?.status, account?.tone],
      ]),
      ...started,
      ...viewFields([['Lasted', wentOn(log)]]),
      ...lateFields(log),
      ...outlyingFields(log),
      ...(account?.time ? timeFields(account.time) : []),
      ...viewFields([
        ['', account?.time && account.time.lasted_ms > 0 ? timeBar(account.time, BAR) : ''],
        ['Tokens', usage && tokensLine(usage)],
        ['Cost', usage?.cost && costText(usage.cost)],
        ['Events', `${events}${kinds === '' ? '' : `: ${kinds}`}`],
      ]),
      { label: 'Integrity', ...integrity },
      ...(hasFindings ? [seeField(seeVerify(target))] : []),
      ...notCompared.map((text): ViewField => ({ label: 'State', text, tone: 'muted' })),
      ...(resume === undefined ? [] : resumeFields(resume, target)),
      ...(notResumed === undefined ? [] : notResumedFields(notResumed, target)),
    ],
  };
}

/** How far a run has come that has not ended, or may not have. */
function progressOf(log: LogAccount): Pick<ViewSection, 'fields' | 'lines'> {
  const { account, last, start, end = start, skipped } = log;
  // With several runs there is no single last event.
  if (account?.isOver === true || account?.isMany) return {};
  const saying = (text: string) => [{ text, tone: 'muted' as const }];
  if (last === undefined && skipped !== undefined)
    return { lines: saying('unknown: no line of the log is an intact event') };
  if (last === undefined) return { lines: saying('it has not begun: the log has no event') };
  const says = whyGoingOn(account);
  const place = shortPlace(last);
  if (end === undefined) {
    const where = last.name === '' ? `is on ${place}` : `is ${last.name}, ${place}`;
    return { lines: saying(`${says}; its last event ${where}`) };
  }
  const time: ViewField = {
    label: 'last event',
    text: isoOf(end),
    tail: `, ${last.name === '' ? '' : `${last.name}, `}${place}`,
    is_time: true,
    tone: 'muted',
  };
  return { fields: [time], lines: saying(says) };
}

/** The place of an event, with the end of the name of its log if that is long. */
const shortPlace = ({ part, ...place }: Parameters<typeof placeText>[0]): string =>
  `line ${placeText({ ...place, part: part !== undefined && part.length > LONGEST_LOG ? endOfLog(part) : part })}`;

/** An excerpt of a text that may stand for a longer one. */
const cutText = (text: string, isCut = false): string =>
  isCut ? withEllipsis(excerptOf(text)) : excerptOf(text);

/** `isFull`: the whole of a text that `text` only begins. */
function reasonField(reason: EndingReason, isFull: boolean): ViewField {
  const { text, fullText } = reason;
  const place = shortPlace(reason);
  if (isFull && fullText !== undefined)
    return {
      label: reason.kind,
      text: reasonText({ ...reason, text: fullText }),
      tail: ` (${place})`,
      tone: reason.tone,
      has_lines: true,
    };
  const says = reasonText({ ...reason, text: isFull ? text : cutText(text, fullText !== undefined) });
  // After a sentence, a comma would be a mistake.
  const tail = /[.,:;!?]$/.test(says) ? ` (${place})` : `, ${place}`;
  return { label: reason.kind, text: says, tail, tone: reason.tone };
}

function groupField({ reason, lines }: GroupedReason, isFull: boolean): ViewField {
  const field = reasonField(reason, isFull);
  return lines.length < 2 ? field : { ...field, text: `${lines.length} times, last ${field.text}` };
}

/** The last failures before the end, and the number of those that are not shown. */
function lastFailed({ account, moreFailed }: LogAccount) {
  const { onTheWay = [] } = account ?? {};
  const shown = groupReasons(onTheWay).slice(-MOST_FAILED);
  const rest = onTheWay.length - shown.reduce((sum, { lines }) => sum + lines.length, 0) + moreFailed;
  return { shown, rest };
}

function failedOf(log: LogAccount, target: string, isFull: boolean): ViewSection[] {
  const { shown, rest } = lastFailed(log);
  if (shown.length === 0) return [];
  const command = `noesis events ${plainShellWord(target)} --failed`;
  const fields = shown.map((group): ViewField => ({ ...groupField(group, isFull), is_brief: true }));
  const more = { text: `and ${rest} more before: ${command}`, tone: 'muted' } as const;
  return [{ title: 'On the way', fields, ...(rest > 0 && { lines: [more] }) }];
}

function whyOf(log: LogAccount, target: string, isFull: boolean): ViewSection[] {
  const { why = [], isOver } = log.account ?? {};
  const { fields = [], lines = [] } = progressOf(log);
  const title = isOver === true ? 'Why it ended' : 'So far';
  const ended = why.map((reason) => reasonField(reason, isFull));
  return [
    ...(why.length + fields.length + lines.length === 0
      ? []
      : [{ title, fields: [...ended, ...fields], ...(lines.length > 0 && { lines }) }]),
    ...failedOf(log, target, isFull),
  ];
}

const endOfLog = (part: string): string => `…${part.slice(-LOG_END)}`;

/** The end of the name of a log, which begins like that of its run, after a line in it. */
const placeInLog = ({ line, part }: { readonly line: number; readonly part?: string | undefined }): string =>
  part === undefined ? String(line) : `${line} of ${endOfLog(part)}`;

/** Whether an account has a command that names its run. */
export const namesTarget = (
  log: LogAccount,
  { resume, notResumed }: Pick<AccountFrame, 'resume' | 'notResumed'>,
): boolean => resume?.lacks !== undefined || notResumed?.isRefused === true || lastFailed(log).rest > 0;

const duration = (ms: number | undefined, isLeast = false): ViewText => ({
  text: ms === undefined ? '' : atLeastCell(isLeast, formatDuration(ms)),
  tone: 'muted',
});

/** ` (3 calls, 1 failed)`, after the prompt of a turn. */
const callsOf = ({ calls = 0, failed = 0, lacks, ...step }: AccountStep): string =>
  calls === 0 ? '' : ` (${withFailed(calls, 'call', { ...step, failed }, lacks?.lines !== undefined)})`;

/** Before the prompt of a turn: what is wrong with it. With damaged lines, its calls may belong to a turn whose prompt is lost. */
const flawsOf = ({ rolled_back: isTakenBack, lacks }: AccountStep): string =>
  `${isTakenBack ? `${TAKEN_BACK} ` : ''}${lacks?.lines === undefined ? '' : `(${plural(lacks.lines, 'damaged line')}) `}`;

/** What the steps of a run used: their cost if one is known, else their tokens. */
type Used = 'COST' | 'TOKENS';

const usedIn = (step: AccountStep, used: Used): string => {
  if (used === 'COST') return stepCost(step.cost);
  const { tokens, lacks } = step;
  if (tokens === undefined) return '';
  return tokens === 0 && lacks !== undefined
    ? 'unknown'
    : atLeastCell(lacks !== undefined, countText(tokens));
};

const stepRow = (step: AccountStep, used: Used | undefined): ViewText[] => [
  viewCell(step.line === undefined ? '' : placeInLog({ line: step.line, part: step.part }), 'muted'),
  viewCell(step.id),
  viewCell(step.status, step.tone),
  duration(step.durationMs, step.lacks?.lines !== undefined),
  ...(used === undefined ? [] : [viewCell(usedIn(step, used), 'muted')]),
  viewCell(`${flawsOf(step)}${step.text}${callsOf(step)}`),
];

function stepsOf(steps: readonly AccountStep[]): ViewSection[] {
  const used = (['COST', 'TOKENS'] as const).find((name) => steps.some((step) => usedIn(step, name) !== ''));
  const columns = ['LINE', 'ID', 'STATUS', 'TOOK', ...(used === undefined ? [] : [used]), 'WHAT'];
  const rows = steps.map((step) => stepRow(step, used));
  return tableSection('Steps', columns, rows).map(({ table, ...section }) => ({
    ...section,
    ...(table && { table: { ...table, keeps_last: true } }),
  }));
}

/** The slowest calls by what they did; in other runs the slowest events. */
function slowestOf({ slowest, account }: LogAccount): ViewSection[] {
  const calls = account?.time?.slowest.map(
    ({ line, part, tool, input, took_ms: durationMs, waited_ms: waitedMs }) => ({
      line,
      part,
      name: `${tool}  ${firstLine(input)}`.trimEnd(),
      durationMs,
      waitedMs,
    }),
  );
  const rows = (calls ?? slowest).map(({ line, part, name, durationMs, waitedMs }) => [
    viewCell(placeInLog({ line, part }), 'muted' satisfies Tone),
    duration(durationMs),
    viewCell([name, waitedText(waitedMs)].filter((text) => text !== '').join(', ')),
  ]);
  const untimed = (account?.tools ?? []).reduce((sum, tool) => sum + (tool.untimed ?? 0), 0);
  return tableSection('Slowest', ['LINE', 'TOOK', 'EVENT'], rows).map((section) =>
    untimed === 0 ? section : { ...section, lines: [{ text: untimedText(untimed), tone: 'muted' }] },
  );
}

/** A run at a glance: its task, how it ended and why, its steps, what took longest. */
export function accountView(log: LogAccount, frame: AccountFrame): StateView {
  const { account, usage } = log;
  return [
    head(frame, log),
    ...whyOf(log, frame.target ?? frame.name, frame.isFull ?? false),
    ...stepsOf(account?.steps ?? []),
    ...toolsOf(account ?? {}, lostText(lostIn(log))),
    ...agentsSection(account?.agents ?? []),
    ...filesSection(account?.files ?? [], lostText(lostIn(log))),
    ...(account?.sections ?? []),
    ...(usage === undefined ? [] : [tokensSection(usage)]),
    ...slowestOf(log),
  ];
}

const count = (tokens: Tokens): string => countText(totalTokens(tokens));

/** The total, and what it lacks; empty if the log has no tokens and should not have any. */
const tokensLine = (usage: RunUsage): string =>
  usage.lacks === undefined && totalTokens(usage.tokens) === 0
    ? ''
    : [totalText(usage), lacksText(usage.lacks)].filter((text) => text !== '').join(', ');

/** The token count, and the sum over all records if it differs. */
function tokensSection(usage: RunUsage): ViewSection {
  const { cost, models, days, recorded_tokens, subagents, parts: further } = usage;
  const repeated =
    recorded_tokens === undefined
      ? ''
      : ` (repeated records counted once; with them ${countText(recorded_tokens)})`;
  const byModel = Object.entries(models).map(([model, { answers, tokens: used, cost: its }]) => {
    const parts = [answers === 0 ? '' : `answers ${answers}`, tokensText(used), stepCost(its)];
    return [model, parts.filter((text) => text !== '').join(', ')] as const;
  });
  const byDay = Object.entries(days).map(([day, used]) => [day, tokensText(used)] as const);
  const below = (used: RunUsage['parts']) =>
    used &&
    [`${count(used.tokens)} of the total`, `in ${plural(used.logs, 'log')}`, stepCost(used.cost)]
      .filter((part) => part !== '')
      .join(', ');
  return {
    title: 'Tokens',
    fields: viewFields([
      ['total', `${totalText(usage)}${repeated}${byTurnText(usage)}`],
      ['subagents', below(subagents)],
      ['further logs', below(further)],
      ['cost', cost && costText(cost)],
      ...byModel,
      ...(byDay.length < 2 ? [] : byDay),
    ]),
  };
}
