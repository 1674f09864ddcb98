import { parseInstant } from '../time/instant.ts';
import type { EventSpan, SpanStatus } from './account.ts';
import type { Tone } from './state-view.ts';
import type { NoteItem, StoryItem, StoryTurn } from './story.ts';

const TONES: Readonly<Record<SpanStatus, Tone | undefined>> = {
  ok: undefined,
  error: 'bad',
  veto: 'doubtful',
  open: 'muted',
};

/** An event as a note: its type, text and status. */
export function noteOfSpan(title: string, text: string, span: EventSpan, line: number): NoteItem {
  const tone = TONES[span.status ?? 'ok'];
  return {
    kind: 'note',
    line,
    ...(span.start !== undefined && { time: span.start }),
    title,
    ...(tone && { tone }),
    ...(text !== '' && { text }),
  };
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

/** Turns in order, with their durations. */
export function turnsOf(turns: readonly OpenTurn[]): StoryTurn[] {
  return turns.map(({ line, title, time, end, items }, index) => {
    const [from, to] = [parseInstant(time ?? ''), parseInstant(end ?? '')];
    return {
      turn: index + 1,
      line,
      title,
      ...(time !== undefined && { time }),
      ...(from !== undefined && to !== undefined && to >= from && { duration_ms: to - from }),
      items,
    };
  });
}
