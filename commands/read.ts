import { resolve } from 'node:path';
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
import { logsOfRun, readLogsOf } from '../src/cli/targets/parts.ts';
import { NEWEST_RUN, streamOption } from '../src/cli/targets/target-options.ts';
import { whileReading } from '../src/cli/terminal/while-reading.ts';
import type { PartStory, Story } from '../src/dialects/kit/story.ts';
import { furtherAmong } from '../src/dialects/kit/usage.ts';
import { partName } from '../src/dialects/registry.ts';
import { findPrices } from '../src/find/prices.ts';
import { targetNames } from '../src/find/target-names.ts';
import type { SkippedLines } from '../src/log/corrupt-lines.ts';
import { foldedStory } from '../src/read/describe/folded-story.ts';
import { storyWithCosts } from '../src/read/describe/story-costs.ts';
import { storyOfLog, withUsage } from '../src/read/describe/story-of-log.ts';
import { partsIn, partsWithLogs, type ReadPart, storyOfRun } from '../src/read/describe/story-parts.ts';
import { NO_EVENT } from '../src/read/select/no-match.ts';
import { type NumberRange, partOfStory } from '../src/read/select/part-of-story.ts';
import { escapeText } from '../src/show/render/escape.ts';
import type { FoldedHint } from '../src/show/render/story-markdown.ts';
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

/** The command that reads the separate log of a subagent. */
async function commandFor(context: Context, log: string): Promise<string> {
  const part = { episode: partName(log), path: resolve(context.io.cwd, log) };
  const { full } = (await targetNames([part], context.search))(part);
  return `noesis read ${plainShellWord(full)}`;
}

/** Says how many subagents are folded, and how to read them. Only one that has its own log can be read alone. */
async function hintFor(context: Context, folded: readonly PartStory[]): Promise<FoldedHint> {
  const [first, ...more] = folded.flatMap(({ log }) => log ?? []);
  const is =
    folded.length === 1
      ? '1 subagent is folded; --all shows its steps.'
      : `${folded.length} subagents are folded; --all shows their steps.`;
  if (first === undefined) return { text: is };
  const alone = more.length === 0 && folded.length === 1 ? 'it alone' : 'one alone, such as the first';
  return { text: `${is} To read ${alone}:`, command: await commandFor(context, first) };
}

const TURNS_HINT = 'give 3 for one turn, or 2..5, 2.. or ..5 for several';

/** `3`, `2..5`, `2..` or `..5`. */
function turnRange(text: string): NumberRange {
  const [, from = '', dots, to = ''] = /^(\d{0,9})(\.\.)?(\d{0,9})$/.exec(text) ?? [];
  if (dots === undefined ? from === '' || to !== '' : from === '' && to === '')
    throw new UsageError(
      'usage',
      `--turn takes a number or a range such as 2..5, not ${JSON.stringify(text)}`,
      { hint: TURNS_HINT },
    );
  const first = from === '' ? 0 : Number(from);
  const last = dots === undefined ? first : to === '' ? Infinity : Number(to);
  if (last < first)
    throw new UsageError('usage', `--turn ${text} ends before it begins`, { hint: TURNS_HINT });
  return { from: first, to: last };
}

/** Throws `usage` if a run has none of the turns. */
function requireTurn(story: Story, range: NumberRange): void {
  if (partOfStory(story, { turns: range }).turns.length > 0) return;
  const count = story.turns.filter(({ turn }) => turn > 0).length;
  const there = `the run has ${plural(count, 'turn')}`;
  throw new UsageError('usage', `--turn: no such turn; ${there}`, {
    hint: count < 2 ? 'remove --turn' : `give a turn from 1 to ${count}, or remove --turn`,
  });
}

/** The error for a part of a run without items. */
function noItem({ turns }: Story): UsageError {
  const last = turns
    .flatMap(({ items }) => items.map(({ line }) => line))
    .reduce((a, b) => Math.max(a, b), 0);
  const where = `the last one that read shows is on line ${last}`;
  return new UsageError('usage', `no record to show in these lines; ${where}`, {
    hint: 'give other lines with --from and --to, or remove them',
  });
}

export function addRead(program: Command, io: Io): void {
  withExamples(
    program.command('read'),
    ['read latest', 'the newest run from top to bottom'],
    ['read latest --turn 2..3 --full', 'two turns, with the full output of the tools'],
    ['read latest -f markdown', 'the run for an issue or a pull request'],
  )
    .description('print a run from top to bottom: prompts, answers, calls, changes')
    .argument('[target]', NEWEST_RUN)
    .addOption(streamOption())
    .option('--full', 'print outputs and diffs in full')
    .option('--thinking', 'print the thinking of the model in full')
    .option('--all', 'also print the steps of subagents, and the records that the story leaves out')
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
  const isFolded = !full && !context.json;
  const read = await whileReading(context, log, (onBytes) =>
    storyOfLog(log.path, log.dialect, { run: log.run, all, isFolded, onBytes }),
  );
  requireEvents(log.label, read);
  if (read.events === 0 && !context.json) await context.say(NO_EVENT);
  const others: ReadPart[] = [];
  const skippedInParts = new Map<string, SkippedLines>();
  for (const { path, dialect, name, label } of logsOfRun(context, log).slice(1)) {
    const other = await storyOfLog(path, dialect, { all, isFolded });
    if (other.skipped) skippedInParts.set(path, other.skipped);
    others.push({ ...other, name, log: label });
  }
  const further = furtherAmong(others);
  const parts = others.filter((one) => !further.includes(one));
  const whole = storyOfRun(read, others, all);
  if (turns !== undefined) requireTurn(whole, turns);
  const asked = partOfStory(whole, { turns, lines });
  // Who asks for lines of the log wants all of them. In JSON, the steps of a subagent have its name.
  const isInPlace = lines !== undefined || context.json;
  const part = isInPlace ? asked : foldedStory(asked, all);
  if (lines !== undefined && part.turns.length === 0) throw noItem(read.story);
  const counted = withUsage(
    part,
    read.usage,
    others.map(({ usage = {} }) => usage),
  );
  const story = await storyWithCosts(counted, await findPrices(context.search));
  const shown = { turns: story.turns, subagents: story.subagent_runs ?? [] };
  const folded = all ? [] : isInPlace ? partsWithLogs(shown) : partsIn(shown);
  const hint = folded.length === 0 ? undefined : await hintFor(context, folded);
  if (context.json) {
    const own = { schema: 'noesis.read/1', episode: log.name, dialect: log.dialect.name };
    const document = {
      ...own,
      ...story,
      ...defined({ configuration: await context.configuration() }),
      ...(parts.length > 0 && { subagent_logs: parts.map((one) => one.log) }),
      ...(further.length > 0 && { further_logs: further.map((one) => one.log) }),
    };
    await context.printJson(document);
  } else if (format === 'markdown') {
    const { storyMarkdown } = await import('../src/show/render/story-markdown.ts');
    await context.show(storyMarkdown(log.name, story, { full, thinking }, hint));
  } else {
    const { StoryText } = await import('../src/show/render/story.ts');
    const { storyHead } = await import('../src/show/render/story-head.ts');
    const layout = {
      width: context.width,
      style: await context.style,
      zone: 'local',
      full,
      thinking,
      lastLine: Math.max(read.lastLine, ...further.map(({ lastLine }) => lastLine)),
    } as const;
    // The date of the whole run, even if the part has no time.
    const head = { ...story, turns: read.story.turns };
    const out = new Pieces((piece) => context.show(piece));
    out.add(`${storyHead(log.name, log.dialect.name, head, layout).join('\n')}\n`);
    for (const text of new StoryText(layout).texts(story)) if (out.add(text)) await out.write();
    if (hint !== undefined) {
      out.add(`\n${hint.text}\n`);
      if (hint.command !== undefined) out.add(`  ${escapeText(hint.command)}\n`);
    }
    await out.write();
  }
  await failIfSkipped(context, readLogsOf(context, log, { skipped: read.skipped, skippedInParts }));
}
