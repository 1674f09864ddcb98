import { useEffect, useMemo, useState } from 'preact/hooks';
import type { WordColumn } from '../page-data.ts';
import type { Go } from './address.ts';
import { type Choice, type Episode, EVERYTHING } from './episode.ts';
import { EventList } from './event-list.tsx';
import { Choose, type Option, SearchField } from './filters.tsx';
import { useKeys } from './keys.ts';
import { placeIn } from './sorted.ts';
import { WithoutParts } from './subagents.tsx';

/** In milliseconds: the search starts after this pause in typing. */
const TYPING = 120;

export interface ViewProps {
  readonly episode: Episode;
  /** The chosen row; -1 for none. */
  readonly row: number;
  readonly go: Go;
}

/** The choices for a column with few words. */
function optionsOf(label: string, { words }: WordColumn): Option<string>[] {
  if (words.length < 2) return [];
  return [['', `every ${label}`], ...words.toSorted().map((word) => [word, word.slice(0, 80)] as const)];
}

const ONLY: readonly Option<Choice['only']>[] = [
  ['', 'every status'],
  ['trouble', 'everything but ok'],
  ['error', 'errors'],
  ['veto', 'vetoes'],
  ['finding', 'with findings'],
];

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
  const columns = useMemo(
    () =>
      (['phase', 'type', 'tool', 'agent'] as const).map(
        (name) => [name, optionsOf(name, table[name])] as const,
      ),
    [table],
  );

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
  });

  return (
    <div class="events">
      <search class="filters">
        <SearchField label="search the stored events" value={typed} onInput={type} />
        {columns.map(([column, options]) => (
          <Choose
            key={column}
            label={column}
            value={choice[column]}
            options={options}
            onChoose={(word) => set({ [column]: word })}
          />
        ))}
        <Choose label="status" value={choice.only} options={ONLY} onChoose={(only) => set({ only })} />
        <output>
          {rows.length === episode.count
            ? `${rows.length.toLocaleString('en')} events`
            : `${rows.length.toLocaleString('en')} of ${episode.count.toLocaleString('en')}`}
        </output>
      </search>
      <WithoutParts episode={episode} what="events" command="noesis events" />
      {rows.length === 0 ? (
        <p class="nothing">No event matches.</p>
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
