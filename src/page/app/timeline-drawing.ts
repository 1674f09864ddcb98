import { formatDuration } from '../../render/duration.ts';
import { escapeText } from '../../render/escape.ts';
import { formatOffset } from '../../render/time.ts';
import type { Episode } from './episode.ts';
import { indexIn } from './sorted.ts';
import { type Lane, type Scale, type Stretch, stepOf } from './timeline-scale.ts';

/** In pixels. */
export const AXIS_HEIGHT = 28;
export const LANE_HEIGHT = 34;
const BAR_HEIGHT = 16;
const LEAST_WIDTH = 3;

/** What is drawn. */
export interface Drawing {
  readonly episode: Episode;
  readonly lanes: readonly Lane[];
  readonly scale: Scale;
  readonly view: Stretch;
  readonly chosen: number;
  /** Rows of which the causes are drawn. */
  readonly arrows: readonly number[];
  readonly width: number;
  /** The room for the names of lanes; none where they stand above the bars. */
  readonly gutter: number;
}

interface Colours {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly ok: string;
  readonly bad: string;
  readonly doubtful: string;
  readonly accent: string;
  readonly ground: string;
}

function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(`--${name}`);
  return {
    text: of('text'),
    muted: of('muted'),
    line: of('line'),
    ok: of('bar'),
    bad: of('bad'),
    doubtful: of('doubtful'),
    accent: of('accent'),
    ground: of('ground'),
  };
}

/** Where a place of the axis is, in pixels from the left. */
export function pixelOf({ view, width, gutter }: Drawing, place: number): number {
  return gutter + ((place - view.from) / (view.to - view.from)) * (width - gutter);
}

export function placeAt({ view, width, gutter }: Drawing, pixel: number): number {
  return view.from + ((pixel - gutter) / (width - gutter)) * (view.to - view.from);
}

const laneTop = (lane: number): number => AXIS_HEIGHT + lane * LANE_HEIGHT;
const barTop = (lane: number): number => laneTop(lane) + LANE_HEIGHT - BAR_HEIGHT - 4;

function drawAxis(pen: CanvasRenderingContext2D, drawing: Drawing, colours: Colours, height: number): void {
  const { scale, view, width, gutter } = drawing;
  const step = stepOf(view.to - view.from, (width - gutter) / 110);
  pen.fillStyle = colours.muted;
  pen.strokeStyle = colours.line;
  pen.textBaseline = 'middle';
  for (let place = Math.ceil(view.from / step) * step; place < view.to; place += step) {
    const x = Math.round(pixelOf(drawing, place)) + 0.5;
    pen.beginPath();
    pen.moveTo(x, AXIS_HEIGHT - 6);
    pen.lineTo(x, height);
    pen.stroke();
    if (scale.gaps.some(({ from, to }) => place > from && place < to)) continue;
    const time = scale.timeAt(place);
    const text = time === undefined ? `#${Math.round(place) + 1}` : formatOffset(Math.max(0, time));
    pen.fillText(text, x + 4, AXIS_HEIGHT / 2);
  }
}

function drawGaps(pen: CanvasRenderingContext2D, drawing: Drawing, colours: Colours, height: number): void {
  for (const { from, to, length } of drawing.scale.gaps) {
    const [left, right] = [pixelOf(drawing, from), pixelOf(drawing, to)];
    if (right < drawing.gutter || left > drawing.width) continue;
    pen.fillStyle = colours.line;
    pen.globalAlpha = 0.5;
    pen.fillRect(left, AXIS_HEIGHT, Math.max(1, right - left), height);
    pen.globalAlpha = 1;
    pen.save();
    pen.translate((left + right) / 2, height - 6);
    pen.rotate(-Math.PI / 2);
    pen.fillStyle = colours.muted;
    if (right - left > 12) pen.fillText(`${formatDuration(length)} idle`, 0, 0);
    pen.restore();
  }
}

/**
 * What did not go well is drawn over the rest. Of bars that went well, one that lies within another drawn before is left
 * out where it is a pixel or so: a lane may have a hundred thousand.
 */
function drawLane(pen: CanvasRenderingContext2D, drawing: Drawing, colours: Colours, index: number): void {
  const { episode, scale, width, gutter, lanes } = drawing;
  const top = barTop(index);
  const paints = [colours.ok, colours.bad, colours.doubtful, colours.muted, colours.bad];
  const bar = (left: number, right: number, paint: string | undefined) => {
    const from = Math.max(left, gutter);
    pen.fillStyle = paint ?? colours.ok;
    // A line of the ground between neighbours, where there is room for one.
    pen.fillRect(from, top, Math.max(right - from - (right - left > 6 ? 1 : 0), 1), BAR_HEIGHT);
  };
  const troubles: [left: number, right: number, paint: string | undefined][] = [];
  let covered = -Infinity;
  for (const row of lanes[index]?.rows ?? []) {
    const left = pixelOf(drawing, scale.from[row] ?? Number.NaN);
    const right = Math.max(pixelOf(drawing, scale.to[row] ?? Number.NaN), left + LEAST_WIDTH);
    if (!(right >= gutter && left <= width)) continue;
    const status = episode.table.status[row] ?? 0;
    if (status !== 0) troubles.push([left, right, paints[status]]);
    else if (right > covered || right - left > LEAST_WIDTH) {
      bar(left, right, colours.ok);
      covered = Math.max(covered, right);
    }
  }
  for (const [left, right, paint] of troubles) bar(left, right, paint);
}

function middleOf(drawing: Drawing, row: number): { x: number; y: number } | undefined {
  const lane = drawing.lanes.findIndex(({ rows }) => indexIn(rows, row) >= 0);
  const [from, to] = [drawing.scale.from[row] ?? Number.NaN, drawing.scale.to[row] ?? Number.NaN];
  if (lane < 0 || Number.isNaN(from)) return undefined;
  const left = pixelOf(drawing, from);
  const width = Math.max(pixelOf(drawing, to) - left, LEAST_WIDTH);
  return { x: left + width / 2, y: barTop(lane) + BAR_HEIGHT / 2 };
}

function drawArrow(pen: CanvasRenderingContext2D, drawing: Drawing, cause: number, effect: number): void {
  const [a, b] = [middleOf(drawing, cause), middleOf(drawing, effect)];
  if (a === undefined || b === undefined) return;
  const bend = a.y === b.y ? -LANE_HEIGHT * 0.7 : 0;
  const middle = (a.x + b.x) / 2;
  pen.beginPath();
  pen.moveTo(a.x, a.y);
  pen.bezierCurveTo(middle, a.y + bend, middle, b.y + bend, b.x, b.y);
  pen.stroke();
  pen.beginPath();
  pen.arc(b.x, b.y, 3, 0, 2 * Math.PI);
  pen.fill();
}

function drawChosen(pen: CanvasRenderingContext2D, drawing: Drawing, colours: Colours): void {
  const { episode, chosen, arrows, scale } = drawing;
  pen.strokeStyle = colours.accent;
  pen.fillStyle = colours.accent;
  pen.lineWidth = 1.5;
  for (const row of arrows) {
    const cause = episode.table.cause[row] ?? -1;
    if (cause >= 0) drawArrow(pen, drawing, cause, row);
  }
  const place = chosen < 0 ? undefined : middleOf(drawing, chosen);
  if (place !== undefined) {
    const left = pixelOf(drawing, scale.from[chosen] ?? 0);
    const right = Math.max(pixelOf(drawing, scale.to[chosen] ?? 0), left + LEAST_WIDTH);
    pen.lineWidth = 2;
    pen.strokeRect(left - 3, place.y - BAR_HEIGHT / 2 - 3, right - left + 6, BAR_HEIGHT + 6);
  }
  pen.lineWidth = 1;
}

/** The names of lanes: beside them, or above their bars where there is no room for them. */
function drawNames(
  pen: CanvasRenderingContext2D,
  { lanes, gutter }: Drawing,
  colours: Colours,
  height: number,
): void {
  if (gutter > 0) {
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, gutter - 1, height);
  }
  pen.textBaseline = 'middle';
  for (const [index, { name }] of lanes.entries()) {
    const text = escapeText(name.slice(0, gutter > 0 ? 22 : 40));
    pen.fillStyle = colours.text;
    pen.fillText(
      text,
      4,
      gutter > 0 ? barTop(index) + BAR_HEIGHT / 2 : laneTop(index) + 7,
      gutter > 0 ? gutter - 12 : 300,
    );
  }
}

export const heightOf = (lanes: readonly Lane[]): number => laneTop(lanes.length) + 8;

/** Draws a timeline onto a canvas, in the colours that the page has. */
export function draw(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const { width, lanes } = drawing;
  const height = heightOf(lanes);
  const density = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
  }
  const colours = coloursOf(canvas);
  pen.setTransform(density, 0, 0, density, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = `12px ${getComputedStyle(canvas).fontFamily}`;
  drawAxis(pen, drawing, colours, height);
  drawGaps(pen, drawing, colours, height);
  for (const index of lanes.keys()) drawLane(pen, drawing, colours, index);
  drawChosen(pen, drawing, colours);
  drawNames(pen, drawing, colours, height);
}

/** The row whose bar is at a point, or the nearest in its lane; -1 where none is near. */
export function rowAt(drawing: Drawing, x: number, y: number): number {
  const { lanes, scale } = drawing;
  const rows = lanes[Math.floor((y - AXIS_HEIGHT) / LANE_HEIGHT)]?.rows ?? [];
  let [best, distance, length] = [-1, 12, Infinity];
  for (const row of rows) {
    const left = pixelOf(drawing, scale.from[row] ?? Number.NaN);
    const right = Math.max(pixelOf(drawing, scale.to[row] ?? Number.NaN), left + LEAST_WIDTH);
    const away = x < left ? left - x : x > right ? x - right : 0;
    // Of bars that lie on one another the shortest is meant: the others can be had beside it.
    if (away < distance || (away === distance && right - left <= length))
      [best, distance, length] = [row, away, right - left];
  }
  return best;
}
