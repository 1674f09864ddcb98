import { atLeast } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { FailedCalls } from '../../dialects/kit/failed-calls.ts';
import { stepCost } from '../../dialects/kit/prices.ts';
import {
  type CallItem,
  clockOf,
  type PartStory,
  type StoryItem,
  type StoryTurn,
} from '../../dialects/kit/story.ts';
import { tokensText, totalTokens } from '../../dialects/kit/tokens.ts';
import { totalText } from '../../dialects/kit/usage.ts';
import { failedAmong, isFailedCall } from '../../dialects/sessions/kit/session.ts';
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
  denied: `${STATUS_MARKS.veto} denied`,
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

/** The items of a turn before its first damaged line. What follows that may belong to another turn. */
function sureItems(items: readonly StoryItem[]): readonly StoryItem[] {
  const damaged = items.findIndex((item) => item.kind === 'divider' && item.damaged !== undefined);
  return damaged < 0 ? items : items.slice(0, damaged);
}

/** The calls of a turn, and those of them that failed. Only the turns of a session lack lines. */
export function callsOfTurn({ items, lacks }: StoryTurn): { readonly calls: number } & FailedCalls {
  const calls = (lacks?.lines === undefined ? items : sureItems(items)).filter(
    (item) => item.kind === 'call',
  );
  return { calls: calls.length, ...failedAmong(calls) };
}

/** The heading of a turn, without its time. */
export const turnTitle = ({ turn, title }: StoryTurn): string =>
  title === undefined ? (turn === 0 ? 'Before the first turn' : `Turn ${turn}`) : escapeText(title);

/** Marks a turn that was taken out of the conversation. */
export const TAKEN_BACK = '(taken back)';

/** Names the further log in which a run continues with a turn; empty if the turn before is in the same log. */
export const logOfTurn = (before: StoryTurn | undefined, { part }: StoryTurn): string =>
  part === undefined || part === before?.part ? '' : `in the further log ${escapeText(part)}`;

/** The end of a turn: its status, duration and usage. */
export function turnFoot(turn: StoryTurn): string {
  const { status, duration_ms: durationMs, waited_ms: waited, tokens, cost, lacks } = turn;
  const isLeast = lacks?.lines !== undefined;
  const { calls, ...failed } = callsOfTurn(turn);
  return [
    status === undefined ? '' : escapeText(status),
    [durationMs === undefined ? '' : atLeast(isLeast, formatDuration(durationMs)), waitedText(waited)]
      .filter((text) => text !== '')
      .join(', '),
    calls === 0 ? '' : withFailed(calls, 'call', failed, isLeast),
    tokens === undefined || totalTokens(tokens) === 0
      ? ''
      : `${totalText({ tokens, lacks })} tokens (${tokensText(tokens)})`,
    escapeText(stepCost(cost)),
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** What a subagent did, in a line: its name, title, result and usage. */
export function partText(part: PartStory): string {
  const { name, title, status, calls, tokens, cost, damaged } = part;
  const lacks = damaged === undefined ? part.lacks : { ...part.lacks, lines: damaged };
  return [
    [name, title].filter((text) => text !== undefined).join(': '),
    status,
    calls === 0 ? '' : withFailed(calls, 'call', part, damaged !== undefined),
    tokens === undefined || totalTokens(tokens) === 0 ? '' : `${totalText({ tokens, lacks })} tokens`,
    stepCost(cost),
    damaged === undefined ? '' : `${plural(damaged, 'damaged line')} left out`,
  ]
    .filter((text) => text !== '')
    .join('; ');
}

/** `46m 10s until the next turn`; empty if the next turn follows at once, or a damaged line may have the end of the turn. */
export function pauseBetween(before: StoryTurn | undefined, { time }: StoryTurn): string {
  const [end, start] = [parseInstant(before?.time ?? ''), parseInstant(time ?? '')];
  if (end === undefined || start === undefined || before?.lacks?.lines !== undefined) return '';
  const pause = start - end - (before ? clockOf(before) : 0);
  return pause < LEAST_PAUSE_MS ? '' : `${formatDuration(pause)} until the next turn`;
}
