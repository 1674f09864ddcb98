import type { Command } from 'commander';
import { defined } from '../src/base/json/defined.ts';
import { forOutput } from '../src/base/json/output.ts';
import { parseInstant } from '../src/base/time/instant.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import {
  type FilterOptions,
  filtersOf,
  sayTimes,
  withFilterOptions,
} from '../src/cli/events/event-options.ts';
import { sayWhyNothing } from '../src/cli/events/print-events.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { wholeNumber } from '../src/cli/option-values.ts';
import { Pieces } from '../src/cli/pieces.ts';
import { type OpenLog, openLog } from '../src/cli/targets/open-log.ts';
import { failIfSkipped, type ReadLog } from '../src/cli/targets/partial.ts';
import { logsOfRun } from '../src/cli/targets/parts.ts';
import { NEWEST_RUN } from '../src/cli/targets/target-options.ts';
import { whileReading } from '../src/cli/terminal/while-reading.ts';
import { firstLine } from '../src/dialects/kit/excerpt.ts';
import type { Story } from '../src/dialects/kit/story.ts';
import { furtherAmong } from '../src/dialects/kit/usage.ts';
import { findPrices } from '../src/find/prices.ts';
import type { SkippedLines } from '../src/log/corrupt-lines.ts';
import type { LogRecord } from '../src/log/record.ts';
import { accountOfLog, accountWithCost } from '../src/read/describe/account-of-log.ts';
import { LostLines } from '../src/read/describe/lost-lines.ts';
import { pausesOf, rowsOfSession, turnsByModel } from '../src/read/describe/session-timeline.ts';
import { Extent, type Span, SpansOfLog, timeRangeOf } from '../src/read/describe/spans.ts';
import { storyWithCosts } from '../src/read/describe/story-costs.ts';
import { type LogStory, storyOfLog, withUsage } from '../src/read/describe/story-of-log.ts';
import { mainStory, repeatedInParts } from '../src/read/describe/story-parts.ts';
import type { LineRanges } from '../src/read/select/line-ranges.ts';
import { recordsAt } from '../src/read/select/records-at.ts';
import { type Selection, selectLines } from '../src/read/select/select.ts';
import { escapeText } from '../src/show/render/escape.ts';

interface TimelineOptions extends GlobalOptions, FilterOptions {
  readonly width?: number;
  readonly records?: boolean;
}

export function addTimeline(program: Command, io: Io): void {
  const command = withFilterOptions(
    withExamples(
      program.command('timeline'),
      ['timeline latest', 'a bar for each turn and call, or each event'],
      ['timeline latest -p act --width 120', 'acts only, 120 columns wide'],
    )
      .description('show how long each step took, and where the run was idle')
      .argument('[target]', NEWEST_RUN),
  )
    .option('--width <n>', 'draw in n columns (default: the width of the terminal)', wholeNumber(40))
    .option('--records', 'show a row per record of a session, not per turn and call');
  command.action(action(io, runTimeline));
}

async function* spansOf(
  { path, dialect }: OpenLog,
  lines: LineRanges,
  spans: SpansOfLog,
): AsyncGenerator<Span> {
  for await (const record of recordsAt(path, lines, dialect.form)) {
    const result = spans.resultOf(record.line);
    // A call is one span, which is in the row of its result.
    if (result === undefined || lines.indexOfLine(result) === -1) yield spans.of(record);
  }
}

/** The selected lines of a log, and the spans that they need. */
interface Selected extends Selection {
  readonly log: OpenLog;
  readonly spans: SpansOfLog;
  /** The damaged lines. */
  readonly damaged: readonly number[];
}

/** Damaged lines between spans. */
interface DamagedRow extends Pick<Span, 'line' | 'name' | 'status'> {
  readonly kind: 'damaged';
}

/** The spans of a log, and a row where damaged lines are left out. */
async function* rowsOf({ log, lines, spans, damaged }: Selected): AsyncGenerator<Span | DamagedRow> {
  const lost = new LostLines(damaged);
  const rowsBefore = (before: number) =>
    lost
      .upTo(before)
      .map(({ line, title }): DamagedRow => ({ kind: 'damaged', line, name: title, status: 'error' }));
  for await (const span of spansOf(log, lines, spans)) {
    yield* rowsBefore(span.line);
    yield span;
  }
  yield* rowsBefore(Infinity);
}

/** The options that are not filters of records. */
const NO_FILTERS: Readonly<Record<keyof GlobalOptions | 'width' | 'records' | 'utc' | 'pager', true>> = {
  color: true,
  config: true,
  dialect: true,
  json: true,
  map: true,
  pager: true,
  quiet: true,
  records: true,
  root: true,
  stream: true,
  utc: true,
  width: true,
};

const hasFilters = (options: TimelineOptions): boolean =>
  Object.entries(options).some(([name, value]) => value !== undefined && !Object.hasOwn(NO_FILTERS, name));

/**
 * Shows the turns and calls of a session and of its parts, and where its time went. Returns false if the log is not of a
 * session.
 */
async function sessionTimeline(
  context: Context,
  log: OpenLog,
  { width = context.width }: TimelineOptions,
): Promise<boolean> {
  if (!log.dialect.storesMuch) return false;
  const stories = [];
  for (const one of logsOfRun(context, log)) {
    const read = await whileReading(context, one, (onBytes) =>
      storyOfLog(one.path, one.dialect, { run: one.run, isFolded: true, onBytes }),
    );
    stories.push({ log: one, ...read });
  }
  const [first, ...others] = stories.map((one) => ({ ...one, name: one.log.name }));
  if (first?.details === undefined) return false;
  const further = furtherAmong(others);
  const repeated = repeatedInParts(first, others);
  const joined = mainStory(first, others, repeated);
  // What a part has from another log of the run is a row there.
  const rowsOf = (turns: Story['turns'], log?: (typeof others)[number]) =>
    rowsOfSession({ turns }).filter(
      ({ line, copied }) => log === undefined || !(copied || repeated.get(log)?.has(line)),
    );
  const main = { ...first, rows: rowsOf(joined.turns.filter(({ part }) => part === undefined)) };
  const parts = [
    main,
    ...others.map((one) => {
      const turns = joined.turns.filter(({ part }) => part === one.name);
      return { ...one, rows: rowsOf(further.includes(one) ? turns : one.story.turns, one) };
    }),
  ];
  if (main.rows.length === 0) return false;
  const story = await storyWithCosts(
    withUsage(
      joined,
      main.usage,
      others.map(({ usage = {} }) => usage),
    ),
    await findPrices(context.search),
  );
  if (context.json) {
    const out = new Pieces((piece) => context.out(piece));
    for (const part of parts)
      for (const row of part.rows) out.add(jsonLine({ ...nameOfPart(part.log, log), ...row }));
    addTotals(story, out);
    await out.write();
    await failIfSkipped(context, withLabels(parts));
    return true;
  }
  const extent = new Extent();
  for (const row of parts.flatMap(({ rows }) => rows)) {
    const range = timeRangeOf(row);
    if (range) extent.add(range);
  }
  const { sessionTimelineText } = await import('../src/show/render/session-timeline.ts');
  const style = await context.style;
  const started = parseInstant(first.details.started_at);
  const gaps = pausesOf(joined, extent.whole, started);
  for (const gap of gaps) extent.add(gap);
  const { whole: time } = extent;
  const groups = parts.map((part) => ({
    rows: part.rows,
    ...(part !== main && { name: labelOfPart(part, joined.agents) }),
  }));
  const models = turnsByModel(joined);
  await context.show(
    sessionTimelineText(groups, { width, style, whole: time, started, gaps, models, story }),
  );
  await failIfSkipped(context, withLabels(parts));
  return true;
}

/** What `-j` prints last. */
type Totals = {
  readonly [Name in 'time' | 'tokens' | 'lacks' | 'cost' | 'subagents']?: Story[Name] | undefined;
};

const jsonLine = (value: object): string => `${JSON.stringify(forOutput(value))}\n`;

/** A log that was read for a timeline, with its damaged lines. */
interface TimedLog {
  readonly log: OpenLog;
  readonly skipped?: SkippedLines | undefined;
}

/** A subagent is named by what its session calls it, or by its task; the name of its log says nothing to a reader. */
function labelOfPart(
  { log, story, details, usage }: { readonly log: OpenLog } & Pick<LogStory, 'story' | 'details' | 'usage'>,
  agents: Story['agents'] = {},
): string {
  if (usage?.is_part) return log.name;
  const ids = [log.name, ...(details?.own ?? [])];
  const [named] = ids.flatMap((id) => (Object.hasOwn(agents, id) ? (agents[id] ?? []) : []));
  const title = named ?? firstLine(story.title ?? '');
  return title === '' ? log.name : title;
}

/** The logs of a run as messages name them; the first one is that of the run. */
const withLabels = (logs: readonly TimedLog[]): ReadLog[] =>
  logs.map(({ log, skipped }) => ({ label: log.label, whole: logs[0]?.log.label, source: log, skipped }));

/** The member that names the log of a part of a run. */
const nameOfPart = (log: OpenLog, main: OpenLog) => (log.path === main.path ? {} : { part: log.name });

/** Adds where the time of a run with its parts went, and what it used and cost, if the log says so. */
function addTotals({ time, tokens, lacks, cost, subagents }: Totals, out: Pieces): void {
  const totals = defined({ time, tokens, lacks, cost, subagents });
  if (Object.keys(totals).length > 0) out.add(jsonLine({ totals }));
}

/** The totals of a log whose story is not read. */
async function totalsOf(context: Context, { path, dialect, run, parts }: OpenLog): Promise<Totals> {
  const prices = await findPrices(context.search);
  const read = await accountOfLog(path, dialect, run, undefined, parts);
  const { account, usage } = await accountWithCost(read, prices);
  return { ...usage, time: account?.time };
}

/** Shows the intact part of the log, and fails if a line is corrupt. */
async function runTimeline(
  context: Context,
  target: string | undefined,
  options: TimelineOptions,
): Promise<void> {
  await sayTimes(context, options);
  await using log = await openLog(context, target);
  if (!options.records && !hasFilters(options) && (await sessionTimeline(context, log, options))) return;
  const filters = filtersOf(options, context.io.now(), log.run);
  const logs: Selected[] = [];
  for (const one of logsOfRun(context, log)) {
    const spans = await SpansOfLog.open(one.dialect);
    const damaged: number[] = [];
    const reader = {
      add: (record: LogRecord) => spans.add(record),
      lost: (line: number) => {
        damaged.push(line);
        spans.lost(line);
      },
    };
    const selection = await whileReading(context, one, (onBytes) =>
      selectLines(one.path, { filters, partial: true }, one.dialect, onBytes, reader),
    );
    logs.push({ log: one, spans, damaged, ...selection });
  }
  const isEmpty = logs.every(({ lines }) => lines.length === 0);
  if (isEmpty) await sayWhyNothing(context, log, filters);
  const failIfAnySkipped = () => failIfSkipped(context, withLabels(logs));
  if (context.json) {
    const out = new Pieces((piece) => context.out(piece));
    for (const one of logs)
      for await (const row of rowsOf(one))
        if (out.add(jsonLine({ ...nameOfPart(one.log, log), ...row }))) await out.write();
    if (!hasFilters(options)) addTotals(await totalsOf(context, log), out);
    await out.write();
    return await failIfAnySkipped();
  }
  const { NO_TIMES, Timeline, totalLines, waitedOf } = await import('../src/show/render/timeline.ts');
  const extent = new Extent();
  let hasWaits = false;
  for (const one of logs)
    for await (const span of spansOf(one.log, one.lines, one.spans)) {
      hasWaits ||= waitedOf(span) !== '';
      const range = timeRangeOf(span);
      if (range) extent.add(range);
    }
  const { whole, gaps } = extent;
  const lastLine = Math.max(
    ...logs.map(({ lines }) => (lines.length === 0 ? 0 : lines.line(lines.length - 1))),
  );
  const start = logs[0]?.startedAt;
  const width = options.width ?? context.width;
  const style = await context.style;
  const gapName = hasFilters(options) ? 'without selected events' : 'without events';
  const timeline = new Timeline({ width, style, whole, gaps, gapName, start, lastLine, hasWaits });
  const out = new Pieces((piece) => context.show(piece));
  if (!isEmpty) out.add(`${timeline.header()}\n`);
  for (const one of logs) {
    if (one.log !== logs[0]?.log && one.lines.length > 0)
      out.add(`${style.bold(escapeText(one.log.name))}\n`);
    for await (const row of rowsOf(one)) {
      const shown = 'kind' in row ? timeline.note(row) : timeline.row(row);
      if (out.add(`${shown.join('\n')}\n`)) await out.write();
    }
  }
  if (!isEmpty && whole === undefined)
    out.add(`\n${totalLines('Time', [NO_TIMES], style, width).join('\n')}\n`);
  await out.write();
  await failIfAnySkipped();
}
