import Table from 'cli-table3';
import type { EpisodeSummary } from '../episode/summary.ts';
import { parseInstant } from '../time/instant.ts';
import { BARE_TABLE } from './bare-table.ts';
import { harmless } from './harmless.ts';
import type { Paint, Style } from './style.ts';
import { formatTime, type TimeZone, timeTitle } from './time.ts';
import { displayWidth, truncateToWidth } from './width.ts';

/** How a list of episodes is laid out. */
export interface EpisodeListOptions {
  readonly style: Style;
  /** Columns of the terminal; Infinity where nothing is to be cut. */
  readonly width: number;
  readonly zone: TimeZone;
}

const LOG_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A length as `18.6 kB`. */
function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < LOG_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${LOG_UNITS[unit]}`;
}

function statusPaint(style: Style, status: string | undefined): Paint {
  if (status === 'ok') return style.green;
  if (status === 'error') return style.red;
  return style.yellow;
}

/** The episodes as a table: start, id in full, status, sealed, size of the log, task. */
export function renderList(
  episodes: readonly EpisodeSummary[],
  { style, width, zone }: EpisodeListOptions,
): string {
  const titles = [timeTitle(zone, undefined), 'EPISODE', 'STATUS', 'SEAL', 'LOG', 'TASK'];
  const rows = episodes.map(({ episode, started_at: start, task, status, log_bytes: bytes, sealed }) => {
    const instant = start === undefined ? undefined : parseInstant(start);
    return [
      instant === undefined ? harmless(start ?? '?') : formatTime(instant, zone, true).slice(0, 19),
      harmless(episode),
      harmless(status ?? 'unknown'),
      sealed ? 'sealed' : 'open',
      bytes === undefined ? 'no log' : formatBytes(bytes),
      harmless(task ?? ''),
    ];
  });
  const widths = titles.map((title, index) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[index] ?? ''))),
  );
  const fixed = widths.slice(0, -1).reduce((sum, size) => sum + size + 1, 0);
  const last = widths.length - 1;
  widths[last] = Math.max(4, Math.min(widths[last] ?? 0, width - fixed));
  const table = new Table({ ...BARE_TABLE, colWidths: widths });
  const cell = (text: string, index: number) => truncateToWidth(text, widths[index] ?? 0);
  table.push(titles.map((title, index) => style.bold(cell(title, index))));
  episodes.forEach(({ status, sealed }, index) => {
    const cells = (rows[index] ?? []).map(cell);
    const paints: Paint[] = [
      style.dim,
      style.cyan,
      statusPaint(style, status),
      sealed ? style.green : style.dim,
      style.dim,
    ];
    table.push(cells.map((text, column) => paints[column]?.(text) ?? text));
  });
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
