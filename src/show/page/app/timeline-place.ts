import type { Episode } from './episode.ts';
import { indexIn } from './sorted.ts';
import { type AxisRange, LANE_HEAD, type Lane, LEVEL_HEIGHT, type Scale } from './timeline-scale.ts';

/** In pixels. */
export const AXIS_HEIGHT = 28;
export const BAR_HEIGHT = 16;
const LEAST_WIDTH = 3;

/** The contents of the drawing. */
export interface Drawing {
  readonly episode: Episode;
  readonly lanes: readonly Lane[];
  readonly scale: Scale;
  readonly view: AxisRange;
  readonly chosen: number;
  /** The rows whose causes are drawn. */
  readonly arrows: readonly number[];
  readonly width: number;
  /** In pixels: the width of lane names; 0 if they are above the bars. */
  readonly gutter: number;
  /** The range that the user is selecting. */
  readonly selected: AxisRange | undefined;
}

/** A place of the axis in pixels from the left. */
export function pixelOf({ view, width, gutter }: Drawing, place: number): number {
  return gutter + ((place - view.from) / (view.to - view.from)) * (width - gutter);
}

export function placeAt({ view, width, gutter }: Drawing, pixel: number): number {
  return view.from + ((pixel - gutter) / (width - gutter)) * (view.to - view.from);
}

export const laneTop = (lane: Lane): number => AXIS_HEIGHT + lane.top;
export const barTop = (lane: Lane, level: number): number =>
  laneTop(lane) + LANE_HEAD - 2 + level * LEVEL_HEIGHT;

/** The left and right end of a row's bar in pixels; NaN without a time. */
export function barOf(drawing: Drawing, row: number): { readonly left: number; readonly right: number } {
  const left = pixelOf(drawing, drawing.scale.from[row] ?? Number.NaN);
  const right = Math.max(pixelOf(drawing, drawing.scale.to[row] ?? Number.NaN), left + LEAST_WIDTH);
  return { left, right };
}

/** The middle of a row's bar. */
export function middleOf(drawing: Drawing, row: number): { x: number; y: number } | undefined {
  const lane = drawing.lanes.find(({ rows }) => indexIn(rows, row) >= 0);
  const { left, right } = barOf(drawing, row);
  if (lane === undefined || Number.isNaN(left)) return undefined;
  return {
    x: (left + right) / 2,
    y: barTop(lane, lane.levels[indexIn(lane.rows, row)] ?? 0) + BAR_HEIGHT / 2,
  };
}

/** In pixels: the height of all lanes with their axis. */
export function heightOf(lanes: readonly Lane[]): number {
  const last = lanes.at(-1);
  return AXIS_HEIGHT + 8 + (last ? last.top + LANE_HEAD + last.levelCount * LEVEL_HEIGHT : 0);
}

/** The row whose bar is at a point, or the nearest in its lane; -1 if none is near. */
export function rowAt(drawing: Drawing, x: number, y: number): number {
  const lane = drawing.lanes.findLast((one) => y >= laneTop(one));
  if (lane === undefined) return -1;
  const { rows, levels } = lane;
  const inLane = Math.floor((y - barTop(lane, 0)) / LEVEL_HEIGHT);
  const level = Math.max(0, Math.min(lane.levelCount - 1, inLane));
  let [best, distance, length] = [-1, 12, Infinity];
  for (const [at, row] of rows.entries()) {
    if (levels[at] !== level) continue;
    const { left, right } = barOf(drawing, row);
    const away = x < left ? left - x : x > right ? x - right : 0;
    // Of overlapping bars the shortest counts, because the others can be pointed at next to it.
    if (away < distance || (away === distance && right - left <= length))
      [best, distance, length] = [row, away, right - left];
  }
  return best;
}
