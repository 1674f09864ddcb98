import { formatDuration } from '../../base/time/duration.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { costCell } from '../../dialects/kit/prices.ts';
import { NO_TOKENS, totalTokens } from '../../dialects/kit/tokens.ts';
import { dialectNamed } from '../../dialects/registry.ts';
import type { EpisodeSummary } from '../../find/summary.ts';
import type { ShownName } from '../../find/target-names.ts';
import { formatShortAge } from './age.ts';
import { formatBytes } from './bytes.ts';
import { escapeText } from './escape.ts';
import { isDamaged } from './list-foot.ts';
import { DAMAGED_MARK } from './status-marks.ts';
import { asIs, type Paint, type Style, tonePaint } from './style.ts';
import { formatTime, type TimeZone, timeTitle } from './time.ts';
import { truncateToWidth } from './width.ts';

export interface EpisodeListOptions {
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
/** Fits the longest phase of a workflow; a trace may contain anything. */
const MAX_STATUS_WIDTH = 20;
/** Fits the winning team and the accused. */
const MAX_RESULT_WIDTH = 32;
const MAX_PROJECT_WIDTH = 16;

/** A column of the list. */
export interface Column {
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

/** Whether a list has to say which program a run is of. */
export const hasSeveralDialects = (episodes: readonly EpisodeSummary[]): boolean =>
  new Set(episodes.flatMap(({ dialect }) => dialect ?? [])).size > 1;

type Layout = Pick<EpisodeListOptions, 'width' | 'wide'>;

/** Whether what a column is too narrow for is on a line below its row. */
export const hasLinesBelow = ({ width, wide }: Layout): boolean =>
  !wide && width !== Infinity && width >= WHY_FROM;

/** A short name for the id of a run that is listed too. */
export function briefNames(
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
export function repairText(
  { copy_of: original, repaired_as: copy }: EpisodeSummary,
  briefOf: (id: string) => string,
): string | undefined {
  if (original !== undefined) return `repaired copy of ${briefOf(original)}`;
  return copy === undefined ? undefined : `repaired as ${briefOf(copy)}`;
}

/** A status, marked if the log has damaged lines, so that it may not be how the run ended. `width`: that of the terminal. */
function statusCell(episode: EpisodeSummary, width: number): string {
  const text = truncateToWidth(
    escapeText(episode.status ?? ''),
    width === Infinity ? width : MAX_STATUS_WIDTH,
  );
  return isDamaged(episode) ? `${text || 'unknown'} ${DAMAGED_MARK}` : text;
}

/** The columns of a list in order, without the ids. Those without any text are dropped later. */
export function columnsFor(
  episodes: readonly EpisodeSummary[],
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
    ...(now === undefined || wide
      ? [{ title: titleOfTime, spare: 1, cell: time, paint: dim, none: '?' }]
      : []),
    { title: showsStart ? 'START' : 'ACTIVE', spare: 2, cell: age, paint: dim, none: '?' },
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
      cell: ({ tokens = NO_TOKENS, lacks }) =>
        totalTokens(tokens) === 0 && (lacks?.requests ?? lacks?.answers) === undefined
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
        // At the beginning, where a narrow terminal does not cut it: the title may be that of its origin.
        const fork = origin === undefined ? '' : `fork of ${originOf(origin)}: `;
        return escapeText(`${fork}${task}${repairInTitle(episode)}`);
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
