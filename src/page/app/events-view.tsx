import { useEffect, useMemo, useState } from 'preact/hooks';
import type { WordColumn } from '../document.ts';
import { type Choice, type Episode, EVERYTHING } from './episode.ts';
import { EventList } from './event-list.tsx';
import { useKeys } from './keys.ts';
import type { Go } from './place.ts';
import { placeIn } from './sorted.ts';

/** In milliseconds: after this pause, typing counts as finished. */
const TYPING = 120;

export interface ViewProps {
  readonly episode: Episode;
  /** The row that is chosen; -1 for none. */
  readonly row: number;
  readonly go: Go;
}

interface PickProps {
  readonly label: string;
  readonly column: WordColumn;
  readonly value: string;
  readonly onPick: (word: string) => void;
}

/** Selects a word of a column; hidden if there is no choice. */
function Pick({ label, column, value, onPick }: PickProps) {
  const words = useMemo(() => [...column.words].sort(), [column]);
  if (words.length < 2) return null;
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
      <option value="">every {label}</option>
      {words.map((word) => (
        <option key={word} value={word}>
          {word.slice(0, 80)}
        </option>
      ))}
    </select>
  );
}

const ONLY: readonly (readonly [Choice['only'], string])[] = [
  ['', 'every status'],
  ['trouble', 'all but ok'],
  ['error', 'errors'],
  ['veto', 'vetoes'],
  ['finding', 'with findings'],
];

/** The list of events, with search and filters. */
export function EventsView({ episode, row, go }: ViewProps) {
  const { table } = episode;
  const [typed, type] = useState('');
  const [choice, choose] = useState(EVERYTHING);
  const set = (part: Partial<Choice>) => choose({ ...choice, ...part });
  useEffect(() => {
    const timer = setTimeout(() => choose((before) => ({ ...before, text: typed })), TYPING);
    return () => clearTimeout(timer);
  }, [typed]);
  const rows = useMemo(() => episode.choose(choice), [episode, choice]);

  const step = (by: number) => {
    const at = placeIn(rows, row);
    const isThere = rows[at] === row;
    const next = row < 0 ? Math.max(0, by - 1) : isThere ? at + by : by > 0 ? at : at - 1;
    const to = rows[Math.max(0, Math.min(rows.length - 1, next))];
    if (to !== undefined) go({ line: table.line[to] });
  };
  useKeys({
    ArrowDown: () => step(1),
    j: () => step(1),
    ArrowUp: () => step(-1),
    k: () => step(-1),
    PageDown: () => step(20),
    PageUp: () => step(-20),
    Home: () => step(-rows.length),
    End: () => step(rows.length),
    '/': () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
  });

  return (
    <div class="events">
      <search class="filters">
        <input
          type="search"
          aria-label="search the stored events"
          placeholder="Search  /"
          value={typed}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) =>
            (key === 'Escape' || key === 'Enter') && currentTarget.blur()
          }
        />
        <Pick label="phase" column={table.phase} value={choice.phase} onPick={(phase) => set({ phase })} />
        <Pick label="type" column={table.type} value={choice.type} onPick={(word) => set({ type: word })} />
        <Pick label="agent" column={table.agent} value={choice.agent} onPick={(agent) => set({ agent })} />
        <select
          aria-label="status"
          value={choice.only}
          onChange={({ currentTarget: { value } }) =>
            set({ only: ONLY.find(([word]) => word === value)?.[0] ?? '' })
          }
        >
          {ONLY.map(([word, text]) => (
            <option key={word} value={word}>
              {text}
            </option>
          ))}
        </select>
        <output>
          {rows.length === episode.count
            ? `${rows.length.toLocaleString('en')} events`
            : `${rows.length.toLocaleString('en')} of ${episode.count.toLocaleString('en')}`}
        </output>
      </search>
      {rows.length === 0 ? (
        <p class="nothing">No event fits.</p>
      ) : (
        <EventList
          episode={episode}
          rows={rows}
          chosen={row}
          sought={choice.text}
          onChoose={(next) => go({ line: table.line[next] })}
        />
      )}
    </div>
  );
}
