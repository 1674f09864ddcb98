import { escapeText } from '../../render/escape.ts';
import type { RowStatus } from '../page-data.ts';
import { type Episode, wordOf } from './episode.ts';
import { BAR_HEIGHT, barOf, barTop, type Drawing, pixelOf } from './timeline-place.ts';
import type { Lane } from './timeline-scale.ts';

/** The colours of the page. */
export interface Colours {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly bad: string;
  readonly doubtful: string;
  readonly accent: string;
  readonly ground: string;
}

/** Background colours of kinds, light enough for dark text. */
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
  const [tool = -1, phase = -1, type = 0] = [table.tool.at[row], table.phase.at[row], table.type.at[row]];
  // A tool has one colour, whatever records its calls have.
  const kind = tool >= 0 ? tool + 1 : phase >= 0 ? phase : type;
  return KINDS[kind % KINDS.length] ?? KINDS[0];
}

/** In pixels: narrower bars have no text. */
const LEAST_TEXT = 44;
const LETTER = 6.6;

/** How pale the part of a bar is in which its call waited for a person. */
const WAIT_ALPHA = 0.4;

/** A lane with more bars per pixel is drawn by density. */
const MOST_FOR_PIXEL = 1;

/** Draws how many events each place of a lane has, and how many of them are not ok. */
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
    // Keeps a few events visible next to many.
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
export function drawLane(
  pen: CanvasRenderingContext2D,
  drawing: Drawing,
  colours: Colours,
  lane: Lane,
): void {
  const { episode, scale, width, gutter } = drawing;
  const { table } = episode;
  const seen = lane.rows.flatMap((row, at) => {
    const { left, right } = barOf(drawing, row);
    return right >= gutter && left <= width ? [{ row, left, right, level: lane.levels[at] ?? 0 }] : [];
  });
  if (seen.length > (width - gutter) * MOST_FOR_PIXEL) return drawDensity(pen, drawing, colours, lane);
  const paints: Readonly<Record<RowStatus, string | undefined>> = {
    ok: undefined,
    error: colours.bad,
    veto: colours.doubtful,
    open: colours.muted,
    corrupt: colours.bad,
    unknown: colours.muted,
  };
  const isGood = ({ row }: { row: number }) => table.status[row] === 0;
  for (const bar of [...seen.filter(isGood), ...seen.filter((one) => !isGood(one))]) {
    const { row, right, level } = bar;
    const left = Math.max(bar.left, gutter);
    const top = barTop(lane, level);
    const trouble = paints[episode.status(row)];
    pen.fillStyle = trouble ?? kindColour(episode, row);
    // A gap between neighbouring bars, if there is room.
    const end = left + Math.max(right - left - (right - left > 6 ? 1 : 0), 1);
    const begun = Math.min(Math.max(pixelOf(drawing, scale.begun[row] ?? Number.NaN), left), end);
    pen.globalAlpha = WAIT_ALPHA;
    pen.fillRect(left, top, begun - left, BAR_HEIGHT);
    pen.globalAlpha = 1;
    pen.fillRect(begun, top, end - begun, BAR_HEIGHT);
    // On the pale part, a text would have too little contrast.
    const room = Math.min(right, width) - begun - 8;
    if (room < LEAST_TEXT) continue;
    const label = episode.labelOf(row) || wordOf(table.name, row) || lane.name;
    // In the lane of its tool, the rest of the label says more.
    const text = label.startsWith(`${lane.name} `) ? label.slice(lane.name.length + 1) : label;
    const letters = Math.floor(room / LETTER);
    pen.fillStyle = trouble === undefined ? KIND_TEXT : colours.ground;
    pen.fillText(
      escapeText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text),
      begun + 4,
      top + BAR_HEIGHT / 2,
      room,
    );
  }
}
