import { plainShellWord } from '../../base/text/shell-word.ts';
import {
  type EndingReason,
  type GroupedReason,
  groupReasons,
  kindInWords,
  reasonText,
} from '../../dialects/kit/account.ts';
import { excerptOfMore } from '../../dialects/kit/excerpt.ts';
import type { ViewField, ViewSection } from '../../dialects/kit/state-view.ts';
import type { LogAccount } from '../../read/describe/gathering.ts';
import { isoOf } from '../../read/describe/span.ts';
import type { AccountFrame } from './account-head.ts';
import { whyGoingOn } from './going-on.ts';
import { hasAdvice } from './resume-words.ts';
import { placeText } from './tally.ts';

/** The last characters of the name of a log, which no other log of the run has. */
const LOG_END = 6;

/** A longer name of a log, such as that of a Codex thread, would need a separate line in a terminal. */
const LONGEST_LOG = 24;

/** The number of failures shown before the end; the last ones. */
const MOST_FAILED = 6;

const endOfLog = (part: string): string => `…${part.slice(-LOG_END)}`;

/** The end of the name of a log, which begins like that of its run, after a line in it. */
export const placeInLog = ({
  line,
  part,
}: {
  readonly line: number;
  readonly part?: string | undefined;
}): string => (part === undefined ? String(line) : `${line} of ${endOfLog(part)}`);

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

/** `isFull`: the whole of a text that `text` only begins. */
function reasonField(reason: EndingReason, isFull: boolean): ViewField {
  const { text, fullText } = reason;
  const place = shortPlace(reason);
  if (isFull && fullText !== undefined)
    return {
      label: kindInWords(reason),
      text: reasonText({ ...reason, text: fullText }),
      tail: ` (${place})`,
      tone: reason.tone,
      has_lines: true,
    };
  const says = reasonText({ ...reason, text: isFull ? text : excerptOfMore(text, fullText !== undefined) });
  // After a sentence, a comma would be a mistake.
  const tail = /[.,:;!?]$/.test(says) ? ` (${place})` : `, ${place}`;
  return { label: kindInWords(reason), text: says, tail, tone: reason.tone };
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

/** Why a run ended, or how far it came, and what failed before. */
export function whyOf(log: LogAccount, target: string, isFull: boolean): ViewSection[] {
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

/** Whether an account has a command that names its run. */
export const namesTarget = (
  log: LogAccount,
  { resume, notResumed }: Pick<AccountFrame, 'resume' | 'notResumed'>,
): boolean => (resume && hasAdvice(resume)) || notResumed?.isRefused === true || lastFailed(log).rest > 0;
