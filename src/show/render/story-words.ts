import { atLeast } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { Copied } from '../../dialects/kit/copied.ts';
import type { FileChange } from '../../dialects/kit/file-change.ts';
import { stepCost } from '../../dialects/kit/prices.ts';
import {
  type CallItem,
  clockOf,
  type NoteItem,
  type PartStory,
  pauseOf,
  type StoryTurn,
  statusInWords,
} from '../../dialects/kit/story.ts';
import { tokensText, totalTokens } from '../../dialects/kit/tokens.ts';
import { lacksCalls, totalText } from '../../dialects/kit/usage-words.ts';
import { callStatusInWords, isFailedCall } from '../../dialects/sessions/kit/session.ts';
import { callsOfTurn } from '../../read/describe/calls-of-turn.ts';
import type { Pause } from '../../read/describe/session-timeline.ts';
import type { TimeRange } from '../../read/describe/spans.ts';
import { escapeText } from './escape.ts';
import { STATUS_MARKS } from './status-marks.ts';
import { plural, withFailed } from './tally.ts';
import { waitedText } from './waits.ts';

// Words that the terminal and the page share, escaped.

/** In milliseconds. Shorter pauses between turns are not shown. */
const LEAST_PAUSE_MS = 60_000;

/** The results of calls, with the marks of a timeline. */
const STATUS_TEXTS: Readonly<Record<CallItem['status'], string>> = {
  ok: '✓',
  error: STATUS_MARKS.error,
  denied: `${STATUS_MARKS.veto} ${callStatusInWords('denied')}`,
  interrupted: `${STATUS_MARKS.veto} interrupted`,
  'no result': `${STATUS_MARKS.error} no result`,
  open: `${STATUS_MARKS.open} no result`,
  unknown: `${STATUS_MARKS.unknown} result not known`,
};

/** Whether to show the exit code of a call. Some programs count a call as succeeded although its command failed. */
export const hasExitCode = (call: CallItem): boolean =>
  call.exit_code !== undefined && (isFailedCall(call) || call.exit_code !== 0);

/** The result of a call, with the exit code of a command that failed. */
export const resultOf = (call: CallItem): string =>
  STATUS_TEXTS[call.status] + (hasExitCode(call) ? ` exit ${call.exit_code}` : '');

/** The path of a changed file, and where the file came from or that it is gone. Not escaped. */
export const changedPath = ({ path, kind, moved_from: from }: FileChange): string =>
  from !== undefined ? `${path}, moved from ${from}` : kind === 'delete' ? `${path}, deleted` : path;

/** The heading of a turn, without its time. */
export const turnTitle = ({ turn, title }: StoryTurn): string =>
  title === undefined ? (turn === 0 ? 'Before the first turn' : `Turn ${turn}`) : escapeText(title);

/** Marks a turn that was taken out of the conversation, or that was copied from another session; empty for others. */
export const turnMark = ({ rolled_back, copied }: Pick<StoryTurn, 'rolled_back' | 'copied'>): string =>
  [rolled_back ? '(taken back)' : '', copied ? '(copied)' : ''].filter((mark) => mark !== '').join(' ');

/** `3 turns and 10 calls`. */
export const copiedCounts = ({ turns, calls }: Copied): string =>
  [...(turns > 0 ? [plural(turns, 'turn')] : []), ...(calls > 0 ? [plural(calls, 'call')] : [])].join(
    ' and ',
  );

/** `3 turns and 10 calls from ID, not counted here (lines 2 to 93)`. */
export function copiedText(copied: Copied): string {
  const { from = 'another session' } = copied;
  const [first, last] = copied.lines;
  const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`;
  return `${copiedCounts(copied)} from ${from}, not counted here (${lines})`;
}

/** Names the further log in which a run continues with a turn; empty if the turn before is in the same log. */
export const logOfTurn = (before: StoryTurn | undefined, { part }: StoryTurn): string =>
  part === undefined || part === before?.part ? '' : `in the further log ${escapeText(part)}`;

/** The end of a turn: its status, duration and usage. */
export function turnFoot(turn: StoryTurn): string {
  const { duration_ms: durationMs, waited_ms: waited, tokens, cost, lacks } = turn;
  const status = statusInWords(turn);
  const isLeast = lacks?.lines !== undefined;
  const { calls, ...failed } = callsOfTurn(turn);
  return [
    status === undefined ? '' : escapeText(status),
    [durationMs === undefined ? '' : atLeast(isLeast, formatDuration(durationMs)), waitedText(waited)]
      .filter((text) => text !== '')
      .join(', '),
    calls === 0 ? '' : withFailed(calls, 'call', failed, lacksCalls(lacks)),
    tokens === undefined || totalTokens(tokens) === 0
      ? ''
      : `${totalText({ tokens, lacks })} tokens (${tokensText(tokens)})`,
    escapeText(stepCost(cost)),
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** In characters: a longer id is cut. Commands accept an id that ends with `…`. */
const LONGEST_ID = 24;
const SHORT_ID = 18;

const shortName = (name: string): string => (name.length > LONGEST_ID ? `${name.slice(0, SHORT_ID)}…` : name);

/** What a subagent did, in a line: its title and name, result and usage. */
export function partText(part: PartStory): string {
  const { name, log, title, status, calls, tokens, cost, damaged } = part;
  const lacks = damaged === undefined ? part.lacks : { ...part.lacks, lines: damaged };
  return [
    // Only the name of a log is of use to a reader.
    title === undefined ? name : log === undefined ? title : `${title}, ${shortName(name)}`,
    status,
    calls === 0 ? '' : withFailed(calls, 'call', part, damaged !== undefined),
    tokens === undefined || totalTokens(tokens) === 0 ? '' : `${totalText({ tokens, lacks })} tokens`,
    stepCost(cost),
    damaged === undefined ? '' : `${plural(damaged, 'damaged line')} left out`,
  ]
    .filter((text) => text !== '')
    .join('; ');
}

/** The text of a note without its title: that of a record may begin with its type, as in the table of events. */
export function noteText({ title, tone, text = '' }: NoteItem): string {
  if (tone !== 'muted' || !text.startsWith(title)) return text;
  const rest = text.slice(title.length);
  return rest === '' || rest.startsWith(' ') ? rest.trimStart() : text;
}

/** In milliseconds: a shorter part of a pause that is not idle is not named. */
const LEAST_PART = 1000;

/** The parts of a pause that are not known to be idle. */
type PauseParts = { readonly [Part in Exclude<keyof Pause, keyof TimeRange>]?: Pause[Part] | undefined };

/**
 * `4m 57s idle`, `18.7 s idle, 20.0 s compaction`, `1m 02s idle, 20.0 s unknown`, `9.36 s unknown, 4.00 s that may be of the
 * turn above`. `rest` names the time outside the parts.
 */
export function pauseText(
  whole: number,
  { compactedMs = 0, unknownMs = 0, unsureMs = 0 }: PauseParts,
  rest = 'idle',
): string {
  const parts = [
    { name: 'compaction', length: compactedMs },
    { name: 'unknown', length: unknownMs },
    { name: 'that may be of the turn above', length: unsureMs },
  ].filter(({ length }) => length > 0 && (length === whole || length >= LEAST_PART));
  const left = parts.reduce((sum, { length }) => sum - length, whole);
  return [{ name: rest, length: left }, ...parts]
    .filter(({ length }) => length > 0)
    .map(({ name, length }) => `${formatDuration(length)} ${name}`)
    .join(', ');
}

/** `46m 10s idle` between turns, as a timeline says it; empty if the next turn follows at once. */
export function pauseBetween(before: StoryTurn | undefined, { time }: StoryTurn): string {
  const [end, start] = [parseInstant(before?.time ?? ''), parseInstant(time ?? '')];
  if (before === undefined || end === undefined || start === undefined) return '';
  const { compacted_ms: compactedMs, unknown_ms: unknownMs, unsure_ms: unsureMs, lacks } = before;
  // A damaged line may have the end of the turn. Only some formats say then what is known of the time.
  const isKnown = lacks?.lines === undefined || pauseOf(before) > 0;
  const pause = isKnown ? start - end - clockOf(before) : 0;
  return pause < LEAST_PAUSE_MS ? '' : pauseText(pause, { compactedMs, unknownMs, unsureMs });
}
