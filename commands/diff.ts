import type { Command } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { forOutput } from '../src/base/json/output.ts';
import { writeJson } from '../src/base/json/write.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { Failed } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { listed, wholeNumber } from '../src/cli/option-values.ts';
import { Pieces } from '../src/cli/pieces.ts';
import { compareLogs, damagedLogs, sourceOf } from '../src/cli/targets/compare-logs.ts';
import { openLog } from '../src/cli/targets/open-log.ts';
import { failIfSkipped } from '../src/cli/targets/partial.ts';
import { streamOption } from '../src/cli/targets/target-options.ts';
import { findPrices } from '../src/find/prices.ts';
import { asksForEvents, type CompareOptions, type RunComparison } from '../src/read/compare/compare-runs.ts';
import { differenceOf } from '../src/read/compare/difference.ts';
import type { RunDifferenceHead } from '../src/read/compare/run-difference.ts';
import { escapeText } from '../src/show/render/escape.ts';

interface DiffOptions extends GlobalOptions, CompareOptions {
  readonly limit?: number;
  /** The option as commander names it, and the member of `CompareOptions`. */
  readonly ignore?: string[];
  readonly only?: string[];
}

/** The default number of differing events shown to people. */
const USUAL_LIMIT = 50;

export function addDiff(program: Command, io: Io): void {
  withExamples(
    program.command('diff'),
    ['diff ep_01KJ ep_01KK', 'what the second did differently'],
    ['diff ep_01KJ ep_01KK --only act', 'where its acts differ'],
  )
    .description('compare two runs; exit 1 if they differ')
    .argument('<a>')
    .argument('<b>')
    .addOption(streamOption())
    .option('--ignore <path>', 'ignore a field, such as payload.steps.*.rationale (repeatable)', listed)
    .option(
      '--only <phase>',
      'compare only events of this phase or type (repeatable, or a comma list)',
      listed,
    )
    .option('--times', 'also compare durations')
    .option('--exact', 'also compare ids, times and digests; needs two runs of one dialect')
    .option(
      '--limit <n>',
      'also list the differing events, at most n (with -j: all), and at most n rows of everything else (default: 50)',
      wholeNumber(0),
    )
    .action(action(io, runDiff));
}

async function runDiff(context: Context, first: string, second: string, options: DiffOptions): Promise<void> {
  if (first === '-' && second === '-')
    throw new UsageError('usage', 'only one of the runs can come from standard input', {
      hint: 'give the other one by its path or its id',
    });
  await using a = await openLog(context, first);
  await using b = await openLog(context, second);
  const comparison = await compareLogs(a, b, options);
  const prices = await findPrices(context.search);
  const head = await differenceOf(comparison, sourceOf(a), sourceOf(b), { ...options, findPrices: prices });
  await print(context, comparison, head, { ...options, isSession: a.dialect.storesMuch === true });
  await failIfSkipped(context, damagedLogs(comparison, a, b));
  if (!head.equal) throw new Failed();
}

async function print(
  context: Context,
  comparison: RunComparison,
  head: RunDifferenceHead,
  options: DiffOptions & { readonly isSession: boolean },
): Promise<void> {
  // Runs without compared events count as equal, but the cause may be a typing error.
  if (options.only && head.a.events === 0 && head.b.events === 0)
    await context.say(escapeText(`neither run has an event of ${options.only.join(' or ')}`));
  if (context.json) return printJson(context, comparison, head, options.limit ?? Infinity);
  if (context.quiet) return;
  const { DifferenceView } = await import('../src/show/render/difference-view.ts');
  const { behaviourText, partsOfRunsText } = await import('../src/show/render/behaviour-view.ts');
  const { width, cutWidth } = context;
  const view = new DifferenceView({
    style: await context.style,
    width,
    cutWidth,
    isSession: options.isSession,
    isExact: options.exact ?? false,
  });
  const limit = options.limit ?? USUAL_LIMIT;
  const layout = { style: await context.style, width, cutWidth, limit };
  await context.show(view.runs(head));
  if (options.only === undefined) await context.show(behaviourText(head.behaviour, head, layout));
  await context.show(partsOfRunsText(head.parts, layout));
  if (!asksForEvents(options) && (options.limit === undefined || head.a.dialect !== head.b.dialect)) {
    await context.show(view.unlisted(head));
    return;
  }
  await context.show(view.head(head, options.exact ?? false));
  let left = differing(head);
  const out = new Pieces((piece) => context.show(piece));
  for await (const event of comparison.events(limit)) {
    if (out.add(view.event(event))) await out.write();
    left -= 1;
  }
  out.add(view.rest(head, left));
  await out.write();
}

const differing = ({ counts: { changed, missing, added } }: RunDifferenceHead): number =>
  changed + missing + added;

/** Writes one document piece by piece, because it may have any number of events. */
async function printJson(
  context: Context,
  comparison: RunComparison,
  head: RunDifferenceHead,
  limit: number,
): Promise<void> {
  const out = new Pieces((piece) => context.out(piece));
  out.add(`${writeJson(forOutput(head), 2).slice(0, -'\n}'.length)},\n  "events": [`);
  let count = 0;
  for await (const event of comparison.events(limit)) {
    if (out.add(`${count === 0 ? '' : ','}\n    ${writeJson(forOutput(event))}`)) await out.write();
    count += 1;
  }
  out.add(`${count === 0 ? '' : '\n  '}],\n  "more_events": ${differing(head) - count},\n  "blocks": [`);
  let isFirst = true;
  for (const block of comparison.blocks()) {
    if (out.add(`${isFirst ? '' : ','}\n    ${JSON.stringify(forOutput(block))}`)) await out.write();
    isFirst = false;
  }
  out.add(`${isFirst ? '' : '\n  '}]\n}\n`);
  await out.write();
}
