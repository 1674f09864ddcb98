import type { Command } from 'commander';
import { forOutput } from '../src/base/json/output.ts';
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
import { failIfSkipped } from '../src/cli/targets/partial.ts';
import { whileReading } from '../src/cli/terminal/while-reading.ts';
import { Extent, type Span, SpansOfLog, stretchOf } from '../src/read/describe/spans.ts';
import type { LineRanges } from '../src/read/select/line-ranges.ts';
import { recordsAt } from '../src/read/select/records-at.ts';
import { selectLines } from '../src/read/select/select.ts';

interface TimelineOptions extends GlobalOptions, FilterOptions {
  readonly width?: number;
}

export function addTimeline(program: Command, io: Io): void {
  const command = withFilterOptions(
    withExamples(
      program.command('timeline'),
      ['timeline latest', 'a bar for each event'],
      ['timeline latest -p act --width 120', 'acts only, 120 columns wide'],
    )
      .description('show how long each step took, and where the run was idle')
      .argument('[target]'),
  ).option('--width <n>', 'draw in n columns (default: the width of the terminal)', wholeNumber(40));
  command.action(action(io, runTimeline));
}

async function* spansOf({ path }: OpenLog, lines: LineRanges, spans: SpansOfLog): AsyncGenerator<Span> {
  for await (const record of recordsAt(path, lines)) yield spans.of(record);
}

/** Shows the intact part of the log, and fails if a line is corrupt. */
async function runTimeline(
  context: Context,
  target: string | undefined,
  options: TimelineOptions,
): Promise<void> {
  await sayTimes(context, options);
  await using log = await openLog(context, target);
  const filters = filtersOf(options, context.io.now(), log.run);
  const spans = new SpansOfLog(log.dialect);
  const {
    lines,
    skipped,
    startedAt: start,
  } = await whileReading(context, log, (onBytes) =>
    selectLines(log.path, { filters, partial: true }, log.dialect, onBytes, spans),
  );
  if (lines.length === 0) await sayWhyNothing(context, log, filters);
  if (context.json) {
    const out = new Pieces((piece) => context.out(piece));
    for await (const span of spansOf(log, lines, spans))
      if (out.add(`${JSON.stringify(forOutput(span))}\n`)) await out.write();
    await out.write();
    return await failIfSkipped(context, log.label, skipped);
  }
  const extent = new Extent();
  for await (const span of spansOf(log, lines, spans)) {
    const stretch = stretchOf(span);
    if (stretch) extent.add(stretch);
  }
  const { Timeline } = await import('../src/show/render/timeline.ts');
  const { whole, gaps } = extent;
  const lastLine = lines.length === 0 ? 0 : lines.line(lines.length - 1);
  const width = options.width ?? context.width;
  const timeline = new Timeline({ width, style: await context.style, whole, gaps, start, lastLine });
  const out = new Pieces((piece) => context.show(piece));
  if (lines.length > 0) out.add(`${timeline.header()}\n`);
  for await (const span of spansOf(log, lines, spans))
    if (out.add(`${timeline.row(span).join('\n')}\n`)) await out.write();
  await out.write();
  await failIfSkipped(context, log.label, skipped);
}
