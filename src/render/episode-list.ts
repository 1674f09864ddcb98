import { dialectNamed } from '../dialects/registry.ts';
import { totalTokens } from '../dialects/tokens.ts';
import type { EpisodeSummary } from '../discover/summary.ts';
import type { TargetName } from '../discover/target-names.ts';
import { byText } from '../text/order.ts';
import { plainShellWord } from '../text/shell-word.ts';
import { parseInstant } from '../time/instant.ts';
import { formatShortAge } from './age.ts';
import { formatBytes } from './bytes.ts';
import { escapeText } from './escape.ts';
import { type Paint, type Style, tonePaint } from './style.ts';
import { tableLine } from './table-line.ts';
import { formatTime, type TimeZone, timeTitle } from './time.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { plural } from './words.ts';

/** How a list of episodes is laid out. */
export interface EpisodeListOptions {
  readonly style: Style;
  /** Columns of the terminal; Infinity where nothing is to be cut. */
  readonly width: number;
  readonly zone: TimeZone;
  /** What other commands call an episode. */
  readonly nameOf: (episode: EpisodeSummary) => TargetName;
  /** Milliseconds since 1970, where ages are shown instead of times. */
  readonly now?: number;
  /** Shows whole ids, times and paths, and leaves no column out for want of room. */
  readonly wide?: boolean;
}

/** A count as `18.6k`. */
function formatCount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value.toFixed(1)}${unit}`;
}

/** A terminal narrower than this shows no seconds, and sizes in round numbers. */
const FULL_FROM = 100;
/** A terminal narrower than this does not show why a run failed. */
const WHY_FROM = 120;
/** The part of the terminal that the title takes, if it is as long, before other columns are shown. */
const TITLE_PART = 0.3;
/** The part of the terminal that an id may take; a longer one has a line below its row. */
const ID_PART = 0.4;
/** An id that takes no more than this is in its row on any terminal. */
const MIN_ID_WIDTH = 24;
/** The longest phase of a workflow fits; a trace may say anything. */
const MAX_STATUS_WIDTH = 20;
/** A team that won and whom the judge accused fit. */
const MAX_RESULT_WIDTH = 32;
const MAX_PROJECT_WIDTH = 16;
const MAX_WHY_WIDTH = 40;
const PATH_INDENT = '  ';

/** A column of the list. */
interface Column {
  readonly title: string;
  /** The text of a cell, escaped; an empty one if nothing is known. A column without any text is left out. */
  readonly cell: (episode: EpisodeSummary) => string;
  readonly paint: (episode: EpisodeSummary) => Paint;
  /** Given up if the terminal has no room, the highest number first; 0: never. */
  readonly spare: number;
  /** What a cell shows if nothing is known. */
  readonly none?: string;
  /** In columns of the terminal: a longer text is cut. */
  readonly most?: number;
  readonly isNumber?: boolean;
}

/** A column with its cells, as wide as they are. */
interface LaidColumn extends Column {
  readonly cells: readonly string[];
  readonly width: number;
}

const plainText: Paint = (text) => text;

/** The columns of a list in their order; those that say nothing of any episode are left out later. */
function columnsFor(
  episodes: readonly EpisodeSummary[],
  ids: ReadonlyMap<EpisodeSummary, string>,
  { style, width, zone, nameOf, now, wide = false }: EpisodeListOptions,
): Column[] {
  const full = wide || width >= FULL_FROM;
  const dim = () => style.dim;
  const writtenAt = ({ written_at: written, started_at: start }: EpisodeSummary) => written ?? start;
  const time = (episode: EpisodeSummary): string => {
    const text = writtenAt(episode);
    const instant = parseInstant(text ?? '');
    if (instant === undefined) return escapeText(text ?? '');
    return formatTime(instant, zone, true).slice(0, full ? 19 : 16);
  };
  const age = (episode: EpisodeSummary): string => {
    const instant = parseInstant(writtenAt(episode) ?? '');
    return instant === undefined || now === undefined ? '' : formatShortAge(instant, now);
  };
  const projects = new Set(episodes.map(({ project }) => project));
  const tellsProject = projects.size > 1 || episodes.some(({ cwd }) => cwd !== undefined);
  const byId = new Map(episodes.map((episode) => [episode.episode, episode]));
  const originOf = (id: string): string => {
    const origin = byId.get(id);
    const name = origin && nameOf(origin);
    return name?.full === id ? name.short : id;
  };
  const seal = ({ dialect, sealed }: EpisodeSummary) =>
    dialect !== undefined && dialectNamed(dialect)?.seals ? (sealed ? 'sealed' : 'open') : '';
  return [
    {
      title: 'ID',
      spare: 0,
      cell: (episode) => ids.get(episode) ?? '',
      paint: () => style.cyan,
    },
    ...(now === undefined || wide
      ? [{ title: timeTitle(zone, undefined), spare: 1, cell: time, paint: dim, none: '?' }]
      : []),
    { title: 'AGE', spare: 2, cell: age, paint: dim, none: '?' },
    {
      title: 'STATUS',
      spare: 0,
      cell: ({ status = '' }) => escapeText(status),
      paint: ({ tone }) => tonePaint(style, tone),
      none: 'unknown',
      most: MAX_STATUS_WIDTH,
    },
    {
      title: 'RESULT',
      spare: 4,
      cell: ({ result = '' }) => escapeText(result),
      paint: () => plainText,
      most: MAX_RESULT_WIDTH,
    },
    {
      title: 'PROJECT',
      spare: 6,
      cell: ({ project = '' }) => (tellsProject ? escapeText(project) : ''),
      paint: () => plainText,
      most: MAX_PROJECT_WIDTH,
    },
    { title: 'TURNS', spare: 7, cell: ({ turns = '' }) => String(turns), paint: dim, isNumber: true },
    {
      title: 'TOKENS',
      spare: 5,
      cell: ({ tokens }) => (tokens === undefined ? '' : formatCount(totalTokens(tokens))),
      paint: dim,
      isNumber: true,
    },
    { title: 'MODEL', spare: 9, cell: ({ model = '' }) => escapeText(model), paint: dim },
    {
      title: 'SEAL',
      spare: 8,
      cell: seal,
      paint: ({ sealed }) => (sealed ? style.green : style.dim),
      none: '-',
    },
    {
      title: 'LOG',
      spare: 10,
      cell: ({ log_bytes: bytes }) => (bytes === undefined ? 'no log' : formatBytes(bytes, full ? 1 : 0)),
      paint: dim,
      isNumber: true,
    },
    ...(wide || width >= WHY_FROM
      ? [
          {
            title: 'WHY',
            spare: 8.5,
            cell: ({ why = '' }: EpisodeSummary) => escapeText(why),
            paint: ({ tone }: EpisodeSummary) => tonePaint(style, tone),
            most: MAX_WHY_WIDTH,
          },
        ]
      : []),
    ...(wide
      ? [{ title: 'PATH', spare: 0, cell: ({ path }: EpisodeSummary) => escapeText(path), paint: dim }]
      : []),
    {
      title: 'TITLE',
      spare: 3,
      cell: ({ task = '', forked_from: origin }) =>
        escapeText(origin === undefined ? task : `${task} (fork of ${originOf(origin)})`),
      paint: () => plainText,
    },
  ];
}

/**
 * The ids of episodes that are in their rows: one that is cut names nothing, so a long one has a line below its row. If
 * most are long, none is in a row.
 */
function idsInRows(
  episodes: readonly EpisodeSummary[],
  { nameOf, width, wide }: EpisodeListOptions,
): ReadonlyMap<EpisodeSummary, string> {
  const most = wide ? Infinity : Math.max(MIN_ID_WIDTH, width * ID_PART);
  const ids = episodes.map((episode) => {
    const { full, short } = nameOf(episode);
    return [episode, escapeText(wide ? full : short)] as const;
  });
  const fitting = ids.filter(([, id]) => displayWidth(id) <= most);
  return new Map(fitting.length * 2 < ids.length ? [] : fitting);
}

/** A column with what is in its cells. */
function laid(column: Column, episodes: readonly EpisodeSummary[], width: number): LaidColumn[] {
  const { title, cell, none = '', most = Infinity, isNumber } = column;
  const texts = episodes.map(cell);
  if (texts.every((text) => text === '')) return [];
  const shown = texts.map((text) => truncateToWidth(text || none, width === Infinity ? width : most));
  const widest = shown.reduce((sum, text) => Math.max(sum, displayWidth(text)), displayWidth(title));
  const cells = isNumber ? shown.map((text) => ' '.repeat(widest - displayWidth(text)) + text) : shown;
  return [{ ...column, cells, width: widest }];
}

/** The columns that a terminal has room for; the last one is cut to what is left. */
function fitted(columns: readonly LaidColumn[], width: number): LaidColumn[] {
  const last = columns.at(-1);
  if (last === undefined) return [];
  const fixed = columns.slice(0, -1).reduce((sum, column) => sum + column.width + 1, 0);
  const needed = last.title === 'TITLE' ? Math.min(last.width, Math.floor(width * TITLE_PART)) : last.width;
  const [spared] = columns.toSorted((a, b) => b.spare - a.spare);
  if (fixed + needed > width && spared !== undefined && spared.spare > 0)
    return fitted(
      columns.filter((column) => column !== spared),
      width,
    );
  return [...columns.slice(0, -1), { ...last, width: Math.max(1, Math.min(last.width, width - fixed)) }];
}

/** How many episodes a list has, by status, and how long their logs are. */
export function listSummary(episodes: readonly EpisodeSummary[], all: number): string {
  const statuses = new Map<string, number>();
  let bytes = 0;
  for (const { status = 'unknown', log_bytes: length = 0 } of episodes) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    bytes += length;
  }
  const counts = [...statuses].sort(([a, n], [b, m]) => m - n || byText(a, b));
  const words = counts.map(([status, count]) => `${count} ${escapeText(status)}`).join(', ');
  const shown =
    all > episodes.length ? `${episodes.length} of ${plural(all, 'episode')}` : plural(all, 'episode');
  return `${shown}: ${words}; ${formatBytes(bytes, 1)}`;
}

/**
 * The command that says more of one: of the newest that did not end well, if there is one. `root`: the one that ids are
 * looked up in, if it was named. The words about it are left out if both do not fit on a line.
 */
export function showHint(
  episodes: readonly EpisodeSummary[],
  { nameOf, width, root }: Pick<EpisodeListOptions, 'nameOf' | 'width'> & { root?: string },
): string {
  const isBad = ({ tone }: EpisodeSummary) => tone === 'bad' || tone === 'doubtful';
  const chosen = episodes.find(isBad) ?? episodes[0];
  if (chosen === undefined) return '';
  const { full, short } = nameOf(chosen);
  const isId = full === chosen.episode;
  const under = isId && root !== undefined ? ` --root ${plainShellWord(root)}` : '';
  const what = isBad(chosen) ? `why this one is ${chosen.status}` : 'what happened in the newest';
  const command = escapeText(`noesis show ${plainShellWord(short)}${under}`);
  const told = `${command}: ${escapeText(what)}`;
  return displayWidth(told) <= width ? told : command;
}

/** The episodes as a table: what names them, when they were written to, how they ended, what they are about. */
export function renderList(episodes: readonly EpisodeSummary[], options: EpisodeListOptions): string {
  const { style, width, nameOf, wide = false } = options;
  const ids = idsInRows(episodes, options);
  const found = columnsFor(episodes, ids, options).flatMap((column) => laid(column, episodes, width));
  const columns = wide ? found : fitted(found, width);
  const widths = columns.map((column) => column.width);
  const line = (cells: readonly string[], paint: (index: number) => Paint) =>
    tableLine(cells, { widths, paint, whole: wide || width === Infinity });
  const rows = episodes.map((episode, row) => {
    const cells = columns.map(({ cells }) => cells[row] as string);
    const paints = columns.map(({ paint }) => paint(episode));
    const text = line(cells, (index) => paints[index] as Paint);
    if (ids.has(episode)) return text;
    return `${text}\n${PATH_INDENT}${style.cyan(escapeText(nameOf(episode).short))}`;
  });
  const titles = columns.map(({ title, isNumber, width: size }) => (isNumber ? title.padStart(size) : title));
  return `${[line(titles, () => style.bold), ...rows].join('\n')}\n`;
}
