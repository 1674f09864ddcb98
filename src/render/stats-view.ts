import type { Durations, FailureStatistics } from '../describe/run-fold.ts';
import type { Statistics } from '../describe/stats.ts';
import { firstLine } from '../dialects/excerpt.ts';
import { costCell, costText } from '../dialects/prices.ts';
import {
  type StateView,
  tableSection,
  type ViewSection,
  viewCell,
  viewFields,
} from '../dialects/state-view.ts';
import { byTurnText, countText, tokensText, totalTokens } from '../dialects/tokens.ts';
import { pushAll } from '../files/push-all.ts';
import { formatDuration } from './duration.ts';
import { shortNames } from './episode-names.ts';
import { placeText, plural } from './tally.ts';
import { waitingText } from './waits.ts';

/** The number of rows per table; `-j` has the rest. */
const MOST_ROWS = 15;

function restOf(total: number): Pick<ViewSection, 'lines'> {
  const rest = total - MOST_ROWS;
  return rest > 0 ? { lines: [{ text: `and ${rest} more (-j has all)`, tone: 'muted' }] } : {};
}

const length = (ms: number | undefined): string => (ms === undefined ? '' : formatDuration(ms));

function timed(title: string, entries: Readonly<Record<string, Durations>>): ViewSection[] {
  const all = Object.entries(entries);
  const rows = all
    .slice(0, MOST_ROWS)
    .map(([name, { count, p50, p95, max }]) => [
      viewCell(String(count)),
      viewCell(length(p50)),
      viewCell(length(p95)),
      viewCell(length(max)),
      viewCell(name),
    ]);
  const sections = tableSection(title, ['COUNT', 'P50', 'P95', 'MAX', 'NAME'], rows);
  return sections.map((section) => ({ ...section, ...restOf(all.length) }));
}

function countedRows(title: string, entries: Readonly<Record<string, number>>): ViewSection[] {
  const all = Object.entries(entries);
  const rows = all.slice(0, MOST_ROWS).map(([name, count]) => [viewCell(String(count)), viewCell(name)]);
  return tableSection(title, ['COUNT', 'WHAT'], rows).map((section) => ({
    ...section,
    ...restOf(all.length),
  }));
}

/** What failed and why, with the latest place as `show` and `events` accept it. */
function failedRows(
  title: string,
  failed: readonly FailureStatistics[],
  shorten: (episode: string) => string,
): ViewSection[] {
  const rows = failed
    .slice(0, MOST_ROWS)
    .map(({ name, reason, message = reason, count, episode, ...place }) => [
      viewCell(String(count)),
      viewCell(name),
      viewCell(
        episode === undefined ? `line ${placeText(place)}` : `${shorten(episode)} ${placeText(place)}`,
        'muted',
      ),
      viewCell(firstLine(message)),
    ]);
  return tableSection(title, ['COUNT', 'WHAT', 'LAST, LINE', 'WHY'], rows).map((section) => ({
    ...section,
    ...restOf(failed.length),
  }));
}

/** By tool, model, day, project or status. */
function groupRows({ groups = {}, failed_calls: failedCalls = {} }: Statistics, by: string): ViewSection[] {
  const all = Object.entries(groups);
  const hasCost = all.some(([, { cost }]) => cost !== undefined);
  const rows = all
    .slice(0, MOST_ROWS)
    .map(([name, { runs, calls, failed, tokens, cost }]) => [
      viewCell(String(runs)),
      viewCell(String(calls.count)),
      viewCell(failed === 0 ? '' : String(failed), 'bad'),
      viewCell(length(calls.p50)),
      viewCell(length(calls.p95)),
      viewCell(tokens === undefined || totalTokens(tokens) === 0 ? '' : countText(totalTokens(tokens))),
      ...(hasCost ? [viewCell(cost && costCell(cost))] : []),
      viewCell(name),
    ]);
  const columns = ['RUNS', 'CALLS', 'FAILED', 'P50', 'P95', 'TOKENS'];
  pushAll(columns, [...(hasCost ? ['COST'] : []), by.toUpperCase()]);
  const failed = all.reduce((sum, [, group]) => sum + group.failed, 0);
  const how = `FAILED ${failed}: ${counted(failedCalls)}`;
  return tableSection(`By ${by}`, columns, rows).map((section) => ({
    ...section,
    lines: [
      ...(restOf(all.length).lines ?? []),
      ...(failed === 0 ? [] : [{ text: how, tone: 'muted' as const }]),
    ],
  }));
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** By model, as fields, because they wrap while rows are cut. */
function modelFields({ models }: Statistics): ViewSection[] {
  const all = Object.entries(models);
  const fields = viewFields(
    all.slice(0, MOST_ROWS).map(([model, { answers, tokens, tools }]) => {
      const called = Object.keys(tools).length === 0 ? '' : `calls of tools: ${counted(tools)}`;
      const answered =
        answers === 0
          ? ''
          : [`answers ${answers}`, tokensText(tokens)].filter((text) => text !== '').join(', ');
      return [model, [answered, called].filter((part) => part !== '').join('; ')];
    }),
  );
  return fields.length === 0 ? [] : [{ title: 'Models', fields, ...restOf(all.length) }];
}

/** The duration of runs whose logs have times. */
function tookText({ episodes, runs }: Statistics): string {
  const { count, p50, p95, max } = runs;
  const without = episodes === count ? '' : `${plural(episodes - count, 'run')} without times`;
  if (p50 === undefined) return without === '' ? '' : `unknown: ${without}`;
  const text = `p50 ${length(p50)}, p95 ${length(p95)}, at most ${length(max)}`;
  return without === '' ? text : `${text}; ${without}`;
}

function usedText({ tokens, episodes, totals_only: only }: Statistics): string {
  if (tokens === undefined) return '';
  const text = `${countText(totalTokens(tokens))} (${tokensText(tokens)})`;
  if (only === undefined) return text;
  return text + byTurnText({ tokens_by_turn: false }, episodes > 1 ? ` in ${plural(only, 'run')}` : '');
}

/** What a time range leaves out. */
function undatedText({ undated }: Statistics): string {
  if (undated === undefined) return '';
  const { runs, calls } = undated;
  const what = [runs > 0 && plural(runs, 'run'), calls > 0 && plural(calls, 'call')].filter(Boolean);
  return `${what.join(' and ')} without a time left out`;
}

/** The most columns that the name of an episode takes. */
const MOST_NAME = 32;

/** Statistics over many runs for people. `names`: those of all runs, if known. */
export function statsView(statistics: Statistics, by?: string, names: readonly string[] = []): StateView {
  const failed = [...statistics.failed, ...statistics.refused].flatMap(({ episode }) => episode ?? []);
  const { shorten } = shortNames([...new Set([...names, ...failed])], MOST_NAME);
  const { episodes, events, statuses, successRate } = statistics;
  const rate = successRate === undefined ? undefined : `${(successRate * 100).toFixed(1)} % of finished runs`;
  return [
    {
      fields: viewFields([
        ['Episodes', String(episodes)],
        ['Events', String(events)],
        ['Status', counted(statuses)],
        ['Success', rate],
        ['A run took', tookText(statistics)],
        ['Undated', undatedText(statistics)],
        ['Waiting', waitingText(statistics)],
        ['Tokens', usedText(statistics)],
        ['Cost', statistics.cost && costText(statistics.cost)],
      ]),
    },
    ...(by === undefined ? [] : groupRows(statistics, by)),
    ...failedRows('Failures', statistics.failed, shorten),
    ...failedRows('Vetoes', statistics.refused, shorten),
    ...(by === undefined
      ? [
          ...modelFields(statistics),
          ...countedRows('Days', statistics.days),
          ...timed('Tools and types', statistics.names),
          ...timed('Phases', statistics.phases),
        ]
      : []),
  ];
}
