import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { parseExactJson } from '../../../base/json/parse.ts';
import type { StateView } from '../../../dialects/kit/state-view.ts';
import type { ValueChange } from '../page-data.ts';
import { Changes } from './changes.tsx';
import type { Episode } from './episode.ts';
import { EventLink } from './event-pane.tsx';
import type { ViewProps } from './events-view.tsx';
import { useKeys } from './keys.ts';
import { Sections } from './sections.tsx';
import { StateWalk } from './state-walk.ts';
import type { StatesInPage } from './states-in-page.ts';
import { LongText } from './text.tsx';
import { Tree } from './tree.tsx';

/** The state after an event, and what the event changed. */
interface StateHere {
  readonly row: number;
  /** As JSON. */
  readonly text: string;
  readonly value: unknown;
  readonly view: StateView;
  readonly changes: readonly ValueChange[];
}

async function stateAt(
  walk: StateWalk,
  states: StatesInPage,
  row: number,
  isWanted: () => boolean,
): Promise<StateHere | undefined> {
  const before = await walk.after(row - 1, isWanted);
  const after = await walk.after(row, isWanted);
  if (before === undefined || after === undefined) return undefined;
  return {
    row,
    text: after,
    value: parseExactJson(after),
    view: states.view(after),
    changes: before === after ? [] : states.changes(before, after),
  };
}

/** The state after a row once it is available. `isLate`: this takes long. */
function useStateAfter(episode: Episode, states: StatesInPage, row: number) {
  const walk = useMemo(() => new StateWalk(episode, states), [episode, states]);
  const [here, set] = useState<StateHere>();
  const wanted = useRef(row);
  wanted.current = row;
  useEffect(() => {
    void stateAt(walk, states, row, () => wanted.current === row).then((state) => state && set(state));
  }, [walk, row]);
  return { walk, here, isLate: here?.row !== row };
}

/** The state after an event, and what the event changed. The user can move through the run. */
export function StatesView({ episode, row: chosen, go, states }: ViewProps & { states: StatesInPage }) {
  const last = episode.count - 1;
  const row = chosen < 0 ? last : chosen;
  const { walk, here, isLate } = useStateAfter(episode, states, row);
  const to = (next: number) => go({ line: episode.table.line[Math.max(0, Math.min(last, next))] });
  const seeking = useRef(0);
  const toChange = (step: 1 | -1) => {
    seeking.current += 1;
    const mine = seeking.current;
    void walk
      .nextChange(row, step, () => seeking.current === mine)
      .then((found) => found !== undefined && seeking.current === mine && to(found));
  };
  useKeys({
    ArrowLeft: () => to(row - 1),
    ArrowRight: () => to(row + 1),
    k: () => to(row - 1),
    j: () => to(row + 1),
    '[': () => toChange(-1),
    ']': () => toChange(1),
    Home: () => to(0),
    End: () => to(last),
  });
  const changed = useMemo(() => new Set(here?.changes.map(({ path }) => path)), [here]);
  if (last < 0) return <p class="nothing">No event, no state.</p>;
  return (
    <div class="sheet states">
      <div class="card travel">
        <div class="buttons">
          <button type="button" aria-label="previous change" onClick={() => toChange(-1)}>
            ⇤
          </button>
          <button type="button" aria-label="previous event" onClick={() => to(row - 1)}>
            ←
          </button>
          <input
            type="range"
            aria-label="event"
            aria-valuetext={`line ${episode.table.line[row]}`}
            min={0}
            max={last}
            value={row}
            onInput={({ currentTarget }) => to(Number(currentTarget.value))}
          />
          <button type="button" aria-label="next event" onClick={() => to(row + 1)}>
            →
          </button>
          <button type="button" aria-label="next change" onClick={() => toChange(1)}>
            ⇥
          </button>
        </div>
        <p class="tone-muted">
          After event {(row + 1).toLocaleString('en')} of {episode.count.toLocaleString('en')}
        </p>
        <EventLink episode={episode} row={row} go={({ line }) => go({ view: 'events', line })} />
      </div>
      {here === undefined ? (
        <p class="nothing">Rebuilding the state …</p>
      ) : (
        <div class={isLate ? 'late' : ''} aria-busy={isLate} data-row={here.row}>
          <section class="card">
            <h3>Changed by this event</h3>
            {here.changes.length === 0 && <p class="tone-muted">This event changed nothing in the state.</p>}
            <Changes changes={here.changes} />
          </section>
          <Sections view={here.view} />
          <section class="card">
            <h3>The whole state</h3>
            <div class="json" key={here.row}>
              <Tree value={here.value} open={2} changed={changed} />
            </div>
            <details key={`json ${here.row}`}>
              <summary>As JSON</summary>
              <pre class="stored">
                <LongText text={here.text} />
              </pre>
            </details>
          </section>
        </div>
      )}
    </div>
  );
}
