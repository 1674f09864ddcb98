import { formatDuration } from '../../render/duration.ts';
import { escapeText } from '../../render/escape.ts';
import { formatOffset } from '../../render/time.ts';
import { type Episode, wordOf } from './episode.ts';
import { indexIn } from './sorted.ts';
import { LANE_HEAD, type Lane, LEVEL_HEIGHT, type Scale, type Stretch, stepOf } from './timeline-scale.ts';

/** In pixels. */
export const AXIS_HEIGHT = 28;
const BAR_HEIGHT = 16;
const LEAST_WIDTH = 3;

/** The contents of the drawing. */
export interface Drawing {
  readonly episode: Episode;
  readonly lanes: readonly Lane[];
  readonly scale: Scale;
  readonly view: Stretch;
  readonly chosen: number;
  /** Rows of which the causes are drawn. */
  readonly arrows: readonly number[];
  readonly width: number;
  /** The width for names of lanes; 0 if they are above the bars. */
  readonly gutter: number;
  /** A stretch that is being selected. */
  readonly selected: Stretch | undefined;
}

interface Colours {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly bad: string;
  readonly doubtful: string;
  readonly accent: string;
  readonly ground: string;
}

/** A canvas does not understand light-dark(): its own colour is asked for each. */
function coloursOf(canvas: HTMLCanvasElement): Colours {
  const { color } = canvas.style;
  const of = (name: string) => {
    canvas.style.color = `var(--${name})`;
    return getComputedStyle(canvas).color;
  };
  const colours = {
    text: of('text'),
    muted: of('muted'),
    line: of('line'),
    bad: of('bad'),
    doubtful: of('doubtful'),
    accent: of('accent'),
    ground: of('ground'),
  };
  canvas.style.color = color;
  return colours;
}

/** Where a place of the axis is, in pixels from the left. */
export function pixelOf({ view, width, gutter }: Drawing, place: number): number {
  return gutter + ((place - view.from) / (view.to - view.from)) * (width - gutter);
}

export function placeAt({ view, width, gutter }: Drawing, pixel: number): number {
  return view.from + ((pixel - gutter) / (width - gutter)) * (view.to - view.from);
}

const laneTop = (lane: Lane): number => AXIS_HEIGHT + lane.top;
const barTop = (lane: Lane, level: number): number => laneTop(lane) + LANE_HEAD - 2 + level * LEVEL_HEIGHT;

/** More marks than this fit on no screen. */
const MOST_MARKS = 1000;

function drawAxis(pen: CanvasRenderingContext2D, drawing: Drawing, colours: Colours, height: number): void {
  const { scale, view } = drawing;
  const step = markStep(drawing);
  pen.fillStyle = colours.muted;
  pen.strokeStyle = colours.line;
  pen.textBaseline = 'middle';
  const timeAt = (place: number) => scale.timeAt(place) ?? place;
  let time = Math.ceil(timeAt(view.from) / step) * step;
  let free = 0;
  // Times that are thousands of years apart leave no precision to get out of a gap, or to make a step at all.
  for (let tries = 0; tries < MOST_MARKS && scale.placeOf(time) < view.to; tries += 1) {
    const place = scale.placeOf(time);
    const gap = scale.gaps.find(({ from, to }) => place > from && place < to);
    if (gap !== undefined) {
      time = Math.max(time + step, Math.ceil(timeAt(gap.to) / step) * step);
      continue;
    }
    const x = Math.round(pixelOf(drawing, place)) + 0.5;
    pen.beginPath();
    pen.moveTo(x, AXIS_HEIGHT - 6);
    pen.lineTo(x, height);
    pen.stroke();
    const isTime = scale.timeAt(place) !== undefined;
    const text = isTime
      ? formatOffset(time).replace(/\.000/, step < 1000 ? '.000' : '')
      : `#${Math.round(place) + 1}`;
    // Marks next to a folded stretch come close to each other.
    const end = x + 8 + pen.measureText(text).width;
    if (x >= free && end <= drawing.width) {
      pen.fillText(text, x + 4, AXIS_HEIGHT / 2);
      free = end;
    }
    time += step;
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

/** Colours of kinds: dark letters can be read on all of them. */
const KINDS = [
  '#9db8dd',
  '#a5cda4',
  '#dcbd8c',
  '#c6afdd',
  '#9ccfcf',
  '#dfafc2',
  '#cbce93',
  '#b6bbc4',
] as const;
const KIND_TEXT = '#1c1e21';

function kindColour({ table }: Episode, row: number): string {
  const phase = table.phase.at[row] ?? -1;
  return KINDS[(phase >= 0 ? phase : (table.type.at[row] ?? 0)) % KINDS.length] ?? KINDS[0];
}

/** A bar with less room has no text, in pixels. */
const LEAST_TEXT = 44;
const LETTER = 6.6;

/** A lane with more bars than this for a pixel is drawn as how many there are. */
const MOST_FOR_PIXEL = 1;

/** How many events there are at each place of a lane, and how many of them did not go well. */
function drawDensity(pen: CanvasRenderingContext2D, drawing: Drawing, colours: Colours, lane: Lane): void {
  const { episode, scale, width, gutter } = drawing;
  const [all, bad] = [new Uint32Array(Math.ceil(width)), new Uint32Array(Math.ceil(width))];
  for (const row of lane.rows) {
    const x = Math.floor(pixelOf(drawing, scale.from[row] ?? Number.NaN));
    if (!(x >= gutter && x < width)) continue;
    all[x] = (all[x] ?? 0) + 1;
    if (episode.table.status[row] !== 0) bad[x] = (bad[x] ?? 0) + 1;
  }
  const most = all.reduce((a, b) => Math.max(a, b), 1);
  const bottom = barTop(lane, 0) + BAR_HEIGHT;
  const column = (x: number, count: number, paint: string) => {
    if (count === 0) return;
    // Few among many are still seen.
    const height = Math.max(2, Math.sqrt(count / most) * BAR_HEIGHT);
    pen.fillStyle = paint;
    pen.fillRect(x, bottom - height, 1, height);
  };
  const colour = kindColour(episode, lane.rows[0] ?? 0);
  for (let x = 0; x < width; x += 1) {
    column(x, all[x] ?? 0, colour);
    column(x, bad[x] ?? 0, colours.bad);
  }
}

/** Draws the bars of a lane; failed ones last, above the others. */
function drawLane(pen: CanvasRenderingContext2D, drawing: Drawing, colours: Colours, lane: Lane): void {
  const { episode, scale, width, gutter } = drawing;
  const { table } = episode;
  const seen = lane.rows.flatMap((row, at) => {
    const left = pixelOf(drawing, scale.from[row] ?? Number.NaN);
    const right = Math.max(pixelOf(drawing, scale.to[row] ?? Number.NaN), left + LEAST_WIDTH);
    return right >= gutter && left <= width ? [{ row, left, right, level: lane.levels[at] ?? 0 }] : [];
  });
  if (seen.length > (width - gutter) * MOST_FOR_PIXEL) return drawDensity(pen, drawing, colours, lane);
  const paints = [undefined, colours.bad, colours.doubtful, colours.muted, colours.bad];
  const isGood = ({ row }: { row: number }) => table.status[row] === 0;
  for (const bar of [...seen.filter(isGood), ...seen.filter((one) => !isGood(one))]) {
    const { row, right, level } = bar;
    const left = Math.max(bar.left, gutter);
    const top = barTop(lane, level);
    const trouble = paints[table.status[row] ?? 0];
    pen.fillStyle = trouble ?? kindColour(episode, row);
    // A gap between neighbouring bars, if there is room.
    pen.fillRect(left, top, Math.max(right - left - (right - left > 6 ? 1 : 0), 1), BAR_HEIGHT);
    const room = Math.min(right, width) - left - 8;
    if (room < LEAST_TEXT) continue;
    const text = table.text[row] || wordOf(table.name, row) || lane.name;
    const letters = Math.floor(room / LETTER);
    pen.fillStyle = trouble === undefined ? KIND_TEXT : colours.ground;
    pen.fillText(
      escapeText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text),
      left + 4,
      top + BAR_HEIGHT / 2,
      room,
    );
  }
}

function middleOf(drawing: Drawing, row: number): { x: number; y: number } | undefined {
  const lane = drawing.lanes.find(({ rows }) => indexIn(rows, row) >= 0);
  const [from, to] = [drawing.scale.from[row] ?? Number.NaN, drawing.scale.to[row] ?? Number.NaN];
  if (lane === undefined || Number.isNaN(from)) return undefined;
  const left = pixelOf(drawing, from);
  const width = Math.max(pixelOf(drawing, to) - left, LEAST_WIDTH);
  return { x: left + width / 2, y: barTop(lane, lane.levels[indexIn(lane.rows, row)] ?? 0) + BAR_HEIGHT / 2 };
}

function drawArrow(pen: CanvasRenderingContext2D, drawing: Drawing, cause: number, effect: number): void {
  const [a, b] = [middleOf(drawing, cause), middleOf(drawing, effect)];
  if (a === undefined || b === undefined) return;
  const bend = a.y === b.y ? -LANE_HEAD * 1.5 : 0;
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

/** The names of lanes: on the left, or above their bars without room there. */
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
  for (const lane of lanes) {
    const { name } = lane;
    const text = escapeText(name.slice(0, gutter > 0 ? 22 : 40));
    pen.fillStyle = colours.text;
    pen.fillText(
      text,
      4,
      gutter > 0 ? barTop(lane, 0) + BAR_HEIGHT / 2 : laneTop(lane) + 7,
      gutter > 0 ? gutter - 12 : 300,
    );
  }
}

export function heightOf(lanes: readonly Lane[]): number {
  const last = lanes.at(-1);
  return AXIS_HEIGHT + 8 + (last ? last.top + LANE_HEAD + last.levelCount * LEVEL_HEIGHT : 0);
}

/** How far apart the marks of the axis are, in its unit. */
export const markStep = ({ scale, view, width, gutter }: Drawing): number =>
  stepOf(view.to - view.from, (width - gutter) / 110, scale.timeAt(0) !== undefined);

/** The stretch that is being selected. */
function drawSelected(
  pen: CanvasRenderingContext2D,
  drawing: Drawing,
  colours: Colours,
  height: number,
): void {
  const { selected } = drawing;
  if (selected === undefined) return;
  const [left, right] = [pixelOf(drawing, selected.from), pixelOf(drawing, selected.to)];
  pen.globalAlpha = 0.2;
  pen.fillStyle = colours.accent;
  pen.fillRect(left, 0, right - left, height);
  pen.globalAlpha = 1;
}

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
  for (const lane of lanes) drawLane(pen, drawing, colours, lane);
  drawChosen(pen, drawing, colours);
  drawSelected(pen, drawing, colours, height);
  drawNames(pen, drawing, colours, height);
}

/** The row whose bar is at a point, or the nearest in its lane; -1 if none is near. */
export function rowAt(drawing: Drawing, x: number, y: number): number {
  const { lanes, scale } = drawing;
  const lane = lanes.findLast((one) => y >= laneTop(one));
  if (lane === undefined) return -1;
  const { rows, levels } = lane;
  const inLane = Math.floor((y - barTop(lane, 0)) / LEVEL_HEIGHT);
  const level = Math.max(0, Math.min(lane.levelCount - 1, inLane));
  let [best, distance, length] = [-1, 12, Infinity];
  for (const [at, row] of rows.entries()) {
    if (levels[at] !== level) continue;
    const left = pixelOf(drawing, scale.from[row] ?? Number.NaN);
    const right = Math.max(pixelOf(drawing, scale.to[row] ?? Number.NaN), left + LEAST_WIDTH);
    const away = x < left ? left - x : x > right ? x - right : 0;
    // Of overlapping bars the shortest is meant, because the others can be reached next to it.
    if (away < distance || (away === distance && right - left <= length))
      [best, distance, length] = [row, away, right - left];
  }
  return best;
}
