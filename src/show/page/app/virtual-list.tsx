import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { plural } from '../../render/tally.ts';
import { usePrinting } from './printing.ts';

/** In pixels: browsers show nothing higher. In longer lists, a scrolled pixel moves the list by more than a pixel. */
const HIGHEST = 8_000_000;
/** Rows rendered above and below the visible ones. */
const OVERSCAN = 6;
/** Rows that are printed; the page says how many more there are. */
const MOST_PRINTED = 5000;

interface ListProps {
  readonly count: number;
  readonly label: string;
  /** The index of the chosen row; -1 for none. */
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly classOf: (index: number) => string;
  readonly children: (index: number) => ComponentChildren;
}

/** The scroll position and visible height of a list, in pixels. */
function useWindow() {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 600, rowHeight: 32 });
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = () => {
      const rowHeight = Number.parseFloat(getComputedStyle(current).getPropertyValue('--row')) || 32;
      setSeen({ top: current.scrollTop, height: current.clientHeight, rowHeight });
    };
    // Measures only after possible changes, because measuring forces a layout.
    const move = () => {
      const { scrollTop: top } = current;
      setSeen((before) => ({ ...before, top }));
    };
    look();
    current.addEventListener('scroll', move, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => {
      current.removeEventListener('scroll', move);
      observer.disconnect();
    };
  }, []);
  return { box, ...seen };
}

/** A list of any length. Except in print, only visible rows are in the document. */
export function VirtualList({ count, label, chosen, onChoose, classOf, children }: ListProps) {
  const { box, top, height, rowHeight } = useWindow();
  const whole = count * rowHeight;
  const room = Math.min(whole, HIGHEST);
  // How many pixels the list moves per scrolled pixel.
  const scale = whole > HIGHEST ? (whole - height) / Math.max(1, room - height) : 1;
  const offset = top * scale;
  const isPrinting = usePrinting();
  const first = isPrinting ? 0 : Math.max(0, Math.floor(offset / rowHeight) - OVERSCAN);
  const last = Math.min(
    count,
    isPrinting ? MOST_PRINTED : Math.ceil((offset + height) / rowHeight) + OVERSCAN,
  );
  // A row that leaves the window is reused for one that enters it, so scrolling creates no elements.
  const slots = isPrinting ? last : Math.ceil(height / rowHeight) + 2 * OVERSCAN + 1;

  useEffect(() => {
    const { current } = box;
    if (current === null || chosen < 0) return;
    const at = chosen * rowHeight;
    const from = current.scrollTop * scale;
    const { clientHeight } = current;
    if (at < from || at + rowHeight > from + clientHeight)
      current.scrollTop = Math.max(0, at - clientHeight / 2) / scale;
  }, [chosen, rowHeight]);

  return (
    <div
      class="list"
      ref={box}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      {...(chosen >= first && chosen < last && { 'aria-activedescendant': `row-${chosen}` })}
    >
      <div class="room" style={isPrinting ? {} : { height: `${room}px` }}>
        {Array.from({ length: last - first }, (_, at) => first + at).map((index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the page handles the keys, wherever the focus is
          <div
            key={index % slots}
            id={`row-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            aria-setsize={count}
            aria-posinset={index + 1}
            class={`row ${classOf(index)}`}
            style={isPrinting ? {} : { transform: `translateY(${index * rowHeight + top - offset}px)` }}
            onClick={() => onChoose(index)}
          >
            {children(index)}
          </div>
        ))}
        {isPrinting && last < count && <p class="nothing">and {plural(count - last, 'more row')}</p>}
      </div>
    </div>
  );
}
