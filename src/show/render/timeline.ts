import { formatDuration } from '../../base/time/duration.ts';
import type { SpanStatus } from '../../dialects/kit/account.ts';
import { type Span, type TimeRange, timeRangeOf } from '../../read/describe/spans.ts';
import { escapeText } from './escape.ts';
import { STATUS_MARKS } from './status-marks.ts';
import type { Paint, Style } from './style.ts';
import { formatOffset } from './time.ts';
import { callTook } from './waits.ts';
import { displayWidth, truncateToWidth } from './width.ts';

export interface TimelineOptions {
  /** The width of the terminal. */
  readonly width: number;
  readonly style: Style;
  readonly whole: TimeRange | undefined;
  /** When the run starts, in milliseconds since 1970. Offsets count from it. */
  readonly start: number | undefined;
  /** Long idle gaps, which the bars leave out. */
  readonly gaps: readonly TimeRange[];
  readonly lastLine: number;
  /** Names are whole commands, and get half of the width. */
  readonly hasLongNames?: boolean;
}

const OFFSET = 9;
const TOOK = 9;
const LEAST_BAR = 10;
/** The minimum width of name and bar. */
const LEAST_ROOM = LEAST_BAR + 8;
/** The last column of a bar has eight levels. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A row. `atMostMs`: of a call that waited for a person, if the log does not say how long it worked. */
type TimelineSpan = Span & { readonly atMostMs?: number };

const tookOf = ({ durationMs, atMostMs }: TimelineSpan): string =>
  callTook({ duration_ms: durationMs, at_most_ms: atMostMs });

/** Rows of spans with bars, and dividers for gaps. Pass the spans in order. */
export class Timeline {
  readonly #options: TimelineOptions;
  readonly #lineWidth: number;
  /** 0 if the terminal is too narrow. */
  readonly #offsetWidth: number;
  readonly #nameWidth: number;
  readonly #barWidth: number;
  /** The duration of a full-width bar in milliseconds. */
  readonly #length: number;
  #gapsLeft: TimeRange[];

  constructor(options: TimelineOptions) {
    this.#options = options;
    const { whole, gaps, width, lastLine, hasLongNames = false } = options;
    this.#gapsLeft = [...gaps];
    const idle = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
    this.#length = whole === undefined ? 0 : Math.max(0, whole.to - whole.from - idle);
    this.#lineWidth = Math.max(4, String(lastLine).length);
    const left = width - this.#lineWidth - TOOK - 7;
    this.#offsetWidth = left - OFFSET >= LEAST_ROOM ? OFFSET : 0;
    const room = Math.max(left - this.#offsetWidth, LEAST_ROOM);
    this.#nameWidth = hasLongNames
      ? Math.min(60, Math.floor(room * 0.55))
      : Math.min(28, Math.floor(room * 0.45));
    this.#barWidth = Math.max(LEAST_BAR, room - this.#nameWidth);
  }

  header(): string {
    const { style } = this.#options;
    const cells = [
      'LINE'.padEnd(this.#lineWidth),
      ...(this.#offsetWidth > 0 ? ['OFFSET'.padStart(OFFSET)] : []),
      '  ',
      'EVENT'.padEnd(this.#nameWidth),
      ''.padEnd(this.#barWidth),
      'TOOK'.padStart(TOOK),
    ];
    return style.bold(cells.join(' '));
  }

  /** The lines of a span: possibly a divider, then its row. */
  row(span: TimelineSpan, depth = 0): string[] {
    const { style, start } = this.#options;
    const range = timeRangeOf(span);
    const paint = this.#paintOf(span.status);
    // Trailing spaces are cut later, so they must not be coloured.
    const padded = (text: string, size: number) => paint(text) + ' '.repeat(size - displayWidth(text));
    const name = truncateToWidth(`${'  '.repeat(depth)}${escapeText(span.name)}`, this.#nameWidth);
    const offset = (range && start !== undefined ? formatOffset(range.from - start) : '').padStart(OFFSET);
    const cells = [
      style.dim(String(span.line).padEnd(this.#lineWidth)),
      ...(this.#offsetWidth > 0 ? [style.dim(offset)] : []),
      paint(STATUS_MARKS[span.status].padStart(2)),
      padded(name, this.#nameWidth),
      padded(range ? this.#bar(range) : '', this.#barWidth),
      tookOf(span).padStart(TOOK),
    ];
    return [...(range ? this.#dividers(range) : []), cells.join(' ').trimEnd()];
  }

  #paintOf(status: SpanStatus): Paint {
    const { style } = this.#options;
    return { ok: style.cyan, error: style.red, veto: style.yellow, open: style.dim }[status];
  }

  /** The dividers after the last row. */
  end(): string[] {
    return this.#dividers({ from: Infinity });
  }

  #dividers({ from }: Pick<TimeRange, 'from'>): string[] {
    const { style, width } = this.#options;
    const passed = this.#gapsLeft.filter((gap) => gap.to <= from);
    this.#gapsLeft = this.#gapsLeft.filter((gap) => gap.to > from);
    return passed.map((gap) => {
      const text = `── ${formatDuration(gap.to - gap.from)} idle `;
      return style.dim(text + '─'.repeat(Math.max(2, Math.min(width, 200) - displayWidth(text))));
    });
  }

  /** An instant as a column of the bar, without the gaps before it. */
  #column(moment: number): number {
    const { whole, gaps } = this.#options;
    if (whole === undefined || this.#length === 0) return 0;
    const idle = gaps.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(moment, to) - Math.min(moment, from)),
      0,
    );
    return ((moment - whole.from - idle) / this.#length) * this.#barWidth;
  }

  #bar({ from, to }: TimeRange): string {
    const [start, end] = [this.#column(from), this.#column(to)];
    const before = Math.min(Math.floor(start), this.#barWidth - 1);
    // An instant has its own mark, because its bar would be invisible.
    if (end - start < 1 / 8) return `${' '.repeat(before)}·`;
    const eighths = Math.round((Math.min(end, this.#barWidth) - before) * 8);
    return ' '.repeat(before) + '█'.repeat(Math.floor(eighths / 8)) + String(EIGHTHS[eighths % 8]);
  }
}
