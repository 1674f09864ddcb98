import type { EpisodeSummary } from '../discover/summary.ts';
import { byText } from '../text/order.ts';
import { plainShellWord } from '../text/shell-word.ts';
import { parseInstant } from '../time/instant.ts';
import { formatAge } from './age.ts';
import { formatBytes } from './bytes.ts';
import { repeatedIds } from './episode-names.ts';
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
  /** A path as the reader would write it: shown where several episodes have one id. */
  readonly shortPath: (path: string) => string;
  /** How many characters of each id are enough to name it: they stand out. */
  readonly prefixes?: ReadonlyMap<string, number>;
  /** Milliseconds since 1970, where ages are shown. */
  readonly now?: number;
}

/** A count as `18.6k`. */
function formatCount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `${value.toFixed(1)}${unit}`;
}

/** A terminal narrower than this shows no seconds, and sizes in round numbers. */
const FULL_FROM = 100;
const MIN_TASK_WIDTH = 8;
/** The longest phase of a workflow fits; a trace may say anything. */
const MAX_STATUS_WIDTH = 20;
/** A team that won and whom the judge accused fit. */
const MAX_RESULT_WIDTH = 32;

/** A name that is wider is cut, but not before it is enough to name one episode: ids of all formats fit. */
const MAX_NAME_WIDTH = 40;
/** What a name leaves for the status on a narrow terminal. */
const STATUS_ROOM = 9;
/** Where a path stands below its row. */
const PATH_INDENT = '  ';

/** A column of the list: its cells are escaped. */
interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly paint: (episode: EpisodeSummary) => Paint;
  /** Given up where the terminal has no room, the highest number first. */
  readonly spare: number;
}

const widthOf = ({ title, cells }: Column): number =>
  cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), displayWidth(title));

/** The columns that a terminal has room for, and what each takes; the last one is cut to what is left. */
function fitted(columns: readonly Column[], width: number): { columns: readonly Column[]; widths: number[] } {
  const widths = columns.map(widthOf);
  const fixed = widths.slice(0, -1).reduce((sum, size) => sum + size + 1, 0);
  const [spared] = columns.toSorted((a, b) => b.spare - a.spare);
  const [last = 0] = widths.slice(-1);
  const needed = columns.at(-1)?.title === 'TASK' ? MIN_TASK_WIDTH : last;
  if (fixed + needed > width && spared !== undefined && spared.spare > 0)
    return fitted(
      columns.filter((column) => column !== spared),
      width,
    );
  return { columns, widths: [...widths.slice(0, -1), Math.max(1, Math.min(last, width - fixed))] };
}

/** A prefix that is enough has at least so many characters behind `ep_` (discover/target.ts). */
const LEAST_PREFIX = 4;

function enoughOf(episode: string, prefixes: EpisodeListOptions['prefixes']): number {
  const least = (/^ep_/.exec(episode)?.[0].length ?? 0) + LEAST_PREFIX;
  return Math.max(least, prefixes?.get(episode) ?? 0);
}

/** A name whose beginning stands out. */
const paintPrefix =
  (style: Style, prefix: string): Paint =>
  (text) =>
    text.startsWith(prefix)
      ? style.bold(style.cyan(prefix)) +
        (text.length > prefix.length ? style.cyan(text.slice(prefix.length)) : '')
      : style.cyan(text);

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
 * Which command says more of one: of the newest that did not end well, where there is one. Without prefixes a path names
 * it, as what was listed may lie under another root. What it tells is left out where both do not fit on a line.
 */
export function showHint(
  episodes: readonly EpisodeSummary[],
  {
    prefixes,
    shortPath,
    width,
    root,
  }: Pick<EpisodeListOptions, 'prefixes' | 'shortPath' | 'width'> & { root?: string },
): string {
  const isBad = ({ tone }: EpisodeSummary) => tone === 'bad' || tone === 'doubtful';
  const chosen = episodes.find(isBad) ?? episodes[0];
  if (chosen === undefined) return '';
  const { episode, path, status } = chosen;
  const isNamed = prefixes !== undefined && !repeatedIds(episodes).has(episode);
  const word = isNamed ? episode.slice(0, enoughOf(episode, prefixes)) : shortPath(path);
  const under = isNamed && root !== undefined ? ` --root ${plainShellWord(root)}` : '';
  const what = isBad(chosen) ? `why this one is ${status}` : 'what happened in the newest';
  const command = escapeText(`noesis show ${plainShellWord(word)}${under}`);
  const told = `${command}: ${escapeText(what)}`;
  return displayWidth(told) <= width ? told : command;
}

/** The episodes as a table: start, id in full, status, sealed, size of the log, task; id and status at the least. */
export function renderList(
  episodes: readonly EpisodeSummary[],
  { style, width, zone, shortPath, prefixes, now }: EpisodeListOptions,
): string {
  const full = width >= FULL_FROM;
  const repeated = repeatedIds(episodes);
  /** The path of an episode whose id others have, where it stands in the row. */
  const besideId = ({ episode, path }: EpisodeSummary): string => {
    const text = repeated.has(episode) ? ` (${shortPath(path)})` : '';
    return displayWidth(episode + text) <= MAX_NAME_WIDTH || width === Infinity ? text : '';
  };
  const belowRow = (summary: EpisodeSummary): string =>
    repeated.has(summary.episode) && besideId(summary) === ''
      ? `\n${PATH_INDENT}${style.dim(escapeText(shortPath(summary.path)))}`
      : '';
  const name = (summary: EpisodeSummary): string => {
    const whole = escapeText(summary.episode + besideId(summary));
    const least = enoughOf(summary.episode, prefixes) + 1;
    const most = Math.max(least, Math.min(MAX_NAME_WIDTH, width - STATUS_ROOM));
    return width === Infinity ? whole : truncateToWidth(whole, most);
  };
  const start = ({ started_at: text }: EpisodeSummary): string => {
    const instant = text === undefined ? undefined : parseInstant(text);
    return instant === undefined
      ? escapeText(text ?? '?')
      : formatTime(instant, zone, true).slice(0, full ? 19 : 16);
  };
  const column = (
    title: string,
    spare: number,
    cell: (episode: EpisodeSummary) => string,
    paint: Column['paint'],
  ): Column => ({ title, spare, cells: episodes.map(cell), paint });
  const isSession = ({ turns }: EpisodeSummary) => turns !== undefined;
  const log = column(
    'LOG',
    // What a session was about says more than its length.
    episodes.every(isSession) ? 8 : 3,
    ({ log_bytes: bytes }) => (bytes === undefined ? 'no log' : formatBytes(bytes, full ? 1 : 0)),
    () => style.dim,
  );
  // A session of a coding agent is never sealed, and has what no other log tells.
  const sessions = [
    column(
      'TURNS',
      5,
      ({ turns }) => `${turns ?? ''}`,
      () => style.dim,
    ),
    column(
      'TOKENS',
      6,
      ({ tokens }) => (tokens === undefined ? '' : formatCount(tokens)),
      () => style.dim,
    ),
    column(
      'MODEL',
      7,
      ({ model }) => escapeText(model ?? ''),
      () => style.dim,
    ),
  ];
  const seal = column(
    'SEAL',
    2,
    ({ sealed }) => (sealed ? 'sealed' : 'open'),
    ({ sealed }) => (sealed ? style.green : style.dim),
  );
  const result = column(
    'RESULT',
    3.5,
    ({ result: text = '' }) =>
      truncateToWidth(escapeText(text), width === Infinity ? width : MAX_RESULT_WIDTH),
    () => (text) => text,
  );
  // One that is not listed cannot be named by less than all of its id.
  const nameOf = (id: string) => (prefixes?.has(id) ? id.slice(0, enoughOf(id, prefixes)) : id);
  const age = ({ started_at: text }: EpisodeSummary): string => {
    const instant = text === undefined ? undefined : parseInstant(text);
    return instant === undefined || now === undefined ? '' : formatAge(instant, now);
  };
  const ages = now !== undefined && full ? [column('AGE', 5, age, () => style.dim)] : [];
  const { columns, widths } = fitted(
    [
      column(timeTitle(zone, undefined), 1, start, () => style.dim),
      ...ages,
      column('EPISODE', 0, name, ({ episode }) =>
        paintPrefix(style, escapeText(episode.slice(0, enoughOf(episode, prefixes)))),
      ),
      column(
        'STATUS',
        0,
        ({ status }) => {
          const word = escapeText(status ?? 'unknown');
          return width === Infinity ? word : truncateToWidth(word, MAX_STATUS_WIDTH);
        },
        ({ tone }) => tonePaint(style, tone),
      ),
      ...(episodes.some(({ result }) => result !== undefined) ? [result] : []),
      ...(episodes.every(isSession) ? [] : [seal]),
      ...(episodes.some(isSession) ? sessions : []),
      log,
      column(
        'TASK',
        4,
        ({ task = '', forked_from: origin }) =>
          escapeText(origin === undefined ? task : `${task} (fork of ${nameOf(origin)})`),
        () => (text) => text,
      ),
    ],
    width,
  );
  const line = (cells: readonly string[], paint: (index: number) => Paint) =>
    tableLine(cells, { widths, paint, whole: width === Infinity });
  const titles = columns.map(({ title }) => title);
  const rows = episodes.map((episode, row) => {
    const cells = columns.map((column) => column.cells[row] as string);
    const paints = columns.map(({ paint }) => paint(episode));
    return line(cells, (index) => paints[index] as Paint) + belowRow(episode);
  });
  return `${[line(titles, () => style.bold), ...rows].join('\n')}\n`;
}
