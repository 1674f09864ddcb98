import { formatDuration } from '../../base/time/duration.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { costCell } from '../../dialects/kit/prices.ts';
import { totalTokens } from '../../dialects/kit/tokens.ts';
import { dialectNamed } from '../../dialects/registry.ts';
import type { EpisodeSummary } from '../../find/summary.ts';
import type { ShownName } from '../../find/target-names.ts';
import { formatShortAge } from './age.ts';
import { formatBytes } from './bytes.ts';
import { escapeText } from './escape.ts';
import { isDamaged } from './list-foot.ts';
import { DAMAGED_MARK } from './status-marks.ts';
import { asIs, type Paint, type Style, tonePaint } from './style.ts';
import { tableLine } from './table-line.ts';
import { formatTime, type TimeZone, timeTitle } from './time.ts';
import { displayWidth, truncateToWidth } from './width.ts';

interface EpisodeListOptions {
  readonly style: Style;
  /** The width of the terminal; Infinity: do not cut. */
  readonly width: number;
  readonly zone: TimeZone;
  /** The name of an episode for other commands. */
  readonly nameOf: (episode: EpisodeSummary) => ShownName;
  /** Milliseconds since 1970, to show ages instead of times. */
  readonly now?: number;
  /** The order of the rows. Its column is always shown; by `start`, times are those when runs started. */
  readonly sortedBy?: string;
  /** Show whole ids, times and paths, and all columns. */
  readonly wide?: boolean;
}

/** Formats a count as `18.6k`. */
function formatCount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value.toFixed(1)}${unit}`;
}

/** Narrower terminals show times without seconds, and rounded sizes. */
const FULL_FROM = 100;
/** On narrower terminals, the reason for a failure would be cut too much. */
const WHY_FROM = 60;
/** The share of the terminal that a long title gets before optional columns. */
const TITLE_PART = 0.3;
/** The share that it gets before the dialect, which says what program a run is of. */
const TITLE_PART_BY_DIALECT = 0.2;
/**
 * The share of the terminal that an id may take; a longer id is on a line below its row. Runs of several dialects have a
 * column more, and less room for ids.
 */
const ID_PART = { ofOne: 0.4, ofSeveral: 0.3 };
/** An id of this length is in its row on any terminal. */
const MIN_ID_WIDTH = 24;
/** The share of the ids that decides how wide their column is, if a wider one would take the room of another column. */
const MOST_IDS = 0.8;
/** Fits the longest phase of a workflow; a trace may contain anything. */
const MAX_STATUS_WIDTH = 20;
/** Fits the winning team and the accused. */
const MAX_RESULT_WIDTH = 32;
const MAX_PROJECT_WIDTH = 16;
/** Without a terminal, nothing is cut. A longer text moves the rest of its row, because padding would make every row long. */
const MAX_PADDED = 40;
const PATH_INDENT = '  ';

/** A column of the list. */
interface Column {
  readonly title: string;
  /** The escaped text of a cell; empty if unknown. A column without any text is left out. */
  readonly cell: (episode: EpisodeSummary) => string;
  readonly paint: (episode: EpisodeSummary) => Paint;
  /** The column with the highest number is dropped first if there is no room; 0: never dropped. */
  readonly spare: number;
  /** The text of an empty cell. */
  readonly none?: string;
  /** The maximum width; longer texts are cut. */
  readonly most?: number;
  readonly isNumber?: boolean;
}

/** A column with its cells and width. */
interface LaidColumn extends Column {
  readonly cells: readonly string[];
  readonly width: number;
}

/** Whether a list has to say which program a run is of. */
const hasSeveralDialects = (episodes: readonly EpisodeSummary[]): boolean =>
  new Set(episodes.flatMap(({ dialect }) => dialect ?? [])).size > 1;

/** The column of an order, if that is not always shown. */
const COLUMN_OF: Readonly<Record<string, string>> = {
  tokens: 'TOKENS',
  cost: 'COST',
  took: 'LASTED',
  size: 'LOG',
};

/** A status, marked if the log has damaged lines, so that it may not be how the run ended. `width`: that of the terminal. */
function statusCell(episode: EpisodeSummary, width: number): string {
  const text = truncateToWidth(
    escapeText(episode.status ?? ''),
    width === Infinity ? width : MAX_STATUS_WIDTH,
  );
  return isDamaged(episode) ? `${text || 'unknown'} ${DAMAGED_MARK}` : text;
}

/** The columns of a list in order. Those without any text are dropped later. */
function columnsFor(
  episodes: readonly EpisodeSummary[],
  ids: ReadonlyMap<EpisodeSummary, string>,
  { style, width, zone, nameOf, now, wide = false, sortedBy }: EpisodeListOptions,
): Column[] {
  const showsStart = sortedBy === 'start';
  const full = wide || width >= FULL_FROM;
  const dim = () => style.dim;
  const shownTime = ({ written_at: written, started_at: start }: EpisodeSummary) =>
    showsStart ? start : (written ?? start);
  const time = (episode: EpisodeSummary): string => {
    const text = shownTime(episode);
    const instant = parseInstant(text);
    if (instant === undefined) return escapeText(text ?? '');
    return formatTime(instant, zone, true).slice(0, full ? 19 : 16);
  };
  const age = (episode: EpisodeSummary): string => {
    const instant = parseInstant(shownTime(episode));
    return instant === undefined || now === undefined ? '' : formatShortAge(instant, now);
  };
  const titleOfTime = timeTitle(zone, undefined).replace('TIME', showsStart ? 'START' : 'TIME');
  const projects = new Set(episodes.map(({ project }) => project));
  const tellsProject = projects.size > 1 || episodes.some(({ cwd }) => cwd !== undefined);
  const hasSeveral = hasSeveralDialects(episodes);
  const originOf = briefNames(episodes, nameOf);
  const repairInTitle = (episode: EpisodeSummary): string => {
    const text = hasLinesBelow({ width, wide }) ? undefined : repairText(episode, originOf);
    return text === undefined ? '' : ` (${text})`;
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
      ? [{ title: titleOfTime, spare: 1, cell: time, paint: dim, none: '?' }]
      : []),
    { title: showsStart ? 'START' : 'AGE', spare: 2, cell: age, paint: dim, none: '?' },
    {
      title: 'STATUS',
      spare: 0,
      cell: (episode) => statusCell(episode, width),
      paint: ({ tone }) => tonePaint(style, tone),
      none: 'unknown',
    },
    {
      title: 'RESULT',
      spare: 4,
      cell: ({ result = '' }) => escapeText(result),
      paint: () => asIs,
      most: MAX_RESULT_WIDTH,
    },
    {
      title: 'PROJECT',
      spare: 4.5,
      cell: ({ project = '' }) => (tellsProject ? escapeText(project) : ''),
      paint: () => asIs,
      most: MAX_PROJECT_WIDTH,
    },
    {
      title: 'DIALECT',
      spare: 3.5,
      cell: ({ dialect = '' }) => (hasSeveral ? escapeText(dialect) : ''),
      paint: () => asIs,
    },
    {
      title: 'LASTED',
      spare: 1,
      cell: ({ took_ms: took }) =>
        !(sortedBy === 'took' || wide) || took === undefined ? '' : formatDuration(took),
      paint: dim,
      isNumber: true,
    },
    ...(wide
      ? [
          {
            title: 'CHAIN',
            spare: 8,
            cell: ({ chain = '' }: EpisodeSummary) => escapeText(chain),
            paint: dim,
          },
        ]
      : []),
    {
      title: 'TURNS',
      spare: 7,
      // A damaged line may have been a prompt.
      cell: ({ turns, lacks }) =>
        turns === undefined ? '' : `${lacks?.lines === undefined ? '' : '≥'}${turns}`,
      paint: dim,
      isNumber: true,
    },
    {
      title: 'TOKENS',
      spare: 5,
      cell: ({ tokens, lacks }) =>
        tokens === undefined || totalTokens(tokens) === 0
          ? ''
          : `${lacks === undefined ? '' : '≥'}${formatCount(totalTokens(tokens))}`,
      paint: dim,
      isNumber: true,
    },
    {
      title: 'COST',
      spare: 5,
      cell: ({ cost }) => (cost === undefined ? '' : escapeText(costCell(cost))),
      paint: dim,
      isNumber: true,
    },
    {
      title: 'MODEL',
      spare: 9,
      cell: ({ model = '', models = [] }) =>
        escapeText(models.length > 1 ? `${model} +${models.length - 1}` : model),
      paint: dim,
    },
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
    ...(wide
      ? [{ title: 'PATH', spare: 0, cell: ({ path }: EpisodeSummary) => escapeText(path), paint: dim }]
      : []),
    {
      title: 'TITLE',
      spare: 3,
      cell: (episode) => {
        const { task = '', forked_from: origin } = episode;
        const fork = origin === undefined ? '' : ` (fork of ${originOf(origin)})`;
        return escapeText(`${task}${fork}${repairInTitle(episode)}`);
      },
      paint: () => asIs,
    },
    // Reasons are the longest texts, so they come last, where nothing is padded to their width.
    ...(wide || width === Infinity
      ? [
          {
            title: 'WHY',
            spare: 8.5,
            cell: ({ why = '', status }: EpisodeSummary) =>
              escapeText(why.startsWith(`${status}: `) ? why.slice(`${status}: `.length) : why),
            paint: ({ tone }: EpisodeSummary) => tonePaint(style, tone),
          },
        ]
      : []),
  ];
}

/**
 * The ids that are shown in their rows. A cut id is useless, so a long id is on a line below its row. If most
 * ids are long, none is in its row.
 */
function idsInRows(
  episodes: readonly EpisodeSummary[],
  { nameOf, width, wide }: EpisodeListOptions,
  isNarrow: boolean,
): ReadonlyMap<EpisodeSummary, string> {
  const part = hasSeveralDialects(episodes) ? ID_PART.ofSeveral : ID_PART.ofOne;
  const ids = episodes.map((episode) => {
    const { full, brief } = nameOf(episode);
    return [episode, escapeText(wide ? full : brief)] as const;
  });
  const widths = ids.map(([, id]) => displayWidth(id)).sort((a, b) => a - b);
  const usual = widths[Math.floor((widths.length - 1) * MOST_IDS)] ?? 0;
  const most = wide ? Infinity : isNarrow ? usual : Math.max(MIN_ID_WIDTH, width * part);
  const fitting = ids.filter(([, id]) => displayWidth(id) <= most);
  return new Map(fitting.length * 2 < ids.length ? [] : fitting);
}

/** A column with the texts of its cells. */
function laid(column: Column, episodes: readonly EpisodeSummary[], width: number): LaidColumn[] {
  const { title, cell, none = '', most = Infinity, isNumber } = column;
  const texts = episodes.map(cell);
  if (texts.every((text) => text === '')) return [];
  const shown = texts.map((text) => truncateToWidth(text || none, width === Infinity ? width : most));
  const widest = shown.reduce((sum, text) => Math.max(sum, displayWidth(text)), displayWidth(title));
  const cells = isNumber ? shown.map((text) => ' '.repeat(widest - displayWidth(text)) + text) : shown;
  return [{ ...column, cells, width: width === Infinity ? Math.min(widest, MAX_PADDED) : widest }];
}

/** The columns that fit; the last one is cut to the rest of the width. */
function fitted(columns: readonly LaidColumn[], width: number): LaidColumn[] {
  const last = columns.at(-1);
  if (last === undefined) return [];
  const fixed = columns.slice(0, -1).reduce((sum, column) => sum + column.width + 1, 0);
  const [spared] = columns.toSorted((a, b) => b.spare - a.spare);
  const part = spared?.title === 'DIALECT' ? TITLE_PART_BY_DIALECT : TITLE_PART;
  const needed = last.title === 'TITLE' ? Math.min(last.width, Math.floor(width * part)) : last.width;
  if (fixed + needed > width && spared !== undefined && spared.spare > 0)
    return fitted(
      columns.filter((column) => column !== spared),
      width,
    );
  return [...columns.slice(0, -1), { ...last, width: Math.max(1, Math.min(last.width, width - fixed)) }];
}

type Layout = Pick<EpisodeListOptions, 'width' | 'wide'>;

/** Whether what a column is too narrow for is on a line below its row. */
const hasLinesBelow = ({ width, wide }: Layout): boolean => !wide && width !== Infinity && width >= WHY_FROM;

/** A short name for the id of a run that is listed too. */
function briefNames(
  episodes: readonly EpisodeSummary[],
  nameOf: EpisodeListOptions['nameOf'],
): (id: string) => string {
  const byId = new Map(episodes.map((episode) => [episode.episode, episode]));
  return (id) => {
    const named = byId.get(id);
    const name = named && nameOf(named);
    return name?.full === id ? name.brief : id;
  };
}

/** That a run is a repaired copy, or has one; undefined for other runs. */
function repairText(
  { copy_of: original, repaired_as: copy }: EpisodeSummary,
  briefOf: (id: string) => string,
): string | undefined {
  if (original !== undefined) return `repaired copy of ${briefOf(original)}`;
  return copy === undefined ? undefined : `repaired as ${briefOf(copy)}`;
}

/** That a run is a repaired copy, or has one, on a line below its row. */
function repairLine(
  episode: EpisodeSummary,
  briefOf: (id: string) => string,
  options: EpisodeListOptions,
): string[] {
  const text = hasLinesBelow(options) ? repairText(episode, briefOf) : undefined;
  if (text === undefined) return [];
  return [options.style.dim(truncateToWidth(`${PATH_INDENT}${escapeText(text)}`, options.width))];
}

/** Why a run failed, on a line below its row: a column would be too narrow for it. */
function whyLine({ why, tone }: EpisodeSummary, options: EpisodeListOptions): string[] {
  const { style, width } = options;
  if (why === undefined || why === '' || !hasLinesBelow(options)) return [];
  return [tonePaint(style, tone)(truncateToWidth(`${PATH_INDENT}${escapeText(why)}`, width))];
}

/** A list of episodes, and the titles of its columns. */
interface RenderedList {
  readonly text: string;
  readonly titles: readonly string[];
}

/** The columns, and the ids in their rows: a few long ids are below their rows if another column fits then. */
function layoutOf(episodes: readonly EpisodeSummary[], options: EpisodeListOptions) {
  const { width, wide = false } = options;
  const ordered = COLUMN_OF[options.sortedBy ?? ''];
  const layout = (isNarrow: boolean) => {
    const ids = idsInRows(episodes, options, isNarrow);
    const found = columnsFor(episodes, ids, options)
      .map((column) => (column.title === ordered ? { ...column, spare: 0 } : column))
      .flatMap((column) => laid(column, episodes, width));
    return { ids, columns: wide ? found : fitted(found, width), all: found.length };
  };
  const own = layout(false);
  if (own.columns.length === own.all) return own;
  const narrow = layout(true);
  return narrow.columns.length > own.columns.length ? narrow : own;
}

/** The episodes as a table: name, last change, result, topic. */
export function renderList(episodes: readonly EpisodeSummary[], options: EpisodeListOptions): RenderedList {
  const { style, width, nameOf, wide = false } = options;
  const { ids, columns } = layoutOf(episodes, options);
  const widths = columns.map((column) => column.width);
  const line = (cells: readonly string[], paint: (index: number) => Paint) =>
    tableLine(cells, { widths, paint, whole: wide || width === Infinity });
  const briefOf = briefNames(episodes, nameOf);
  const rows = episodes.map((episode, row) => {
    const cells = columns.map(({ cells }) => cells[row] as string);
    const paints = columns.map(({ paint }) => paint(episode));
    const text = line(cells, (index) => paints[index] as Paint);
    const below = [...repairLine(episode, briefOf, options), ...whyLine(episode, options)];
    const id = ids.has(episode) ? [] : [`${PATH_INDENT}${style.cyan(escapeText(nameOf(episode).brief))}`];
    return [text, ...id, ...below].join('\n');
  });
  const titles = columns.map(({ title, isNumber, width: size }) => (isNumber ? title.padStart(size) : title));
  return {
    text: `${[line(titles, () => style.bold), ...rows].join('\n')}\n`,
    titles: columns.map(({ title }) => title),
  };
}
