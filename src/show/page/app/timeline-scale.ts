import { clockOf } from '../../../dialects/kit/story.ts';
import { type Episode, wordOf } from './episode.ts';

/** A range of the axis. */
export interface AxisRange {
  readonly from: number;
  readonly to: number;
}

/** A gap in which nothing happened. It is drawn shorter than it was. */
export interface Gap extends AxisRange {
  /** The original length in milliseconds. */
  readonly length: number;
}

export type Axis = 'time' | 'order';
/** `work`: lanes of turns, agents and tools. */
export type LanesBy = 'work' | 'phase' | 'agent' | 'type';

/** Gaps that are longer than this share of the whole are shortened to a share of the rest. */
const SHARE_OF_GAP = 0.1;
const DRAWN_SHARE = 0.03;
/** Further lanes are joined into the last one. */
const MOST_LANES = 24;

export interface Lane {
  readonly name: string;
  /** Rows in the order of the log. */
  readonly rows: readonly number[];
  /** The sub-row of each of them. Rows that overlap have different sub-rows. */
  readonly levels: Uint8Array;
  readonly levelCount: number;
  /** In pixels from the first lane. */
  readonly top: number;
}

/** In pixels: the height of a lane without its sub-rows, and of a sub-row. */
export const LANE_HEAD = 16;
export const LEVEL_HEIGHT = 18;
/** Further sub-rows share the last one. */
const MOST_LEVELS = 6;
/** A lane with more rows is drawn by density. */
const MOST_LEVELLED = 5000;

/** Assigns each row to the first free sub-row, so that rows do not overlap. */
function levelsOf(rows: readonly number[], { from, to }: Scale): Pick<Lane, 'levels' | 'levelCount'> {
  const levels = new Uint8Array(rows.length);
  if (rows.length > MOST_LEVELLED) return { levels, levelCount: 1 };
  const ends: number[] = [];
  const start = (at: number) => from[rows[at] ?? 0] ?? 0;
  for (const at of [...rows.keys()].sort((a, b) => start(a) - start(b))) {
    const end = to[rows[at] ?? 0] ?? 0;
    // Events without a duration overlap nothing.
    const free = end > start(at) ? ends.findIndex((last) => last <= start(at)) : 0;
    const level = Math.min(free < 0 ? ends.length : free, MOST_LEVELS - 1);
    levels[at] = level;
    ends[level] = Math.max(ends[level] ?? -Infinity, end);
  }
  return { levels, levelCount: Math.max(1, ends.length) };
}

/** The place of every event, on a time axis with folded gaps, or in order. */
export interface Scale {
  readonly from: Float64Array;
  /** Where its work began: before that, it waited for a person. */
  readonly begun: Float64Array;
  readonly to: Float64Array;
  readonly whole: AxisRange;
  readonly gaps: readonly Gap[];
  /** The time at a place on the axis, in milliseconds since `base`; undefined if the axis shows the order. */
  readonly timeAt: (place: number) => number | undefined;
  /** The place of a time, in milliseconds since `base`. */
  readonly placeOf: (time: number) => number;
}

/** The lane of a row by its work; undefined for the start of a call whose bar is at its result. */
function laneOfWork(episode: Episode, row: number): string | undefined {
  const { table } = episode;
  const call = episode.callOf(row);
  const tool = wordOf(table.tool, row) || call?.tool;
  if (tool !== undefined) {
    const isStart = call?.result_line !== undefined && call.result_line > (table.line[row] ?? 0);
    return isStart && episode.lasted(row) === undefined ? undefined : tool;
  }
  return episode.turnOf(row) === undefined ? wordOf(table.agent, row) || 'agent' : 'turns';
}

/** How long a row lasted. By work, a prompt lasts as long as its turn. */
function lastedBy(episode: Episode, by: LanesBy, row: number): number {
  const turn = by === 'work' ? episode.turnOf(row) : undefined;
  return episode.lasted(row) ?? (turn ? clockOf(turn) : 0);
}

/** How long a row waited for a person; a permission comes before the work. */
function waitedBy(episode: Episode, by: LanesBy, row: number): number {
  const turn = by === 'work' ? episode.turnOf(row) : undefined;
  return (episode.table.waits[row] ?? turn)?.waited_ms ?? 0;
}

/** The lanes of a column; the earliest is on top. Those of agents are above those of tools. */
export function lanesOf(episode: Episode, by: LanesBy, scale: Scale): Lane[] {
  const { table, count } = episode;
  const lanes = new Map<string, number[]>(by === 'work' ? [['turns', []]] : []);
  const isTool = (name: string) => by === 'work' && table.tool.words.includes(name);
  for (let row = 0; row < count; row += 1) {
    const word = by === 'work' ? laneOfWork(episode, row) : wordOf(table[by], row) || '—';
    if (word === undefined) continue;
    const name = lanes.has(word) || lanes.size < MOST_LANES - 1 ? word : 'others';
    const rows = lanes.get(name);
    if (rows) rows.push(row);
    else lanes.set(name, [row]);
  }
  let bottom = 0;
  const filled = [...lanes].filter(([, rows]) => rows.length > 0);
  const sorted = filled.sort(([a], [b]) => Number(isTool(a)) - Number(isTool(b)));
  return sorted.map(([name, rows]) => {
    const top = bottom;
    const levels = levelsOf(rows, scale);
    bottom += LANE_HEAD + levels.levelCount * LEVEL_HEIGHT;
    return { name, rows, top, ...levels };
  });
}

function byOrder(count: number): Scale {
  const from = Float64Array.from({ length: count }, (_, row) => row);
  const to = Float64Array.from({ length: count }, (_, row) => row + 0.8);
  return {
    from,
    begun: from,
    to,
    whole: { from: -0.5, to: count + 0.3 },
    gaps: [],
    timeAt: () => undefined,
    placeOf: (place) => place,
  };
}

/** The long gaps in which nothing happened. */
function gapsIn(from: Float64Array, to: Float64Array): AxisRange[] {
  const order = [...from.keys()]
    .filter((row) => !Number.isNaN(from[row]))
    .sort((a, b) => (from[a] ?? 0) - (from[b] ?? 0));
  const gaps: AxisRange[] = [];
  let end = Number.NaN;
  for (const row of order) {
    const start = from[row] ?? 0;
    if (start > end) gaps.push({ from: end, to: start });
    end = Number.isNaN(end) ? (to[row] ?? start) : Math.max(end, to[row] ?? start);
  }
  const whole = end - (from[order[0] ?? 0] ?? 0);
  const long = gaps.filter((gap) => gap.to - gap.from >= whole * SHARE_OF_GAP);
  const idle = long.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  // If no event lasted, there is nothing to make room for.
  return whole - idle > 1e-3 ? long : [];
}

/** The places of events. Without times they follow each other in log order. */
export function scaleOf(episode: Episode, axis: Axis, by: LanesBy): Scale {
  const { table, count } = episode;
  if (axis === 'order' || !table.start.some((start) => start !== null)) return byOrder(count);
  const from = Float64Array.from(table.start, (start) => start ?? Number.NaN);
  const to = from.map((start, row) => start + Math.max(0, lastedBy(episode, by, row)));
  const gaps = gapsIn(from, to);
  let [least, most] = [Infinity, -Infinity];
  for (let row = 0; row < count; row += 1) {
    least = Math.min(least, from[row] || (from[row] === 0 ? 0 : Infinity));
    most = Math.max(most, Number.isNaN(to[row]) ? -Infinity : (to[row] ?? 0));
  }
  const idle = gaps.reduce((sum, gap) => sum + (gap.to - gap.from), 0);
  const drawn = Math.max((most - least - idle) * DRAWN_SHARE, Number.EPSILON);
  const folded = (time: number): number =>
    gaps.reduce((place, gap) => {
      const excess = gap.to - gap.from - drawn;
      if (time >= gap.to) return place - excess;
      return time > gap.from ? place - ((time - gap.from) / (gap.to - gap.from)) * excess : place;
    }, time);
  const unfolded = (place: number): number => {
    let time = place;
    for (const gap of gaps) {
      const excess = gap.to - gap.from - drawn;
      if (time > gap.from + drawn) time += excess;
      else if (time > gap.from) time = gap.from + ((time - gap.from) / drawn) * (gap.to - gap.from);
    }
    return time;
  };
  const margin = Math.max((folded(most) - folded(least)) * 0.01, 0.001);
  return {
    from: from.map(folded),
    begun: from.map((start, row) => folded(Math.min(start + waitedBy(episode, by, row), to[row] ?? start))),
    to: to.map(folded),
    whole: { from: folded(least) - margin, to: folded(most) + margin },
    gaps: gaps.map((gap) => ({ from: folded(gap.from), to: folded(gap.to), length: gap.to - gap.from })),
    timeAt: unfolded,
    placeOf: folded,
  };
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
/** In milliseconds: steps that suit a clock. */
const CLOCK_STEPS = [1, 5, 15]
  .flatMap((count) => [count * SECOND, count * MINUTE])
  .concat(HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY)
  .sort((a, b) => a - b);

/**
 * The step between about `count` marks on an axis. For times of a second or more it suits a clock; otherwise it is 1, 2 or
 * 5 times a power of ten.
 */
export function stepOf(length: number, count: number, isTime: boolean): number {
  const rough = length / Math.max(1, count);
  if (isTime && rough > SECOND / 2) {
    const step = CLOCK_STEPS.find((one) => one >= rough);
    if (step !== undefined) return step;
  }
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
}

/** Zooms a range around a place: at most the whole, and at least a tenth of a microsecond. */
export function zoomed({ from, to }: AxisRange, whole: AxisRange, factor: number, around: number): AxisRange {
  const length = Math.min(Math.max((to - from) * factor, 1e-4), whole.to - whole.from);
  const share = (around - from) / (to - from);
  return within({ from: around - share * length, to: around + (1 - share) * length }, whole);
}

/** Moves a range into the whole. */
export function within({ from, to }: AxisRange, whole: AxisRange): AxisRange {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}
