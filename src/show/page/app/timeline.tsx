import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../../../base/time/duration.ts';
import type { StoryItem } from '../../../dialects/kit/story.ts';
import { escapeText } from '../../render/escape.ts';
import { BlockList } from './block-list.tsx';
import type { Episode } from './episode.ts';
import { labelOf } from './event-pane.tsx';
import type { ViewProps } from './events-view.tsx';
import { Choose, type Option } from './filters.tsx';
import { useKeys } from './keys.ts';
import { usePrinting } from './printing.ts';
import { StoryRowView } from './story-item.tsx';
import { StoryRows } from './story-rows.ts';
import { WithoutParts } from './subagents.tsx';
import { draw, markStep } from './timeline-drawing.ts';
import { type Drawing, heightOf, placeAt, rowAt } from './timeline-place.ts';
import {
  type Axis,
  type AxisRange,
  type LanesBy,
  lanesOf,
  type Scale,
  scaleOf,
  within,
  zoomed,
} from './timeline-scale.ts';

/** In pixels: narrower timelines have the names of lanes above their bars. */
const WIDE = 640;
const GUTTER = 140;
/** In pixels: a pointer that moved less than this has clicked. */
const CLICK = 5;
/** The number of ancestors and effects that are drawn. */
const MOST_ARROWS = 200;

/** The events whose causes are drawn: the chosen one, its ancestors and its effects. */
function relatives(episode: Episode, row: number): number[] {
  if (row < 0) return [];
  const found = new Set<number>();
  for (
    let at = row;
    at >= 0 && !found.has(at) && found.size < MOST_ARROWS;
    at = episode.table.cause[at] ?? -1
  )
    found.add(at);
  return [...found, ...episode.effects(row).slice(0, MOST_ARROWS)];
}

function describe(episode: Episode, row: number): string {
  const { table } = episode;
  const [took, waited] = [episode.tookText(row), episode.waitedText(row)];
  const parts = [`line ${table.line[row]}`, labelOf(episode, row), episode.labelOf(row), took, waited];
  return escapeText(
    parts
      .filter((part) => part !== '')
      .join(' · ')
      .slice(0, 300),
  );
}

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    setWidth(current.clientWidth);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

/** The names of the lanes. */
const namesOf = ({ lanes }: Drawing): string =>
  escapeText(
    lanes
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 300),
  );

/** `marks every 15.0 s`. */
const marksText = (drawing: Drawing): string => {
  const step = markStep(drawing);
  return `marks every ${drawing.scale.timeAt(0) === undefined ? step : formatDuration(step)}`;
};

/** In milliseconds: the story follows after this pause in zooming. */
const SETTLING = 150;

/** A value after it has not changed for a while. */
function useSettled<Value>(value: Value): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLING);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface CanvasProps {
  readonly drawing: Drawing;
  readonly whole: AxisRange;
  readonly setView: (change: (view: AxisRange) => AxisRange) => void;
  readonly onChoose: (row: number) => void;
  readonly onPoint: (row: number) => void;
  /** Called with the range while the user selects it, and with `undefined` at the end. */
  readonly onSelect: (range: AxisRange | undefined) => void;
}

/** The canvas and its pointer actions: drag, pinch, wheel, click. */
function Canvas({ drawing, whole, setView, onChoose, onPoint, onSelect }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointers = useRef(new Map<number, number>());
  const moved = useRef(0);
  const start = useRef(0);
  const [theme, setTheme] = useState(0);
  useEffect(() => {
    const again = () => setTheme((count) => count + 1);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', again);
    const observer = new MutationObserver(again);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      dark.removeEventListener('change', again);
      observer.disconnect();
    };
  }, []);
  const isPrinting = usePrinting();
  useLayoutEffect(() => {
    const again = () => canvas.current && draw(canvas.current, drawing);
    // A printed page has other colours, and a browser draws no further frame for it.
    if (isPrinting) again();
    const frame = requestAnimationFrame(again);
    return () => cancelAnimationFrame(frame);
  }, [drawing, theme, isPrinting]);
  useEffect(() => {
    const { current } = canvas;
    // Added directly, because Preact's listeners cannot keep the page from scrolling.
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      setView((view) => {
        const length = view.to - view.from;
        if (isSideways) {
          const by = ((event.deltaX || event.deltaY) / drawing.width) * length;
          return within({ from: view.from + by, to: view.to + by }, whole);
        }
        return zoomed(view, whole, 1.0015 ** event.deltaY, placeAt({ ...drawing, view }, event.offsetX));
      });
    };
    current?.addEventListener('wheel', turn, { passive: false });
    return () => current?.removeEventListener('wheel', turn);
  });

  const down = (event: PointerEvent) => {
    pointers.current.set(event.pointerId, event.offsetX);
    moved.current = 0;
    start.current = event.offsetX;
    canvas.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return onPoint(rowAt(drawing, event.offsetX, event.offsetY));
    moved.current += Math.abs(event.movementX) + Math.abs(event.movementY);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, event.offsetX);
    // A finger moves the timeline; a mouse selects a range.
    if (event.pointerType === 'mouse') return onSelect(rangeTo(event));
    setView((view) => {
      const seen = { ...drawing, view };
      if (other === undefined) {
        const by = placeAt(seen, before) - placeAt(seen, event.offsetX);
        return within({ from: view.from + by, to: view.to + by }, whole);
      }
      const factor = Math.abs(before - other) / Math.max(1, Math.abs(event.offsetX - other));
      return zoomed(view, whole, factor, placeAt(seen, other));
    });
  };
  const rangeTo = ({ offsetX }: PointerEvent): AxisRange => {
    const [left, right] = [Math.min(start.current, offsetX), Math.max(start.current, offsetX)];
    const { from, to } = drawing.view;
    return {
      from: Math.max(from, placeAt(drawing, left)),
      to: Math.min(to, Math.max(placeAt(drawing, right), placeAt(drawing, left + 1))),
    };
  };
  const up = (event: PointerEvent) => {
    const wasDown = pointers.current.delete(event.pointerId);
    const row = rowAt(drawing, event.offsetX, event.offsetY);
    onSelect(undefined);
    if (wasDown && moved.current < CLICK && row >= 0) onChoose(row);
    else if (wasDown && moved.current >= CLICK && event.pointerType === 'mouse') {
      const range = rangeTo(event);
      if (range.to > range.from) setView(() => within(range, whole));
    }
  };
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`timeline of ${namesOf(drawing)}, ${marksText(drawing)}: the story below has the same as text`}
      style={{ height: `${heightOf(drawing.lanes)}px` }}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={(event) => pointers.current.delete(event.pointerId)}
      onPointerLeave={() => onPoint(-1)}
      onDblClick={() => setView(() => whole)}
    />
  );
}

const LANES: Readonly<Record<LanesBy, string>> = {
  work: 'agents and tools',
  phase: 'phases',
  agent: 'agents',
  type: 'types',
};

/** The ways to make more than one lane. The first is the default: runs of phases are shown by phase. */
function usefulLanes({ table, document }: Episode): LanesBy[] {
  const useful = (['phase', 'agent', 'type'] as const).filter((by) => table[by].words.length > 1);
  if (table.tool.words.length > 0) {
    const isSession = document.story.turns.some(({ items }) => items.some(({ kind }) => kind === 'prompt'));
    if (isSession) return ['work', ...useful];
    return [...useful.slice(0, 1), 'work', ...useful.slice(1)];
  }
  return useful.length > 0 ? useful : ['type'];
}

/** The items of the story in a range of the axis. An item lasts from its first to its last record. */
function itemsIn(episode: Episode, scale: Scale, { from, to }: AxisRange): (item: StoryItem) => boolean {
  const isIn = (line: number): boolean => {
    const row = episode.rowOfLine(line);
    const [start, end] = [scale.from[row] ?? Number.NaN, scale.to[row] ?? Number.NaN];
    return start <= to && end >= from;
  };
  return (item) => isIn(item.line) || (item.kind === 'call' && isIn(item.result_line ?? item.line));
}

interface BelowProps {
  readonly episode: Episode;
  /** The items; undefined: all. */
  readonly wanted: ((item: StoryItem) => boolean) | undefined;
  readonly line: number | undefined;
  readonly onChoose: (line: number) => void;
}

/** The story of the visible range, below the timeline. */
function StoryBelow({ episode, wanted, line, onChoose }: BelowProps) {
  const story = useMemo(() => new StoryRows(episode, wanted), [episode, wanted]);
  const latest = useRef(onChoose);
  latest.current = onChoose;
  const row = useCallback(
    (at: number, isChosen: boolean) => {
      const entry = story.rows[at];
      return entry === undefined ? null : (
        <StoryRowView
          row={entry}
          agent={story.newAgentAt(at)}
          isChosen={isChosen}
          found={undefined}
          onChoose={(to) => latest.current(to)}
        />
      );
    },
    [story],
  );
  return (
    <BlockList
      count={story.rows.length}
      label="the story of what the timeline shows"
      head={null}
      chosen={line === undefined ? -1 : story.at(line)}
      onSeen={NOTHING}
    >
      {row}
    </BlockList>
  );
}

const NOTHING = () => {};

const AXES: readonly Option<Axis>[] = [
  ['time', 'by time'],
  ['order', 'one after the other'],
];

/** The events of a run over time, in lanes. The user can zoom and move. */
export function Timeline({ episode, row, go }: ViewProps) {
  const lanesToChoose = useMemo(() => usefulLanes(episode), [episode]);
  const hasTimes = useMemo(() => episode.table.start.some((start) => start !== null), [episode]);
  const [by, setBy] = useState<LanesBy>(lanesToChoose[0] ?? 'type');
  const [axis, setAxis] = useState<Axis>(hasTimes ? 'time' : 'order');
  const [causes, setCauses] = useState(false);
  const [pointed, point] = useState(-1);
  const scale = useMemo(() => scaleOf(episode, axis, by), [episode, axis, by]);
  const lanes = useMemo(() => lanesOf(episode, by, scale), [episode, by, scale]);
  const [view, setView] = useState<AxisRange>(scale.whole);
  const [selected, select] = useState<AxisRange>();
  const { box, width } = useWidth();
  useEffect(() => setView(scale.whole), [scale]);

  const arrows = useMemo(() => (causes ? relatives(episode, row) : []), [episode, causes, row]);
  const gutter = width >= WIDE ? GUTTER : 0;
  const drawing = useMemo<Drawing>(
    () => ({ episode, lanes, scale, view, chosen: row, arrows, width, gutter, selected }),
    [episode, lanes, scale, view, row, arrows, width, selected],
  );

  const zoom = (factor: number) =>
    setView((seen) => {
      const start = row < 0 ? Number.NaN : (scale.from[row] ?? Number.NaN);
      const isSeen = start >= seen.from && start <= seen.to;
      return zoomed(seen, scale.whole, factor, isSeen ? start : (seen.from + seen.to) / 2);
    });
  const pan = (share: number) =>
    setView((seen) => {
      const by = (seen.to - seen.from) * share;
      return within({ from: seen.from + by, to: seen.to + by }, scale.whole);
    });
  const choose = (next: number) => go({ line: episode.table.line[next] });
  const step = (by: number) => choose(Math.max(0, Math.min(episode.count - 1, row < 0 ? 0 : row + by)));
  useKeys({
    '+': () => zoom(0.5),
    '=': () => zoom(0.5),
    '-': () => zoom(2),
    '0': () => setView(scale.whole),
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    a: () => setCauses(!causes),
  });
  useEffect(() => {
    const start = row < 0 ? Number.NaN : (scale.from[row] ?? Number.NaN);
    setView((seen) => {
      if (Number.isNaN(start) || (start >= seen.from && start <= seen.to)) return seen;
      const half = (seen.to - seen.from) / 2;
      return within({ from: start - half, to: start + half }, scale.whole);
    });
  }, [row, scale]);

  const shown = pointed >= 0 ? pointed : row;
  const isAll = view.from <= scale.whole.from && view.to >= scale.whole.to;
  const settled = useSettled(view);
  const wanted = useMemo(
    () => (isAll ? undefined : itemsIn(episode, scale, settled)),
    [episode, scale, settled, isAll],
  );
  return (
    <div class="timeline">
      <div class="filters">
        <Choose
          label="lanes"
          value={by}
          options={lanesToChoose.map((one) => [one, LANES[one]] as const)}
          onChoose={setBy}
        />
        {hasTimes && <Choose label="axis" value={axis} options={AXES} onChoose={setAxis} />}
        <label>
          <input type="checkbox" checked={causes} onChange={() => setCauses(!causes)} /> causes of the chosen
          event
        </label>
        <span class="buttons">
          <button type="button" aria-label="zoom in" onClick={() => zoom(0.5)}>
            +
          </button>
          <button type="button" aria-label="zoom out" onClick={() => zoom(2)}>
            −
          </button>
          <button type="button" onClick={() => setView(scale.whole)}>
            All
          </button>
        </span>
      </div>
      <div class="canvas" ref={box}>
        <Canvas
          drawing={drawing}
          whole={scale.whole}
          setView={setView}
          onChoose={choose}
          onPoint={point}
          onSelect={select}
        />
      </div>
      <p class="pointed">
        <bdi>
          {shown >= 0
            ? describe(episode, shown)
            : 'Choose an event. The wheel zooms, a drag selects a range, and the story below follows.'}
        </bdi>
      </p>
      {notes(scale, episode)}
      <WithoutParts episode={episode} what="calls" command="noesis timeline" />
      <StoryBelow
        episode={episode}
        wanted={wanted}
        line={row < 0 ? undefined : episode.table.line[row]}
        onChoose={(line) => go({ line })}
      />
    </div>
  );
}

/** What the drawing cannot say of itself. */
function notes({ gaps: { length: gaps }, begun, from }: Scale, episode: Episode) {
  const waits = begun.some((begin, row) => begin > (from[row] ?? begin));
  const isOpen = episode.table.status.some((_, row) => ['open', 'unknown'].includes(episode.status(row)));
  if (gaps === 0 && !waits && !isOpen) return null;
  return (
    <p class="idle tone-muted">
      {waits ? 'Pale: waiting for you. ' : ''}
      {isOpen ? 'Grey: without an end or a result. ' : ''}
      {gaps === 0
        ? ''
        : gaps === 1
          ? 'A long stretch without events is drawn shorter.'
          : `${gaps} long stretches without events are drawn shorter.`}
    </p>
  );
}
