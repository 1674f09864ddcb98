import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatOffset } from '../../render/time.ts';
import { LONGEST_WHOLE } from '../page-data.ts';
import type { Go } from './address.ts';
import { BlockList } from './block-list.tsx';
import type { Episode } from './episode.ts';
import { HasFolded } from './folded.tsx';
import { useKeys } from './keys.ts';
import { StoryHead } from './story-head.tsx';
import { StoryRowView } from './story-item.tsx';
import { isOwnItem, isTrouble, type Mark, StoryRows } from './story-rows.ts';
import { mark, unfold } from './story-search.ts';
import { ChooseTool, FindInStory, Switch } from './story-tools.tsx';
import { StoryTurns } from './story-turns.tsx';
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

/** A run with fewer turns shows their list on demand. */
const MANY_TURNS = 4;
/** In pixels: narrower windows show the list of turns on demand. */
const WIDE = '(min-width: 1100px)';
/** In milliseconds: the search starts after this pause in typing. */
const TYPING = 120;

/** The text that the user searches for, after a pause in typing. */
function useTyped() {
  const [typed, type] = useState('');
  const [sought, seek] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => seek(typed), TYPING);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, type, sought };
}

/** Frames in which a row gets into the document, and its neighbours get their heights. */
const MOST_FRAMES = 30;
/** Frames in which a place must stay in the window. */
const SETTLED = 3;

interface Sought {
  readonly text: string;
  /** The rows with it. */
  readonly rows: readonly number[];
  /** The row that the user went to, or around which matches are only marked. */
  readonly at: number;
  readonly isVisited: boolean;
}

/**
 * Marks a text. At the row that the user went to, opens the text and scrolls until it is in the window and stays there. Returns a
 * function that stops.
 */
function showFound(box: HTMLElement, { text, rows, at, isVisited }: Sought): () => void {
  const elementOf = (row: number) => box.querySelector(`[data-at="${row}"]`);
  const around = rows.filter((row) => Math.abs(row - at) < NEAR && row !== at);
  let [frames, settled, isOpen, frame] = [0, 0, false, 0];
  const look = () => {
    frames += 1;
    const element = elementOf(at);
    if (isOpen) {
      const place = mark(
        [at, ...around].flatMap((row) => elementOf(row) ?? []),
        text,
      );
      settled = isVisited && place !== undefined && scrollTo(box, place) ? 0 : settled + 1;
    } else isOpen = !isVisited || (element !== null && unfold(element, text));
    if (frames < MOST_FRAMES && settled < SETTLED) frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}

/** Scrolls to a place in the list of a story. Returns whether it had to. */
function scrollTo(box: HTMLElement, place: Range): boolean {
  const list = box.querySelector('.story-list');
  if (list === null) return false;
  const [at, seen] = [place.getBoundingClientRect(), list.getBoundingClientRect()];
  if (at.top >= seen.top && at.bottom <= seen.bottom) return false;
  list.scrollTop += at.top - seen.top - list.clientHeight / 3;
  return true;
}

/** How far from the current place texts are marked, in rows. */
const NEAR = 60;

/** The story of a run: a time axis, the list of turns, a search, and the choice of what is shown. */
export function StoryView({ episode, story: all, line, go }: StoryViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const seen = useRef<HTMLDivElement>(null);
  const seenRow = useRef(0);
  const [tool, setTool] = useState('');
  const [hasOutputs, setOutputs] = useState(true);
  const canHide = useMemo(() => all.hasOutput, [all]);
  const tools = useMemo(() => all.tools, [all]);
  const story = useMemo(
    () => (tool === '' ? all : new StoryRows(episode, (item) => item.kind === 'call' && item.tool === tool)),
    [episode, all, tool],
  );
  const turns = useMemo(() => all.rows.filter(({ kind }) => kind === 'turn').length, [all]);
  const hasTurns = turns > 1;
  const [showsTurns, setTurns] = useState(() => turns >= MANY_TURNS && matchMedia(WIDE).matches);
  const [currentTurn, setCurrentTurn] = useState(-1);
  const isWhole = useMemo(() => story.size <= LONGEST_WHOLE, [story]);
  const { typed, type, sought } = useTyped();
  const found = useMemo(() => story.search(sought, hasOutputs), [story, sought, hasOutputs]);
  // A place that the user went to without choosing an item, which would open it.
  const [visited, visit] = useState(-1);
  const chosen = visited >= 0 ? visited : line === undefined ? -1 : story.near(line);
  const marks = useMemo(() => story.marks(episode), [episode, story]);
  useEffect(() => visit(-1), [line, story]);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const isVisited = found.includes(visited);
    return showFound(current, {
      text: sought,
      rows: found,
      at: isVisited ? visited : seenRow.current,
      isVisited,
    });
  }, [visited, found]);
  const latest = useRef(go);
  latest.current = go;
  const row = useCallback(
    (at: number, isChosen: boolean) => {
      const entry = story.rows[at];
      if (entry === undefined) return null;
      const worst = isOwnItem(entry) ? episode.worstFinding(episode.rowOfLine(entry.line)) : undefined;
      return (
        <HasFolded.Provider value={isWhole || isChosen}>
          <StoryRowView
            row={entry}
            agent={story.newAgentAt(at)}
            isChosen={isChosen}
            found={worst && toneOfSeverity(worst)}
            onChoose={(to) => latest.current({ line: to })}
          />
        </HasFolded.Provider>
      );
    },
    [episode, story, isWhole],
  );
  const to = (item: { readonly line: number } | undefined) => item && go({ line: item.line });
  const visitTurn = (heading: number) => visit(story.rows[heading + 1] === undefined ? heading : heading + 1);
  const trouble = (step: 1 | -1) =>
    to(
      story.next(
        chosen,
        step,
        (item) => isTrouble(item) || episode.findings(episode.rowOfLine(item.line)).length > 0,
      ),
    );
  /** Goes to the next row with the text, from the current one or from what is visible. */
  const find = (step: 1 | -1) => {
    const from = chosen >= 0 ? chosen : seenRow.current - step;
    const next = step > 0 ? found.find((at) => at > from) : found.findLast((at) => at < from);
    visit(next ?? (step > 0 ? found[0] : found.at(-1)) ?? -1);
  };
  const turnFrom = (step: 1 | -1) => {
    const item = story.nextTurn(chosen >= 0 ? chosen : seenRow.current, step);
    if (item) visit(story.at(item.line));
  };
  useKeys({
    j: () => to(story.next(chosen, 1)),
    ArrowDown: () => to(story.next(chosen, 1)),
    k: () => to(story.next(chosen, -1)),
    ArrowUp: () => to(story.next(chosen, -1)),
    n: () => trouble(1),
    N: () => trouble(-1),
    Home: () => to(story.next(-1, 1)),
    End: () => to(story.next(story.rows.length, -1)),
    ']': () => turnFrom(1),
    '[': () => turnFrom(-1),
    o: () => setOutputs(!hasOutputs),
    t: () => setTurns(!showsTurns),
  });
  const onSeen = (from: number, until: number) => {
    seenRow.current = Math.floor(from * story.rows.length);
    setCurrentTurn(story.turnAt(seenRow.current));
    const { current } = seen;
    if (current === null) return;
    current.style.top = `${from * 100}%`;
    current.style.height = `${Math.max(0.5, (until - from) * 100)}%`;
  };
  const hasList = showsTurns && hasTurns;
  return (
    <div class={`story-view ${hasOutputs ? '' : 'hides-outputs'}`} ref={box}>
      <search class="filters">
        <FindInStory
          sought={typed}
          count={found.length}
          place={found.indexOf(chosen)}
          onInput={type}
          onStep={find}
        />
        <ChooseTool tools={tools} tool={tool} onChoose={setTool} />
        {canHide && (
          <Switch isOn={!hasOutputs} onSwitch={() => setOutputs(!hasOutputs)}>
            Hide outputs
          </Switch>
        )}
        {hasTurns && (
          <Switch isOn={showsTurns} onSwitch={() => setTurns(!showsTurns)}>
            Turns
          </Switch>
        )}
      </search>
      <div class={`story ${hasList ? 'has-turns' : ''}`}>
        {hasList && (
          <StoryTurns
            story={story}
            current={chosen >= 0 ? story.turnAt(chosen) : currentTurn}
            onChoose={(heading) => {
              if (!matchMedia(WIDE).matches) setTurns(false);
              visitTurn(heading);
            }}
          />
        )}
        <nav class="axis" aria-label="turns, failures and findings">
          <div class="axis-seen" ref={seen} />
          <Axis story={story} marks={marks} />
        </nav>
        <BlockList
          key={tool}
          count={story.rows.length}
          label="the run from top to bottom"
          head={<StoryHead episode={episode} go={go} />}
          chosen={chosen}
          isWhole={isWhole}
          onSeen={onSeen}
        >
          {row}
        </BlockList>
      </div>
    </div>
  );
}
