import { useEffect, useRef } from 'preact/hooks';
import { atLeastCell } from '../../../base/text/count.ts';
import { formatDuration } from '../../../base/time/duration.ts';
import { failedText } from '../../../dialects/kit/failed-calls.ts';
import type { StoryItem } from '../../../dialects/kit/story.ts';
import { titleOfPrompt } from '../../../dialects/sessions/kit/words-of-person.ts';
import { callsOfTurn } from '../../../read/describe/calls-of-turn.ts';
import { plural } from '../../render/tally.ts';
import type { StoryRow, StoryRows } from './story-rows.ts';
import { isDamage, isTrouble } from './story-rows.ts';
import { Text } from './text.tsx';

type TurnRow = Extract<StoryRow, { readonly kind: 'turn' }>;

/** What a turn is about: its title, else the first line of its prompt. */
function titleOf({ turn: { title, turn, items } }: TurnRow): string {
  const prompt = items.find((item) => item.kind === 'prompt' && item.agent === undefined);
  const said = prompt !== undefined && 'text' in prompt ? (prompt.text ?? '').trim() : '';
  const [first = ''] = (title ?? titleOfPrompt(said)).split('\n', 1);
  return first === '' ? (turn === 0 ? 'before the first turn' : 'no text') : first;
}

interface TurnsProps {
  readonly story: StoryRows;
  /** The row of the heading of the current turn. */
  readonly current: number;
  readonly onChoose: (row: number) => void;
}

/** The turns of a run, each a button that leads to it. */
export function StoryTurns({ story, current, onChoose }: TurnsProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const [list, item] = [box.current, box.current?.querySelector('[aria-current]')];
    if (list === null || !item) return;
    const [at, seen] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
    if (at.top < seen.top || at.bottom > seen.bottom)
      list.scrollTop += at.top - seen.top - list.clientHeight / 3;
  }, [current]);
  return (
    <nav class="turns" aria-label="turns" ref={box}>
      <ol>
        {story.rows.map((row, at) => {
          if (row.kind !== 'turn') return null;
          const { turn, duration_ms: took, items, lacks } = row.turn;
          const failed = callsOfTurn(row.turn);
          const damaged = items.reduce(
            (sum, item) => sum + (item.kind === 'divider' ? (item.damaged ?? 0) : 0),
            0,
          );
          const isError = (item: StoryItem) => item.kind !== 'call' && isTrouble(item) && !isDamage(item);
          const errors = items.filter(isError).length;
          return (
            <li key={at}>
              <button
                type="button"
                {...(at === current && { 'aria-current': 'true' as const })}
                onClick={() => onChoose(at)}
              >
                <span class="turn-number">{turn === 0 ? '' : turn}</span>
                <span class="turn-title">
                  <Text text={titleOf(row)} most={120} />
                </span>
                <small>
                  {took === undefined ? '' : atLeastCell(lacks?.lines !== undefined, formatDuration(took))}
                  {failed.failed > 0 && <span class="tone-bad"> {failedText(failed)}</span>}
                  {errors > 0 && <span class="tone-bad"> {plural(errors, 'error')}</span>}
                  {damaged > 0 && <span class="tone-doubtful"> {plural(damaged, 'damaged line')}</span>}
                </small>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
