import { defined } from '../../base/json/defined.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { Account, EventSpan, SpanStatus } from './account.ts';
import type { Tone } from './state-view.ts';
import type { NoteItem, Story, StoryItem, StoryTurn } from './story.ts';

const TONES: Readonly<Record<SpanStatus, Tone | undefined>> = {
  ok: undefined,
  error: 'bad',
  veto: 'doubtful',
  open: 'muted',
};

/** An event as a note: its type, text and status. */
export function noteOfSpan(title: string, text: string, span: EventSpan, line: number): NoteItem {
  const tone = TONES[span.status ?? 'ok'];
  return defined({ kind: 'note', line, time: span.start, title, tone, text: text || undefined });
}

/** A turn while it is built. */
export interface OpenTurn {
  readonly line: number;
  readonly title: string;
  readonly time: string | undefined;
  readonly items: StoryItem[];
  /** The time of its last event. */
  end: string | undefined;
}

/** The story of a run: its turns in order, with their durations. */
export function storyOf(
  { task, status, tone }: Pick<Account, 'task' | 'status' | 'tone'>,
  turns: readonly OpenTurn[],
): Story {
  const inOrder = turns.map(({ line, title, time, end, items }, index): StoryTurn => {
    const [from, to] = [parseInstant(time ?? ''), parseInstant(end ?? '')];
    const duration = from !== undefined && to !== undefined && to >= from ? to - from : undefined;
    return defined({ turn: index + 1, line, title, time, duration_ms: duration, items });
  });
  return defined({ title: task, status, tone, turns: inOrder });
}
