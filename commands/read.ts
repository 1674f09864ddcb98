import { type Command, Option } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { defined } from '../src/base/json/defined.ts';
import { plainShellWord } from '../src/base/text/shell-word.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { wholeNumber } from '../src/cli/option-values.ts';
import { Pieces } from '../src/cli/pieces.ts';
import { openLog } from '../src/cli/targets/open-log.ts';
import { failIfSkipped, requireEvents } from '../src/cli/targets/partial.ts';
import { streamOption } from '../src/cli/targets/target-options.ts';
import { whileReading } from '../src/cli/terminal/while-reading.ts';
import type { Story } from '../src/dialects/kit/story.ts';
import { partsOf } from '../src/find/find.ts';
import { findPrices } from '../src/find/prices.ts';
import { usageOfLogs } from '../src/read/describe/account-of-log.ts';
import { storyOfLog, storyWithCosts, withUsage } from '../src/read/describe/story-of-log.ts';
import { NO_EVENT } from '../src/read/select/no-match.ts';
import { type NumberRange, partOfStory } from '../src/read/select/part-of-story.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { plural } from '../src/show/render/tally.ts';

interface ReadOptions extends GlobalOptions {
  readonly full?: boolean;
  readonly thinking?: boolean;
  readonly all?: boolean;
  readonly turn?: NumberRange;
  readonly from?: number;
  readonly to?: number;
  readonly format: 'text' | 'markdown';
}

/** The command that reads a separate log. */
const commandFor = (log: string): string => `noesis read ${plainShellWord(log)}`;

/** `3`, `2..5`, `2..` or `..5`. */
function turnRange(text: string): NumberRange {
  const [, from = '', dots, to = ''] = /^(\d{0,9})(\.\.)?(\d{0,9})$/.exec(text) ?? [];
  if (dots === undefined ? from === '' || to !== '' : from === '' && to === '')
    throw new UsageError(
      'usage',
      `--turn takes a number or a range such as 2..5, not ${JSON.stringify(text)}`,
    );
  const first = from === '' ? 0 : Number(from);
  const last = dots === undefined ? first : to === '' ? Infinity : Number(to);
  if (last < first) throw new UsageError('usage', `--turn ${text} ends before it begins`);
  return { from: first, to: last };
}

/** Throws `usage` if a run has none of the turns. */
function requireTurn(story: Story, range: NumberRange): void {
  if (partOfStory(story, { turns: range }).turns.length > 0) return;
  const count = story.turns.filter(({ turn }) => turn > 0).length;
  const there = `the run has ${plural(count, 'turn')}`;
  throw new UsageError('usage', `--turn: no such turn; ${there}`);
}

/** The error for a part of a run without items. */
function noItem({ turns }: Story): UsageError {
  const last = turns
    .flatMap(({ items }) => items.map(({ line }) => line))
    .reduce((a, b) => Math.max(a, b), 0);
  const where = `the last record of the run that is shown is on line ${last}`;
  return new UsageError('usage', `no record to show in these lines; ${where}`);
}

export function addRead(program: Command, io: Io): void {
  withExamples(
    program.command('read'),
    ['read latest', 'the newest run from top to bottom'],
    ['read latest --turn 2..3 --full', 'two turns, with the full output of the tools'],
    ['read latest -f markdown', 'the run for an issue or a pull request'],
  )
    .description('print a run from top to bottom: prompts, answers, calls, changes')
    .argument('[target]')
    .addOption(streamOption())
    .option('--full', 'print outputs and diffs in full')
    .option('--thinking', 'print the thinking of the model in full')
    .option('--all', 'also print the records that the story leaves out')
    .option('--turn <n..m>', 'print only these turns', turnRange)
    .option('--from <line>', 'start at this line of the log', wholeNumber(1))
    .option('--to <line>', 'end at this line of the log', wholeNumber(1))
    .addOption(
      new Option('-f, --format <name>', 'output format').choices(['text', 'markdown']).default('text'),
    )
    .action(action(io, runRead));
}

async function runRead(context: Context, target: string | undefined, options: ReadOptions): Promise<void> {
  const { from, to, turn: turns, full = false, thinking = false, all = false, format } = options;
  if ((to ?? Infinity) < (from ?? 1)) throw new UsageError('usage', `--to ${to} is before --from ${from}`);
  const lines = from === undefined && to === undefined ? undefined : { from: from ?? 1, to: to ?? Infinity };
  await using log = await openLog(context, target);
  const read = await whileReading(context, log, (onBytes) =>
    storyOfLog(log.path, log.dialect, { run: log.run, all, onBytes }),
  );
  requireEvents(log.label, read);
  if (read.events === 0 && !context.json) await context.say(NO_EVENT);
  if (turns !== undefined) requireTurn(read.story, turns);
  const part = partOfStory(read.story, { turns, lines });
  if (lines !== undefined && part.turns.length === 0) throw noItem(read.story);
  const below = log.parts ?? (await partsOf(log.path));
  const others = await usageOfLogs(below, log.dialect);
  const counted = withUsage(part, read.usage, others);
  const story = await storyWithCosts(counted, await findPrices(context.search));
  const pathOf = (path: string) => context.shortPath(log.shown(path));
  const further = below.filter((_, index) => others[index]?.is_part).map(pathOf);
  const parts = below.filter((_, index) => !others[index]?.is_part).map(pathOf);
  if (context.json) {
    const own = { schema: 'noesis.read/1', episode: log.name, dialect: log.dialect.name };
    const document = {
      ...own,
      ...story,
      ...defined({ configuration: await context.configuration() }),
      ...(parts.length > 0 && { subagent_logs: parts }),
      ...(further.length > 0 && { further_logs: further }),
    };
    await context.printJson(document);
  } else if (format === 'markdown') {
    const { storyMarkdown } = await import('../src/show/render/story-markdown.ts');
    const logs = { subagents: parts.map(commandFor), further: further.map(commandFor) };
    await context.show(storyMarkdown(log.name, story, { full, thinking }, logs));
  } else {
    const { StoryText } = await import('../src/show/render/story.ts');
    const { storyHead } = await import('../src/show/render/story-head.ts');
    const layout = {
      width: context.width,
      style: await context.style,
      zone: 'local',
      full,
      thinking,
      lastLine: read.lastLine,
    } as const;
    // The date of the whole run, even if the part has no time.
    const whole = { ...story, turns: read.story.turns };
    const out = new Pieces((piece) => context.show(piece));
    out.add(`${storyHead(log.name, log.dialect.name, whole, layout).join('\n')}\n`);
    for (const text of new StoryText(layout).texts(story)) if (out.add(text)) await out.write();
    if (below.length > 0) out.add('\n');
    for (const part of further)
      out.add(`The session goes on in another log: ${escapeText(commandFor(part))}\n`);
    for (const part of parts) out.add(`A subagent has a separate log: ${escapeText(commandFor(part))}\n`);
    await out.write();
  }
  await failIfSkipped(context, log.label, read.skipped);
}
