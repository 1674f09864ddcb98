import { useCallback, useMemo, useRef } from 'preact/hooks';
import { formatOffset } from '../../render/time.ts';
import { BlockList } from './block-list.tsx';
import type { Episode } from './episode.ts';
import { useKeys } from './keys.ts';
import type { Go } from './place.ts';
import { StoryHead } from './story-head.tsx';
import { StoryRowView } from './story-item.tsx';
import { isTrouble, type Mark, type StoryRows } from './story-rows.ts';
import { toneOfSeverity } from './text.tsx';

/** The maximum number of marks of one kind, and of times, on the axis. */
const PLACES = 240;
const TIMES = 8;

/** The places of marks on the axis, at most one of each kind per place. */
function placed(marks: readonly Mark[], count: number): readonly (Mark & { readonly place: number })[] {
  const seen = new Set<string>();
  return marks.flatMap((mark) => {
    const place = Math.round((mark.row / Math.max(1, count)) * PLACES) / PLACES;
    const key = `${mark.kind} ${place}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...mark, place }];
  });
}

/** Times along the axis. Leaves out times that are not later than those above, because tasks overlap and clocks go back. */
function timesOf(story: StoryRows): readonly { readonly place: number; readonly text: string }[] {
  const places = Array.from({ length: TIMES }, (_, at) => at / TIMES);
  const times = places.map((place) => story.timeAt(Math.floor(place * story.rows.length)) ?? -1);
  const isShort = Math.max(...times) < 10_000;
  let [latest, before] = [-1, ''];
  return places.flatMap((place, at) => {
    const time = times[at] ?? -1;
    const text = isShort ? formatOffset(time) : formatOffset(time).replace(/\.\d+/, '');
    if (time <= latest || text === before) return [];
    [latest, before] = [time, text];
    return [{ place, text }];
  });
}

function Axis({ story, marks }: { story: StoryRows; marks: readonly Mark[] }) {
  const count = story.rows.length;
  return (
    <>
      {timesOf(story).map(({ place, text }) => (
        <span key={place} class="axis-time" style={{ top: `${place * 100}%` }}>
          {text}
        </span>
      ))}
      {placed(marks, count).map(({ kind, line, label, place }) => (
        <a
          key={`${kind} ${line}`}
          class={`axis-mark axis-${kind}`}
          href={`#story/${line}`}
          title={label}
          style={{ top: `${place * 100}%` }}
          tabIndex={kind === 'turn' ? -1 : 0}
        >
          <span class="unseen">{label}</span>
        </a>
      ))}
    </>
  );
}

interface StoryViewProps {
  readonly episode: Episode;
  readonly story: StoryRows;
  /** The chosen line. */
  readonly line: number | undefined;
  readonly go: Go;
}

/** The story of a run, with a time axis on the left. */
export function StoryView({ episode, story, line, go }: StoryViewProps) {
  const seen = useRef<HTMLDivElement>(null);
  const chosen = line === undefined ? -1 : story.near(line);
  const marks = useMemo(() => story.marks(episode), [episode, story]);
  const latest = useRef(go);
  latest.current = go;
  const row = useCallback(
    (at: number, isChosen: boolean) => {
      const entry = story.rows[at];
      if (entry === undefined) return null;
      const worst = entry.kind === 'item' ? episode.worstFinding(episode.rowOfLine(entry.line)) : undefined;
      return (
        <StoryRowView
          row={entry}
          agent={story.newAgentAt(at)}
          isChosen={isChosen}
          found={worst && toneOfSeverity(worst)}
          onChoose={(to) => latest.current({ line: to })}
        />
      );
    },
    [episode, story],
  );
  const to = (item: { readonly line: number } | undefined) => item && go({ line: item.line });
  const trouble = (step: 1 | -1) =>
    to(
      story.next(
        chosen,
        step,
        (item) => isTrouble(item) || episode.findings(episode.rowOfLine(item.line)).length > 0,
      ),
    );
  useKeys({
    j: () => to(story.next(chosen, 1)),
    ArrowDown: () => to(story.next(chosen, 1)),
    k: () => to(story.next(chosen, -1)),
    ArrowUp: () => to(story.next(chosen, -1)),
    n: () => trouble(1),
    N: () => trouble(-1),
    Home: () => to(story.next(-1, 1)),
    End: () => to(story.next(story.rows.length, -1)),
  });
  const onSeen = (from: number, until: number) => {
    const { current } = seen;
    if (current === null) return;
    current.style.top = `${from * 100}%`;
    current.style.height = `${Math.max(0.5, (until - from) * 100)}%`;
  };
  return (
    <div class="story">
      <nav class="axis" aria-label="turns, failures and findings">
        <div class="axis-seen" ref={seen} />
        <Axis story={story} marks={marks} />
      </nav>
      <BlockList
        count={story.rows.length}
        label="the run from top to bottom"
        head={<StoryHead episode={episode} />}
        chosen={chosen}
        onSeen={onSeen}
      >
        {row}
      </BlockList>
    </div>
  );
}
