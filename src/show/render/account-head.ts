import { isObject } from '../../base/json/value.ts';
import { countText } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { callsOfTools, type TimeOfRun } from '../../dialects/kit/account.ts';
import { excerptOfMore } from '../../dialects/kit/excerpt.ts';
import { costText } from '../../dialects/kit/prices.ts';
import {
  type ViewField,
  type ViewSection,
  type ViewText,
  viewFields,
} from '../../dialects/kit/state-view.ts';
import { totalTokens } from '../../dialects/kit/tokens.ts';
import type { RunUsage } from '../../dialects/kit/usage.ts';
import { lacksText, modelText, tokensToShow, totalText } from '../../dialects/kit/usage-words.ts';
import type { NotResumed, PartOfSession, ResumeCommand } from '../../dialects/resume.ts';
import type { LogAccount } from '../../read/describe/gathering.ts';
import { lastedMs } from '../../read/describe/span.ts';
import { isAside } from './kind-name.ts';
import {
  deletesText,
  hasAdvice,
  lacking,
  partText,
  refusedText,
  seeMore,
  seeVerify,
  whereContinued,
} from './resume-words.ts';
import { copiedText } from './story-words.ts';
import { plural } from './tally.ts';
import { timeBar, timeTexts } from './time-of-run.ts';

/** What an account shows in addition to the log. */
export interface AccountFrame {
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
  /** Whether `doctor` examines the log. */
  readonly isExamined?: boolean;
  /** The log that `doctor` or `salvage` made it from. */
  readonly copyOf?: string | undefined;
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

/** The number of event kinds shown; with more, the reason for the end would need scrolling. */
const MOST_KINDS = 16;

type KindCount = readonly [kind: string, count: number];

const sumOf = (counts: readonly KindCount[]): number => counts.reduce((sum, [, count]) => sum + count, 0);

/** How many events there are of each kind. Of a session, records that are not conversation or repeat others are counted last. */
function kindsText({ account, counts }: LogAccount, calls: number): string {
  const main = account?.hasTurns ? counts.filter(([kind]) => !isAside(kind)) : counts;
  const aside = sumOf(counts) - sumOf(main);
  const [named, rest] = [main.slice(0, MOST_KINDS), main.slice(MOST_KINDS)];
  // One record may have several calls, which the table of tools counts.
  const withCalls = (kind: string, count: number) =>
    kind === 'call' && calls > count ? ` (${plural(calls, 'call')} in ${plural(count, 'record')})` : '';
  const texts = named.map(([kind, count]) => `${kind} ${countText(count)}${withCalls(kind, count)}`);
  if (rest.length > 0) texts.push(`${plural(sumOf(rest), 'event')} of ${plural(rest.length, 'more type')}`);
  if (main.length > 0 && aside > 0) texts.push(`and ${plural(aside, 'other record')}`);
  return texts.join(', ');
}

/** The calls in the log itself, if it is known that none of those counted is in the log of a subagent; else 0. */
const ownCalls = ({ account }: LogAccount): number =>
  (account?.agents ?? []).length > 0 ? 0 : callsOfTools(account?.tools ?? []);

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

const notResumedFields = ({ why, isRefused }: NotResumed, more: string): ViewField[] =>
  isRefused
    ? [{ label: 'Resume', text: refusedText(why), tone: 'doubtful' }, seeField(more)]
    : [{ label: 'Resume', text: `no command: ${why}`, tone: 'muted' }];

function resumeFields(resume: ResumeCommand, more: string): ViewField[] {
  const { command, deletes } = resume;
  const where = whereContinued(resume);
  return [
    ...(deletes === undefined
      ? []
      : [{ label: 'Danger', text: deletesText(deletes.logs.length), tone: 'bad' } satisfies ViewField]),
    ...(deletes?.copy ?? []).map((text): ViewField => ({ label: '', text, is_whole: true })),
    { label: 'Resume', text: command, is_whole: true },
    ...lacking(resume).map((text): ViewField => ({ label: '', text, tone: 'doubtful' })),
    ...(hasAdvice(resume) ? [seeField(more)] : []),
    ...(where === undefined ? [] : [{ label: '', text: where, tone: 'muted' } as const]),
  ];
}

/** The title that a session has in `list` and `read`, if it is not the first line of its task. */
function titleOf(account: LogAccount['account']): string | undefined {
  const { facts, task = '' } = account ?? {};
  const title = facts?.['title'];
  return typeof title === 'string' && !task.startsWith(title.replace(/…$/, '')) ? title : undefined;
}

/** The session that a run was forked from, and what was copied from it. */
function originFields(account: LogAccount['account']): (readonly [label: string, text: string])[] {
  const { facts, copied } = account ?? {};
  const { forked_from: origin } = isObject(facts?.['session']) ? facts['session'] : {};
  return [
    ...(typeof origin === 'string' ? [['Fork of', origin] as const] : []),
    ...(copied === undefined
      ? []
      : [['Copied', copiedText(copied.from === origin ? { ...copied, from: 'it' } : copied)] as const]),
  ];
}

/** The total, and what it lacks; empty if the log has no tokens and should not have any. */
function tokensLine({ lacks, ...usage }: Partial<Pick<RunUsage, 'tokens' | 'lacks'>>): string {
  const tokens = tokensToShow({ ...usage, lacks });
  return tokens === undefined || (lacks === undefined && totalTokens(tokens) === 0)
    ? ''
    : [totalText({ tokens, lacks }), lacksText(lacks)].filter((text) => text !== '').join(', ');
}

/** What a run is, when it was, what it used, and how to continue it. */
export function accountHead(
  {
    name,
    target = name,
    dialect,
    integrity,
    hasFindings = false,
    notCompared = [],
    resume,
    notResumed,
    isExamined = false,
    copyOf,
    partOf,
    isAlone = false,
  }: AccountFrame,
  log: LogAccount,
): ViewSection {
  const { account, start, events, usage } = log;
  const started: ViewField[] =
    start === undefined
      ? []
      : [{ label: 'Started', text: new Date(Math.floor(start)).toISOString(), is_time: true }];
  const kinds = kindsText(log, ownCalls(log));
  const model = modelText((usage ?? log).models);
  return {
    fields: [
      ...viewFields([
        ['Run', name, 'name'],
        ['Log', partOf && `${partText(partOf)}${isAlone ? ', which noesis does not find' : ''}`],
        ['Copy of', copyOf && `${copyOf} (this log is a repaired copy)`],
        ['Dialect', model === '' ? dialect : `${dialect}, model ${model}`],
        ['Title', titleOf(account)],
        ['Task', account?.task === undefined ? undefined : excerptOfMore(account.task, account.taskIsCut)],
        ['Status', account?.status, account?.tone],
        ...originFields(account),
      ]),
      ...started,
      ...viewFields([['Lasted', wentOn(log)]]),
      ...lateFields(log),
      ...outlyingFields(log),
      ...(account?.time ? timeFields(account.time) : []),
      ...viewFields([
        ['', account?.time && account.time.lasted_ms > 0 ? timeBar(account.time, BAR) : ''],
        ['Tokens', tokensLine(usage ?? log)],
        ['Cost', usage?.cost && costText(usage.cost)],
      ]),
      { label: 'Events', text: `${countText(events)}${kinds === '' ? '' : `: ${kinds}`}`, is_brief: true },
      { label: 'Integrity', ...integrity },
      ...(hasFindings ? [seeField(seeVerify(target))] : []),
      ...notCompared.map((text): ViewField => ({ label: 'State', text, tone: 'muted' })),
      ...(resume === undefined ? [] : resumeFields(resume, seeMore(target, isExamined))),
      ...(notResumed === undefined ? [] : notResumedFields(notResumed, seeMore(target, isExamined))),
    ],
  };
}
