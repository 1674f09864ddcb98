import { defined } from '../../base/json/defined.ts';
import { atLeastCell, countText } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import { isPeriod } from '../../base/time/period.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import { failedCell, ownFailures } from '../../dialects/kit/failed-calls.ts';
import { costCell, costText, stepCost } from '../../dialects/kit/prices.ts';
import {
  type StateView,
  tableSection,
  type ViewSection,
  type ViewText,
  viewCell,
  viewFields,
} from '../../dialects/kit/state-view.ts';
import { byTurnText, type Lacks, type Tokens, tokensText, totalTokens } from '../../dialects/kit/tokens.ts';
import {
  belowText,
  lacksCalls,
  lacksText,
  lostText,
  tokensToShow,
  totalText,
} from '../../dialects/kit/usage-words.ts';
import type { Durations, FailureStatistics } from '../../read/describe/run-fold.ts';
import { UNKNOWN } from '../../read/describe/run-groups.ts';
import type { Statistics } from '../../read/describe/stats.ts';
import { kindName } from './kind-name.ts';
import { copiesCounted, plural } from './tally.ts';
import { waitingText } from './waits.ts';

/** The number of rows per table, and of groups; `-j` has the rest. */
const MOST_ROWS = 8;
const MOST_GROUPS = 15;

function restOf(total: number, what = 'more', most = MOST_ROWS): ViewText[] {
  const rest = total - most;
  return rest > 0 ? [{ text: `and ${rest} ${what} (-j has all)`, tone: 'muted' }] : [];
}

/** A table of the first entries, or of the last days, and how many there are more. */
function shortTable<Entry>(
  title: string,
  columns: readonly string[],
  entries: readonly Entry[],
  rowOf: (entry: Entry) => ViewText[],
  {
    remarks = [],
    areDays = false,
    most = MOST_ROWS,
    spare,
  }: {
    readonly remarks?: readonly ViewText[];
    readonly areDays?: boolean;
    readonly most?: number;
    readonly spare?: readonly string[];
  } = {},
): ViewSection[] {
  const shown = areDays ? entries.slice(-most) : entries.slice(0, most);
  const rest = restOf(entries.length, areDays ? 'earlier' : 'more', most);
  return tableSection(title, columns, shown.map(rowOf), defined({ spare })).map((section) => ({
    ...section,
    lines: [...rest, ...remarks],
  }));
}

const length = (ms: number | undefined): string => (ms === undefined ? '' : formatDuration(ms));

type Timed = readonly (readonly [name: string, durations: Durations])[];

/** How many are left out of the quantiles. */
function untimedLine(all: readonly Durations[], noun: string): ViewText[] {
  const count = all.reduce((sum, { untimed = 0 }) => sum + untimed, 0);
  if (count === 0) return [];
  const why =
    count === 1 ? 'its log does not say how long it took' : 'their logs do not say how long they took';
  const text = `durations without ${plural(count, noun)}: ${why}`;
  return [{ text, tone: 'muted' }];
}

/** `lost`: why there may be more. */
const timed = (title: string, entries: Timed, noun = 'event', lost = ''): ViewSection[] =>
  shortTable(
    title,
    ['COUNT', 'P50', 'P95', 'MAX', 'NAME'],
    entries,
    ([name, { count, p50, p95, max }]) =>
      [atLeastCell(lost !== '', countText(count)), length(p50), length(p95), length(max), name].map((text) =>
        viewCell(text),
      ),
    {
      remarks: untimedLine(
        entries.map(([, durations]) => durations),
        noun,
      ),
    },
  );

const days = (entries: Readonly<Record<string, number>>): ViewSection[] =>
  shortTable(
    'Days',
    ['COUNT', 'WHAT'],
    Object.entries(entries),
    ([name, count]) => [viewCell(countText(count)), viewCell(name)],
    { areDays: true },
  );

/** One text of why the last of equal failures failed, and of what was called. */
type Order = (why: string, what: string) => string;

/** A log may only say that a call failed. */
const whyFirst: Order = (why, what) => (why === 'error' ? what : `${why} (${what})`);

/** Programs have one text for all that a person refused. */
const whatFirst: Order = (why, what) => `${what} (${why})`;

function failureText({ reason, message = reason, input = '' }: FailureStatistics, order: Order): string {
  const [why, what] = [firstLine(message), firstLine(input)];
  return what === '' ? why : order(why, what);
}

/** What failed and why, with the latest place as `show` and `events` accept it. */
const failedRows = (
  title: string,
  failed: readonly FailureStatistics[],
  nameOf: (episode: string) => string,
  order: Order,
): ViewSection[] =>
  shortTable(title, ['COUNT', 'WHAT', 'LATEST (LINE)', 'WHY'], failed, (failure) => [
    viewCell(countText(failure.count)),
    viewCell(failure.name),
    viewCell(`${failure.episode === undefined ? 'line' : nameOf(failure.episode)} ${failure.line}`, 'muted'),
    viewCell(failureText(failure, order)),
  ]);

/** Why calls and answers are in the group `unknown`: what the log lacks of them. */
const UNKNOWN_REASONS: Readonly<Record<string, string>> = {
  tool: 'the log does not name the tool',
  model: 'the log does not name the model',
  day: 'the log has no time',
  week: 'the log has no time',
  month: 'the log has no time',
  project: 'the log has no working folder',
  status: 'the log does not say how the run ended or where it is',
};

/** One row per group. */
function groupRows(statistics: Statistics, by: string): ViewSection[] {
  const { groups = {}, failed_calls: unsuccessful = {} } = statistics;
  const all = Object.entries(groups);
  const hasCost = all.some(([, { cost }]) => cost !== undefined);
  const columns = ['RUNS', 'CALLS', 'FAILED', 'P50', 'P95', 'TOKENS', ...(hasCost ? ['COST'] : [])];
  const reason = UNKNOWN_REASONS[by];
  const failures = all.reduce((sum, [, { failed }]) => sum + failed, 0);
  const how: ViewText = { text: `calls without success: ${counted(unsuccessful)}`, tone: 'muted' };
  return shortTable(
    `By ${by}`,
    [...columns, by.toUpperCase()],
    all,
    ([name, { runs, calls, tokens, lacks, cost, ...failed }]) => [
      viewCell(countText(runs)),
      viewCell(atLeastCell(lacksCalls(lacks), countText(calls.count))),
      { ...viewCell(failedCell(failed), 'bad'), brief: ownFailures(failed) },
      viewCell(length(calls.p50)),
      viewCell(length(calls.p95)),
      viewCell(tokensCell(tokens, lacks)),
      ...(hasCost ? [viewCell(cost && costCell(cost))] : []),
      viewCell(name),
    ],
    {
      remarks: [
        ...(failures === 0 ? [] : [how]),
        ...(reason !== undefined && Object.hasOwn(groups, UNKNOWN)
          ? [{ text: `${UNKNOWN}: ${reason}`, tone: 'muted' } as const]
          : []),
        ...untimedLine(
          all.map(([, { calls }]) => calls),
          'call',
        ),
      ],
      areDays: isPeriod(by),
      most: MOST_GROUPS,
      spare: ['P95', 'P50', 'RUNS', 'FAILED'],
    },
  );
}

/** The tokens of a group: `≥ 1,234` if its logs lack some. */
const tokensCell = (tokens: Tokens | undefined, lacks: Lacks | undefined): string =>
  tokens === undefined || totalTokens(tokens) === 0
    ? ''
    : atLeastCell(lacks !== undefined, countText(totalTokens(tokens)));

/** The runs, and why there are more logs than runs. */
function runsText({ episodes, other_logs: logs }: Statistics): string {
  const { subagents = 0, further = 0 } = logs ?? {};
  const others = [
    subagents === 0 ? '' : subagents === 1 ? '1 log of a subagent' : `${subagents} logs of subagents`,
    further === 0 ? '' : plural(further, 'further log'),
  ].filter((text) => text !== '');
  return others.length === 0 ? countText(episodes) : `${countText(episodes)}, with ${others.join(' and ')}`;
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${countText(count)}`)
    .join(', ');

/** By model, as fields, because they wrap while rows are cut. */
function modelFields({ models }: Statistics): ViewSection[] {
  const all = Object.entries(models);
  const fields = viewFields(
    all.slice(0, MOST_ROWS).map(([model, { answers, tokens, tools, cost }]) => {
      const called = Object.keys(tools).length === 0 ? '' : `calls of tools: ${counted(tools)}`;
      const answered =
        answers === 0
          ? ''
          : [`answers ${countText(answers)}`, tokensText(tokens), stepCost(cost)]
              .filter((text) => text !== '')
              .join(', ');
      return [model, [answered, called].filter((part) => part !== '').join('; ')];
    }),
  );
  return fields.length === 0 ? [] : [{ title: 'Models', fields, lines: restOf(all.length) }];
}

const quantilesText = ({ p50, p95, max }: Durations): string =>
  `p50 ${length(p50)}, p95 ${length(p95)}, longest ${length(max)}`;

/** The work of runs, if it is not the whole time that they lasted. */
const workedText = ({ worked, unknown_ms: unknown }: Statistics): string => {
  if (worked === undefined) return '';
  if (unknown === undefined) return quantilesText(worked);
  const [p50, p95, max] = [worked.p50, worked.p95, worked.max].map((ms) => atLeastCell(true, length(ms)));
  return `p50 ${p50}, p95 ${p95}, longest ${max}`;
};

/** The time of which the logs do not say what the runs did. */
const unknownText = ({ unknown_ms: unknown }: Statistics): string =>
  unknown === undefined
    ? ''
    : `${formatDuration(unknown)} around damaged lines, or while a call or a hook may have worked`;

/** Calls and tokens that several logs contain. */
function copiesText({ copied_calls: calls = 0, copied_tokens: tokens = 0 }: Statistics): string {
  const what = [
    ...(calls === 0 ? [] : [plural(calls, 'call')]),
    ...(tokens === 0 ? [] : [`${countText(tokens)} tokens`]),
  ];
  const are = calls + tokens === 1 ? 'is in several logs and counts' : 'are in several logs and count';
  return what.length === 0 ? '' : `${what.join(', and ')} ${are} once`;
}

/** The duration of runs whose logs have times. */
function tookText({ episodes, runs }: Statistics): string {
  const { count, p50 } = runs;
  const without = episodes === count ? '' : `${plural(episodes - count, 'run')} without times`;
  if (p50 === undefined) return without === '' ? '' : `unknown: ${without}`;
  const text = quantilesText(runs);
  return without === '' ? text : `${text}; ${without}`;
}

/** The tokens that were used, and what they include. */
function usedText({ lacks, subagents, parts, episodes, totals_only: only, ...used }: Statistics): string {
  const tokens = tokensToShow({ ...used, lacks });
  if (tokens === undefined) return '';
  const kinds = totalTokens(tokens) === 0 ? '' : ` (${tokensText(tokens)})`;
  const text = `${totalText({ tokens, lacks })}${kinds}${belowText(defined({ subagents, parts }))}`;
  if (only === undefined) return text;
  return text + byTurnText({ tokens_by_turn: false }, episodes > 1 ? ` in ${plural(only, 'run')}` : '');
}

/** What a time range leaves out. */
function undatedText({ undated }: Statistics): string {
  if (undated === undefined) return '';
  const { runs, calls } = undated;
  const what = [runs > 0 && plural(runs, 'run'), calls > 0 && plural(calls, 'call')].filter(Boolean);
  return `${what.join(' and ')}, not counted`;
}

/** Logs that are not counted. */
interface LeftOut {
  readonly damaged: number;
  /** Those that cannot be read for another reason. */
  readonly others: number;
  /** Repaired copies, whose contents are in their originals. */
  readonly copies: number;
}

/** Without it, the statistics would look like those of all logs that the user named. */
function leftOutText({ damaged, others, copies }: LeftOut): string {
  const texts = [
    ...(damaged === 0
      ? []
      : [
          `${plural(damaged, 'damaged log')} (--partial counts ${damaged === 1 ? 'its' : 'their'} intact records)`,
        ]),
    ...(others === 0 ? [] : [`${plural(others, 'log')} that cannot be read`]),
    ...(copies === 0 ? [] : [copiesCounted(copies)]),
  ];
  return texts.join(', ');
}

interface StatsViewOptions {
  readonly by?: string | undefined;
  /** The name of a run for other commands. */
  readonly nameOf?: (episode: string) => string;
  readonly leftOut?: LeftOut;
}

/** Statistics over many runs for people. */
export function statsView(
  statistics: Statistics,
  {
    by,
    nameOf = (episode) => episode,
    leftOut = { damaged: 0, others: 0, copies: 0 },
  }: StatsViewOptions = {},
): StateView {
  const { events, statuses, successRate, worked } = statistics;
  const { tools = {}, types = {}, lacks } = statistics;
  // Sessions do not say whether their task was done.
  const ofSessions = worked === undefined ? '' : ' (of sessions: ended with an answer)';
  const rate =
    successRate === undefined
      ? undefined
      : `${(successRate * 100).toFixed(1)}% of finished runs succeeded${ofSessions}`;
  // A user who asks for groups wants to see their table first.
  return [
    ...(by === undefined ? [] : groupRows(statistics, by)),
    {
      ...(by !== undefined && { title: 'Total' }),
      fields: viewFields([
        ['Runs', runsText(statistics)],
        ['Left out', leftOutText(leftOut)],
        ['Events', countText(events)],
        ['Status', counted(statuses)],
        ['Success', rate],
        ['Duration', tookText(statistics)],
        ['Worked', workedText(statistics)],
        ['Copies', copiesText(statistics)],
        ['No time', undatedText(statistics)],
        ['Idle', waitingText(statistics)],
        ['Unknown', unknownText(statistics)],
        ['Tokens', usedText(statistics)],
        ['', lacksText(lacks)],
        ['Cost', statistics.cost && costText(statistics.cost)],
      ]),
    },
    // In groups of tools they say why calls failed. Other groups are not named in them.
    ...(by === undefined || by === 'tool'
      ? [
          ...failedRows('Failures', statistics.failed, nameOf, whyFirst),
          ...failedRows('Refused or stopped', statistics.refused, nameOf, whatFirst),
        ]
      : []),
    ...(by === undefined
      ? [
          ...modelFields(statistics),
          ...days(statistics.days),
          ...timed('Tools', Object.entries(tools), 'call', lostText(lacks)),
          ...timed('Types', Object.entries(types), 'event', lostText(lacks)),
          ...timed(
            'Phases',
            Object.entries(statistics.phases).map(([phase, one]) => [kindName(phase), one] as const),
            'event',
            lostText(lacks),
          ),
        ]
      : []),
  ];
}
