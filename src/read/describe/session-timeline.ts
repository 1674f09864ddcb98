import { parseInstant } from '../../base/time/instant.ts';
import type { SpanStatus } from '../../dialects/kit/account.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import { type CallItem, clockOf, type Story, type StoryTurn } from '../../dialects/kit/story.ts';
import type { Span, TimeRange } from './spans.ts';

/** A turn or a call of a session, for a timeline. */
export interface TimelineRow extends Span {
  /** 0: a turn; 1: a call; 2: a call of a subagent. */
  readonly depth: 0 | 1 | 2;
}

/** Shorter pauses between turns are drawn. In milliseconds, and as a share of the whole. */
const LEAST_PAUSE_MS = 30_000;
const LEAST_SHARE = 0.05;

const CALL_STATUS: Readonly<Record<CallItem['status'], SpanStatus>> = {
  ok: 'ok',
  error: 'error',
  denied: 'veto',
  interrupted: 'veto',
  'no result': 'error',
  open: 'open',
};

function statusOfTurn({ tone, status }: StoryTurn): SpanStatus {
  if (status === 'open') return 'open';
  return tone === 'bad' ? 'error' : tone === 'doubtful' ? 'veto' : 'ok';
}

function turnRow(turn: StoryTurn): TimelineRow {
  const { line, time: start, duration_ms: durationMs, waited_ms: waited, items } = turn;
  const prompt = items.find((item) => item.kind === 'prompt');
  const text = turn.title ?? (prompt?.kind === 'prompt' ? firstLine(prompt.text) : '');
  return {
    line,
    depth: 0,
    name: `${turn.turn}. ${text}`,
    status: statusOfTurn(turn),
    ...(start !== undefined && { start }),
    ...(durationMs !== undefined && { durationMs }),
    ...endOf(start, durationMs, waited),
  };
}

/** The end of something that waited for a person in addition to its work. */
function endOf(start: string | undefined, work = 0, waited = 0): { readonly end?: string } {
  const from = parseInstant(start ?? '');
  return from === undefined || waited === 0 ? {} : { end: new Date(from + work + waited).toISOString() };
}

function callRow(call: CallItem): TimelineRow {
  const { line, time: start, tool, input, status, duration_ms: durationMs, at_most_ms: atMostMs } = call;
  const { agent, waited_ms: waited } = call;
  return {
    line,
    depth: agent === undefined ? 1 : 2,
    name: `${tool} ${firstLine(input)}`.trimEnd(),
    status: CALL_STATUS[status],
    ...(start !== undefined && { start }),
    ...(durationMs !== undefined && { durationMs }),
    ...(atMostMs !== undefined && { atMostMs }),
    ...endOf(start, durationMs ?? atMostMs, waited),
  };
}

/** A row for each turn of a session and each of its calls. */
export const rowsOfSession = ({ turns }: Story): TimelineRow[] =>
  turns.flatMap((turn) => [
    ...(turn.turn === 0 ? [] : [turnRow(turn)]),
    ...turn.items.flatMap((item) => (item.kind === 'call' ? [callRow(item)] : [])),
  ]);

/** The pauses between turns, and after the last one, that a timeline folds. */
export function pausesOf({ turns }: Story, whole: TimeRange | undefined): TimeRange[] {
  if (whole === undefined) return [];
  const least = Math.min(LEAST_PAUSE_MS, (whole.to - whole.from) * LEAST_SHARE);
  return turns.flatMap((turn) => {
    const { time, idle_ms: idle = 0 } = turn;
    const start = parseInstant(time ?? '');
    if (start === undefined || idle < least || idle === 0) return [];
    const from = start + clockOf(turn);
    return [{ from, to: from + idle }];
  });
}
