import { atLeastCell } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import type { Outcome } from '../../dialects/sessions/kit/outcome.ts';
import type { SpanTimes } from '../../read/describe/call-waits.ts';
import type { Pause, TimelineRow } from '../../read/describe/session-timeline.ts';
import { type Span, type TimeRange, timeRangeOf } from '../../read/describe/spans.ts';
import { escapeText } from './escape.ts';
import { STATUS_MARKS } from './status-marks.ts';
import { pauseText } from './story-words.ts';
import type { Paint, Style } from './style.ts';
import { formatOffset } from './time.ts';
import { callTook, callWaited } from './waits.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { hanging, wrap, wrapParts } from './wrap.ts';

export interface TimelineOptions {
  /** The width of the terminal. */
  readonly width: number;
  readonly style: Style;
  readonly whole: TimeRange | undefined;
  /** When the run starts, in milliseconds since 1970. Offsets count from it. */
  readonly start: number | undefined;
  /** Long pauses, which the bars leave out. */
  readonly gaps: readonly Pause[];
  /** Between events the model may have worked, so a run is only idle between turns. */
  readonly gapName: 'idle' | 'without events' | 'without selected events';
  readonly lastLine: number;
  /** Whether a row waited for a person, so that there is a column for it. */
  readonly hasWaits: boolean;
  /** Names are whole commands, and get half of the width. */
  readonly hasLongNames?: boolean;
}

/** Why a timeline has no bars. */
export const NO_TIMES = 'unknown, because the records have no times';

const LABEL = 8;

/** A total below the rows, wrapped: a text, or parts that stay on one line each. */
export function totalLines(label: string, parts: readonly string[], style: Style, width: number): string[] {
  const texts = parts.map(escapeText);
  const [only] = texts;
  const room = width - LABEL;
  const lines = texts.length === 1 && only !== undefined ? wrap(only, room) : wrapParts(texts, room);
  return hanging(style.bold(label.padEnd(LABEL)), lines, ' '.repeat(LABEL));
}

type TimelineSpan = Omit<Span, 'status'> & Pick<TimelineRow, 'status' | 'lacks'>;

const OFFSET = 9;
const TOOK = 9;
const LEAST_BAR = 10;
/** The minimum width of name and bar. */
const LEAST_ROOM = LEAST_BAR + 8;
/** The last column of a bar has eight levels. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

const WAITED = 9;
const MARKS = { work: '█', wait: '░' } as const;

/** A turn with damaged lines may have lasted longer. */
const tookOf = ({ durationMs, atLeastMs, atMostMs, waitedMs, lacks }: TimelineSpan): string => {
  const times = { duration_ms: durationMs, at_least_ms: atLeastMs, at_most_ms: atMostMs };
  const took = callTook({ ...times, waited_ms: waitedMs });
  return took === '' ? '' : atLeastCell(lacks?.lines !== undefined, took);
};

/** How long a row waited for a person; empty if it did not, or too short to be shown. */
export const waitedOf = ({ atMostMs, waitedMs }: SpanTimes): string =>
  callWaited({ at_most_ms: atMostMs, waited_ms: waitedMs }) === ''
    ? ''
    : atLeastCell(atMostMs !== undefined, formatDuration(waitedMs ?? 0));

/** When a span waited for a person. A permission comes before the work, so the wait is at the beginning. */
export function waitsOf(span: Pick<Span, 'start' | 'end'> & SpanTimes): TimeRange[] {
  const range = waitedOf(span) === '' ? undefined : timeRangeOf(span);
  return range === undefined ? [] : [{ from: range.from, to: range.from + (span.waitedMs ?? 0) }];
}

/** Rows of spans with bars, and dividers for gaps. Pass the spans in order. */
export class Timeline {
  readonly #options: TimelineOptions;
  readonly #lineWidth: number;
  /** 0 if the terminal is too narrow. */
  readonly #offsetWidth: number;
  /** Whether there is a column for waits, and room for it; the bars show them too. */
  readonly #hasWaits: boolean;
  readonly #nameWidth: number;
  readonly #barWidth: number;
  /** The duration of a full-width bar in milliseconds. */
  readonly #length: number;
  #gapsLeft: Pause[];
  /** Whether damaged lines are between the last row and the next one. */
  #isAfterDamage = false;

  constructor(options: TimelineOptions) {
    this.#options = options;
    const { whole, gaps, width, lastLine, hasWaits, hasLongNames = false } = options;
    this.#gapsLeft = [...gaps];
    const idle = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
    this.#length = whole === undefined ? 0 : Math.max(0, whole.to - whole.from - idle);
    this.#lineWidth = Math.max(4, String(lastLine).length);
    const most = width - this.#lineWidth - TOOK - 7;
    this.#hasWaits = hasWaits && most - WAITED - 1 >= LEAST_ROOM;
    const left = this.#hasWaits ? most - WAITED - 1 : most;
    this.#offsetWidth = left - OFFSET >= LEAST_ROOM ? OFFSET : 0;
    const room = Math.max(left - this.#offsetWidth, LEAST_ROOM);
    this.#nameWidth = hasLongNames
      ? Math.min(60, Math.floor(room * 0.55))
      : Math.min(28, Math.floor(room * 0.45));
    this.#barWidth = Math.max(LEAST_BAR, room - this.#nameWidth);
  }

  header(): string {
    const { style, hasWaits } = this.#options;
    const legend = `${MARKS.work} work ${MARKS.wait} wait`;
    const cells = [
      'LINE'.padEnd(this.#lineWidth),
      ...(this.#offsetWidth > 0 ? ['OFFSET'.padStart(OFFSET)] : []),
      '  ',
      'EVENT'.padEnd(this.#nameWidth),
      (hasWaits && legend.length <= this.#barWidth ? legend : '').padEnd(this.#barWidth),
      'TOOK'.padStart(TOOK),
      ...(this.#hasWaits ? ['WAITED'.padStart(WAITED)] : []),
    ];
    return style.bold(cells.join(' '));
  }

  /** The lines of a span: possibly a divider, then its row. `waits`: when it waited for a person, if its parts say that. */
  row(span: TimelineSpan, waits?: readonly TimeRange[]): string[] {
    const { style, start } = this.#options;
    const range = timeRangeOf(span);
    const paint = this.#paintOf(span.status);
    // Trailing spaces are cut later, so they must not be coloured.
    const padded = (text: string, size: number) => paint(text) + ' '.repeat(size - displayWidth(text));
    const name = truncateToWidth(escapeText(span.name), this.#nameWidth);
    const offset = (range && start !== undefined ? formatOffset(range.from - start) : '').padStart(OFFSET);
    const cells = [
      style.dim(String(span.line).padEnd(this.#lineWidth)),
      ...(this.#offsetWidth > 0 ? [style.dim(offset)] : []),
      paint(STATUS_MARKS[span.status].padStart(2)),
      padded(name, this.#nameWidth),
      padded(range ? this.#bar(range, waits ?? waitsOf(span)) : '', this.#barWidth),
      tookOf(span).padStart(TOOK),
      ...(this.#hasWaits ? [waitedOf(span).padStart(WAITED)] : []),
    ];
    return [...(range ? this.#dividers(range) : []), cells.join(' ').trimEnd()];
  }

  /** The lines of what is no span, such as damaged lines: its text, as wide as the terminal. */
  note({ line, name, status }: TimelineSpan): string[] {
    const { style, width } = this.#options;
    this.#isAfterDamage = true;
    const rows = wrap(`── ${escapeText(name)} ──`, width - this.#lineWidth - 1);
    return hanging(
      `${style.dim(String(line).padEnd(this.#lineWidth))} `,
      rows.map(this.#paintOf(status)),
      ' '.repeat(this.#lineWidth + 1),
    );
  }

  #paintOf(status: Outcome): Paint {
    const { style } = this.#options;
    return { ok: style.cyan, error: style.red, veto: style.yellow, open: style.dim, unknown: style.dim }[
      status
    ];
  }

  /** The dividers after the last row. */
  end(): string[] {
    return this.#dividers({ from: Infinity });
  }

  #dividers({ from }: Pick<TimeRange, 'from'>): string[] {
    const { style, width, gapName } = this.#options;
    const passed = this.#gapsLeft.filter((gap) => gap.to <= from);
    this.#gapsLeft = this.#gapsLeft.filter((gap) => gap.to > from);
    const isUnknown = this.#isAfterDamage;
    this.#isAfterDamage = false;
    return passed.map((gap) => {
      const length = gap.to - gap.from;
      const parts = { ...(isUnknown && { unknownMs: length }), ...gap };
      const text = `── ${pauseText(length, parts, gapName)} `;
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

  /** Each wait has at least one column. */
  #bar({ from, to }: TimeRange, waits: readonly TimeRange[]): string {
    const [start, end] = [this.#column(from), this.#column(to)];
    const before = Math.min(Math.floor(start), this.#barWidth - 1);
    // An instant has its own mark, because its bar would be invisible.
    if (end - start < 1 / 8) return `${' '.repeat(before)}·`;
    const eighths = Math.max(0, Math.round((Math.min(end, this.#barWidth) - before) * 8));
    const size = Math.ceil(eighths / 8);
    const columns = waits.map((wait) => ({
      first: wait.from <= from ? 0 : Math.min(Math.round(this.#column(wait.from) - before), size - 1),
      end: wait.to >= to ? size : this.#column(wait.to) - before,
    }));
    const isWait = (at: number): boolean => {
      const middle = (at + Math.min(at + 1, eighths / 8)) / 2;
      return columns.some(({ first, end: last }) => at === first || (at > first && middle <= last));
    };
    const cells = Array.from({ length: Math.max(size, columns.length > 0 ? 1 : 0) }, (_, at) =>
      isWait(at) ? MARKS.wait : (at + 1) * 8 <= eighths ? MARKS.work : EIGHTHS[eighths % 8],
    );
    return ' '.repeat(before) + cells.join('');
  }
}
