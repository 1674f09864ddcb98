import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePrinting } from './printing.ts';

/** Rows that are rendered or removed together. */
const BLOCK = 30;
/** In pixels: the assumed height of a row that was not rendered yet. */
const GUESS = 56;
/** How far above and below the window rows are shown, in pixels. */
const OVERSCAN = 500;

/** Blocks that are added to the document at once, while the page has nothing else to do. */
const STEP = 4;

/** Frames in which a list stays at the row to which it has scrolled. */
const FRAMES = 6;

interface BlockProps {
  readonly rows: readonly [from: number, to: number];
  /** In pixels; undefined if its rows are in the document. */
  readonly height: number | undefined;
  /** The chosen row, if it is in this block; else -1. */
  readonly chosen: number;
  readonly children: (row: number, isChosen: boolean) => ComponentChildren;
}

function Block({ rows: [from, to], height, chosen, children }: BlockProps) {
  const isShown = height === undefined;
  const rows = useMemo(
    () =>
      isShown
        ? Array.from({ length: to - from }, (_, at) => (
            <div key={from + at} data-at={from + at}>
              {children(from + at, from + at === chosen)}
            </div>
          ))
        : null,
    [isShown, chosen, children],
  );
  return (
    <div class="block" {...(!isShown && { style: { height: `${height}px` } })}>
      {rows}
    </div>
  );
}

interface ListProps {
  readonly count: number;
  readonly label: string;
  /** The content above the first row. */
  readonly head: ComponentChildren;
  /** The chosen row; -1 for none. */
  readonly chosen: number;
  /** Whether all rows stay in the document, so that the browser finds their texts. */
  readonly isWhole?: boolean;
  /** Called with the visible part of the rows: two numbers from 0 to 1. */
  readonly onSeen: (from: number, to: number) => void;
  /** Renders a row. Pass the same function as long as its result does not change. */
  readonly children: BlockProps['children'];
}

/** How many blocks are in the document. They are added little by little, so that the page is never busy for long. */
function useFilled(blocks: number, isWhole: boolean): number {
  const [filled, fill] = useState(0);
  const isFull = !isWhole || filled >= blocks;
  useEffect(() => {
    if (isFull) return;
    const timer = setTimeout(() => fill(filled + STEP));
    return () => clearTimeout(timer);
  }, [filled, isFull]);
  return isWhole ? filled : 0;
}

/**
 * A list of rows of any height and number. Except in print and in whole lists, only rows near the window are in the
 * document.
 */
export function BlockList({ count, label, head, chosen, isWhole = false, onSeen, children }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const wanted = useRef(-1);
  const frame = useRef(0);
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const isPrinting = usePrinting();
  const blocks = Math.ceil(count / BLOCK);
  const filled = useFilled(blocks, isWhole);

  const look = () => {
    const [outer, inner] = [box.current, list.current];
    // While the list scrolls to a requested row, the position of the window means nothing.
    if (outer === null || inner === null || wanted.current >= 0) return;
    const { scrollTop, clientHeight } = outer;
    const blockAt = (y: number): number => {
      let [from, to] = [0, blocks - 1];
      while (from < to) {
        const middle = (from + to + 1) >> 1;
        if ((inner.children[middle] as HTMLElement).offsetTop <= y) from = middle;
        else to = middle - 1;
      }
      return Math.max(0, from);
    };
    const part = (y: number): number => {
      const at = blockAt(y);
      const block = inner.children[at] as HTMLElement | undefined;
      const share = block ? (y - block.offsetTop) / Math.max(1, block.offsetHeight) : 0;
      return Math.min(1, Math.max(0, (at + Math.min(1, share)) / Math.max(1, count / BLOCK)));
    };
    const next = [blockAt(scrollTop - OVERSCAN), blockAt(scrollTop + clientHeight + OVERSCAN)] as const;
    setRange((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
    onSeen(part(scrollTop), part(scrollTop + clientHeight));
  };

  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, [count]);

  const rowAt = (row: number) => list.current?.querySelector<HTMLElement>(`[data-at="${row}"]`);
  useLayoutEffect(() => {
    if (chosen < 0) return;
    wanted.current = chosen;
    const block = Math.floor(chosen / BLOCK);
    if (!rowAt(chosen)) setRange([Math.max(0, block - 1), Math.min(blocks - 1, block + 1)]);
  }, [chosen]);
  /** Scrolls to a row, also in the next frames, in which the rows before it get their heights. */
  const bring = (at: number, frames: number) => {
    const [outer, row] = [box.current, rowAt(at)];
    if (outer === null || !row) return;
    const [{ top, bottom }, seen] = [row.getBoundingClientRect(), outer.getBoundingClientRect()];
    if (top < seen.top || (bottom > seen.bottom && top > seen.top + 80))
      outer.scrollTop += top - seen.top - outer.clientHeight / 4;
    if (frames > 0) frame.current = requestAnimationFrame(() => bring(at, frames - 1));
  };
  // After each rendering, stores the heights that are known now, and scrolls to the requested row.
  useLayoutEffect(() => {
    const [outer, inner] = [box.current, list.current];
    if (outer === null || inner === null) return;
    for (let at = range[0]; at <= range[1]; at += 1) {
      const block = inner.children[at] as HTMLElement | undefined;
      if (block) heights.current.set(at, block.offsetHeight);
    }
    if (wanted.current >= 0 && rowAt(wanted.current)) {
      cancelAnimationFrame(frame.current);
      bring(wanted.current, FRAMES);
      wanted.current = -1;
    }
    look();
  });

  return (
    <section
      class={isWhole ? 'story-list is-whole' : 'story-list'}
      ref={box}
      aria-label={label}
      aria-busy={isWhole && filled < blocks}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
    >
      {head}
      <div ref={list}>
        {Array.from({ length: blocks }, (_, at) => {
          const rows = [at * BLOCK, Math.min(count, (at + 1) * BLOCK)] as const;
          const isShown = isPrinting || at < filled || (at >= range[0] && at <= range[1]);
          const height = isShown ? undefined : (heights.current.get(at) ?? (rows[1] - rows[0]) * GUESS);
          const isHere = chosen >= rows[0] && chosen < rows[1];
          return (
            <Block key={at} rows={rows} height={height} chosen={isHere ? chosen : -1}>
              {children}
            </Block>
          );
        })}
      </div>
    </section>
  );
}
