import type { Command } from 'commander';
import { Extent, type Span, spanOfRecord, stretchOf } from '../src/describe/spans.ts';
import type { LineRanges } from '../src/select/line-ranges.ts';
import { recordsAt } from '../src/select/records-at.ts';
import { selectLines } from '../src/select/select.ts';
import { Context, type GlobalOptions } from './context.ts';
import { type FilterOptions, filtersOf, wholeNumber, withFilterOptions } from './event-options.ts';
import { corruptLog } from './failure.ts';
import type { Io } from './io.ts';
import { type OpenLog, openLog } from './open-log.ts';

interface TimelineOptions extends GlobalOptions, FilterOptions {
  readonly width?: number;
}

export function addTimeline(program: Command, io: Io): void {
  withFilterOptions(
    program
      .command('timeline')
      .description('show how long each event took, and where nothing happened')
      .argument('<target>'),
  )
    .option('--width <n>', 'columns to draw in, instead of those of the terminal', wholeNumber(40))
    .action((target: string, _options, command: Command) => {
      const options = command.optsWithGlobals<TimelineOptions>();
      return runTimeline(new Context(io, options), target, options);
    });
}

async function* spansOf({ path, dialect }: OpenLog, lines: LineRanges): AsyncGenerator<Span> {
  for await (const record of recordsAt(path, lines)) yield spanOfRecord(record, dialect);
}

/** Fails closed, as `events` does. */
async function runTimeline(context: Context, target: string, options: TimelineOptions): Promise<void> {
  const log = await openLog(context, target);
  try {
    const filters = filtersOf(options, context.io.now(), log.run);
    const { lines, corruption } = await selectLines(log.path, { filters }, log.dialect);
    if (corruption) throw corruptLog(log.label, corruption);
    if (context.json) {
      for await (const span of spansOf(log, lines)) await context.out(`${JSON.stringify(span)}\n`);
      return;
    }
    const extent = new Extent();
    for await (const span of spansOf(log, lines)) {
      const stretch = stretchOf(span);
      if (stretch) extent.add(stretch);
    }
    const { Timeline } = await import('../src/render/timeline.ts');
    const { whole, gaps } = extent;
    const lastLine = lines.length === 0 ? 0 : lines.line(lines.length - 1);
    const width = options.width ?? context.width;
    const timeline = new Timeline({ width, style: await context.style, whole, gaps, lastLine });
    await context.show(`${timeline.header()}\n`);
    for await (const span of spansOf(log, lines)) await context.show(`${timeline.row(span).join('\n')}\n`);
  } finally {
    await log.dispose();
  }
}
