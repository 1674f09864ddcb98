import { defined } from '../../base/json/defined.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { modelsOf } from '../../dialects/kit/charges.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import {
  type CallItem,
  clockOf,
  type DividerItem,
  pauseOf,
  type Story,
  type StoryItem,
  type StoryTurn,
} from '../../dialects/kit/story.ts';
import type { Lacks } from '../../dialects/kit/tokens.ts';
import { OUTCOME_OF_CALL, type Outcome, outcomeOfTurn } from '../../dialects/sessions/kit/outcome.ts';
import { titleOfPrompt } from '../../dialects/sessions/kit/words-of-person.ts';
import { isoOf } from './span.ts';
import type { Span, TimeRange } from './spans.ts';

/** A turn or a call of a session, or damaged lines in it, for a timeline. */
export interface TimelineRow extends Omit<Span, 'status'> {
  readonly status: Outcome;
  readonly kind: 'turn' | 'call' | 'damaged';
  /** The number of the turn; 0 before the first. */
  readonly turn: number;
  /** Of a turn that was taken out of the conversation. The log still contains it. */
  readonly rolled_back?: true;
  /** Of a call. */
  readonly tool?: string;
  /** The subagent that made a call. */
  readonly agent?: string;
  /** The line of the result of a call, if it is another one. */
  readonly resultLine?: number;
  /** What is missing of a turn. */
  readonly lacks?: Lacks;
}

/** Shorter pauses between turns are drawn. In milliseconds, and as a share of the whole. */
const LEAST_PAUSE_MS = 30_000;
const LEAST_SHARE = 0.05;

/** When something began. What was copied from another session was before the run, or nobody knows when. */
const startOf = ({ time, copied }: Pick<CallItem, 'time' | 'copied'>): string | undefined =>
  copied ? undefined : time;

function turnRow(turn: StoryTurn): TimelineRow {
  const { line, duration_ms: durationMs, waited_ms: waited, items, rolled_back, copied, lacks } = turn;
  const start = startOf(turn);
  const prompt = items.find((item) => item.kind === 'prompt');
  const text = turn.title ?? (prompt?.kind === 'prompt' ? titleOfPrompt(prompt.text) : '');
  return {
    kind: 'turn',
    turn: turn.turn,
    line,
    name: text,
    status: outcomeOfTurn(turn.status),
    ...defined({ rolled_back, copied, start, durationMs, lacks }),
    ...waitOf(start, durationMs, waited),
  };
}

/** The end of something, and how long it waited for a person in addition to its work. */
function waitOf(
  start: string | undefined,
  work: number | undefined,
  waitedMs = 0,
): Pick<Span, 'waitedMs' | 'end'> {
  const from = parseInstant(start ?? '');
  const isEndKnown = from !== undefined && (work !== undefined || waitedMs > 0);
  return {
    ...(isEndKnown && { end: isoOf(from + (work ?? 0) + waitedMs) }),
    ...(waitedMs > 0 && { waitedMs }),
  };
}

function callRow(call: CallItem, turn: number): TimelineRow {
  const { line, tool, input, status, duration_ms: durationMs } = call;
  const { at_least_ms: atLeastMs, at_most_ms: atMostMs } = call;
  const { agent, waited_ms: waited, result_line: resultLine, copied } = call;
  const start = startOf(call);
  return {
    kind: 'call',
    turn,
    line,
    ...(resultLine !== line && defined({ resultLine })),
    name: `${tool} ${firstLine(input)}`.trimEnd(),
    tool,
    ...defined({ agent, copied }),
    status: OUTCOME_OF_CALL[status],
    ...defined({ start, durationMs, atLeastMs, atMostMs }),
    ...waitOf(start, durationMs ?? atMostMs ?? atLeastMs, waited),
  };
}

/** Damaged lines, which have neither a time nor a duration. */
const damagedRow = ({ line, title }: DividerItem, turn: number): TimelineRow => ({
  kind: 'damaged',
  turn,
  line,
  name: title,
  status: 'error',
});

function rowOfItem(item: StoryItem, turn: number): TimelineRow[] {
  if (item.kind === 'call') return [callRow(item, turn)];
  return item.kind === 'divider' && item.damaged !== undefined ? [damagedRow(item, turn)] : [];
}

/** A row for each turn of a session, each of its calls, and where damaged lines are left out. */
export const rowsOfSession = ({ turns }: Pick<Story, 'turns'>): TimelineRow[] =>
  turns.flatMap((turn) => [
    ...(turn.turn === 0 ? [] : [turnRow(turn)]),
    ...turn.items.flatMap((item) => rowOfItem(item, turn.turn)),
  ]);

/** The turns in which each model answered, in order of first use, as far as the log has the tokens of its answers. */
export function turnsByModel({ turns }: Pick<Story, 'turns'>): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { turn, charges } of turns)
    for (const model of turn === 0 ? [] : modelsOf(charges)) {
      const of = found.get(model) ?? [];
      of.push(turn);
      found.set(model, of);
    }
  return found;
}

/** A time between turns, in which nothing happened as far as the log shows. */
export interface Pause extends TimeRange {
  /** The part of it in which the program compacted the conversation. */
  readonly compactedMs?: number;
  /** The part of it about which nobody knows that: a call or a hook may have worked. */
  readonly unknownMs?: number;
  /** The part of it in which the program worked or waited, in the turn before it or in another one. */
  readonly unsureMs?: number;
}

/** The pause before the first turn. What no turn has of the time in which the session was idle was before it. */
function firstPause({ turns, time }: Story, started: number | undefined): Pause[] {
  const to = parseInstant(turns.find(({ turn, copied }) => turn > 0 && !copied)?.time ?? '');
  if (time === undefined || started === undefined || to === undefined) return [];
  const idle = turns.reduce((rest, { idle_ms = 0 }) => rest - idle_ms, time.idle_ms);
  return [{ from: started, to, unknownMs: Math.max(0, to - started - Math.max(0, idle)) }];
}

/** The pauses before, between and after turns that a timeline folds. `started`: when the session began. */
export function pausesOf(story: Story, whole: TimeRange | undefined, started: number | undefined): Pause[] {
  if (whole === undefined) return [];
  const length = whole.to - Math.min(whole.from, started ?? whole.from);
  const least = Math.min(LEAST_PAUSE_MS, length * LEAST_SHARE);
  const pauses = story.turns.flatMap((turn): Pause[] => {
    const { time, compacted_ms: compactedMs = 0, unknown_ms: unknownMs = 0, unsure_ms: unsureMs = 0 } = turn;
    const start = parseInstant(time ?? '');
    if (start === undefined || turn.copied) return [];
    const from = start + clockOf(turn);
    return [{ from, to: from + pauseOf(turn), compactedMs, unknownMs, unsureMs }];
  });
  return [...firstPause(story, started), ...pauses].filter(({ from, to }) => to > from && to - from >= least);
}
