import type { Command } from 'commander';
import { byStart, summariesUnder } from '../src/discover/list.ts';
import { requireRoot } from '../src/discover/root.ts';
import { type EpisodeSummary, summarizeAll } from '../src/discover/summary.ts';
import { resolveTarget } from '../src/discover/target.ts';
import { TargetError, UsageError } from '../src/errors.ts';
import { escapeText } from '../src/render/escape.ts';
import { insteadOf } from '../src/select/no-match.ts';
import { Context, type GlobalOptions } from './context.ts';
import { listed, wholeNumber } from './event-options.ts';
import type { Io } from './io.ts';

interface ListOptions extends GlobalOptions {
  readonly limit?: number;
  readonly status?: string[];
  readonly utc?: boolean;
  readonly null?: boolean;
}

export function addList(program: Command, io: Io): void {
  program
    .command('list')
    .description('list the episodes, newest first')
    .argument('[target...]')
    .option('--limit <n>', 'the newest n', wholeNumber(0))
    .option('--status <status>', 'only episodes with this status (repeatable, or a comma list)', listed)
    .option('--utc', 'times in UTC, not in local time')
    .option('-0, --null', 'with -q: a zero byte behind each id and not a newline, and nothing escaped')
    .action((targets: string[], _options, command: Command) =>
      runList(io, targets, command.optsWithGlobals<ListOptions>()),
    );
}

async function summaries(context: Context, targets: readonly string[]): Promise<EpisodeSummary[]> {
  if (targets.length === 0) return summariesUnder(await requireRoot(context.search));
  const found: EpisodeSummary[] = [];
  for (const text of targets) {
    const target = await resolveTarget(text, context.search);
    if (target.kind === 'stdin')
      throw new UsageError('usage', 'list cannot read standard input', { hint: 'name a folder' });
    const episodes = target.kind === 'folder' ? target.episodes : [target.episode];
    if (episodes.length === 0 && target.kind === 'folder') {
      throw new TargetError('target-missing', `no episode below ${context.shortPath(target.dir)}`, {
        place: { file: target.dir },
        hint: 'an episode is a folder with an event log, such as events.jsonl',
      });
    }
    for (const { name, dir, log, link } of episodes)
      if (!link) found.push(...(await summarizeAll(name, dir, log)));
  }
  return found;
}

/** An empty list may be a slip of the hand. */
async function sayNothingFound(
  context: Context,
  all: readonly EpisodeSummary[],
  wanted: readonly string[] | undefined,
): Promise<void> {
  if (all.length === 0 || wanted === undefined) return context.say('there is no episode');
  const held = [...new Set(all.map(({ status }) => status ?? 'unknown'))];
  for (const status of wanted)
    await context.say(escapeText(`no episode of status ${status}${insteadOf(status, held)}`));
}

async function runList(io: Io, targets: readonly string[], options: ListOptions): Promise<void> {
  const context = new Context(io, options);
  if (options.null && !context.quiet) throw new UsageError('usage', '--null needs -q');
  const wanted = options.status;
  const all = await summaries(context, targets);
  const episodes = all
    .filter(({ status }) => wanted === undefined || wanted.includes(status ?? 'unknown'))
    .sort(byStart)
    .slice(0, options.limit);
  if (episodes.length === 0 && options.limit !== 0) await sayNothingFound(context, all, wanted);
  if (context.json) return context.out(`${JSON.stringify(episodes, null, 2)}\n`);
  if (options.null) return context.out(episodes.map(({ episode }) => `${episode}\0`).join(''));
  if (context.quiet) return context.show(episodes.map(({ episode }) => `${escapeText(episode)}\n`).join(''));
  if (episodes.length === 0) return;
  const { renderList } = await import('../src/render/episode-list.ts');
  const layout = { style: await context.style, width: context.cutWidth };
  await context.show(
    renderList(episodes, {
      ...layout,
      zone: options.utc ? 'utc' : 'local',
      shortPath: (path) => context.shortPath(path),
    }),
  );
}
