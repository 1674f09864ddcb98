import { formatDuration } from '../../../base/time/duration.ts';
import { escapeText } from '../../render/escape.ts';
import { formatOffset } from '../../render/time.ts';
import { type Colours, drawLane } from './timeline-bars.ts';
import {
  AXIS_HEIGHT,
  BAR_HEIGHT,
  barOf,
  barTop,
  type Drawing,
  heightOf,
  laneTop,
  middleOf,
  pixelOf,
} from './timeline-place.ts';
import { LANE_HEAD, stepOf } from './timeline-scale.ts';

/** A canvas does not understand light-dark(), so its computed colour is read. */
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

/** No screen has room for more marks. */
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
  // Times that are thousands of years apart leave no precision, so the loop might not advance.
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
    // Marks next to a folded gap may be too close to each other.
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
    if (right - left > 12) pen.fillText(`${formatDuration(length)} without events`, 0, 0);
    pen.restore();
  }
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
  const { episode, chosen, arrows } = drawing;
  pen.strokeStyle = colours.accent;
  pen.fillStyle = colours.accent;
  pen.lineWidth = 1.5;
  for (const row of arrows) {
    const cause = episode.table.cause[row] ?? -1;
    if (cause >= 0) drawArrow(pen, drawing, cause, row);
  }
  const place = chosen < 0 ? undefined : middleOf(drawing, chosen);
  if (place !== undefined) {
    const { left, right } = barOf(drawing, chosen);
    pen.lineWidth = 2;
    pen.strokeRect(left - 3, place.y - BAR_HEIGHT / 2 - 3, right - left + 6, BAR_HEIGHT + 6);
  }
  pen.lineWidth = 1;
}

/** A name that fits. Its beginning and its end stay, because tools of one server begin alike. */
function fittingName(pen: CanvasRenderingContext2D, name: string, room: number): string {
  let text = name;
  for (let kept = Math.min(name.length, 80) - 1; kept > 2 && pen.measureText(text).width > room; kept -= 1) {
    const end = Math.floor(kept / 2);
    text = `${name.slice(0, kept - end)}…${name.slice(-end)}`;
  }
  return text;
}

/** Draws the names of lanes: on the left, or above the bars if there is no room. */
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
  pen.fillStyle = colours.text;
  const room = gutter > 0 ? gutter - 8 : 300;
  for (const lane of lanes)
    pen.fillText(
      fittingName(pen, escapeText(lane.name), room),
      4,
      gutter > 0 ? barTop(lane, 0) + BAR_HEIGHT / 2 : laneTop(lane) + 7,
    );
}

/** The distance between the marks of the axis, in its unit. */
export const markStep = ({ scale, view, width, gutter }: Drawing): number =>
  stepOf(view.to - view.from, (width - gutter) / 110, scale.timeAt(0) !== undefined);

/** Draws the range that the user is selecting. */
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

/** Draws a timeline onto a canvas, in the colours of the page. */
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
