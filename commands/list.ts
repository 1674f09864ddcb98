import type { Command } from 'commander';
import { byStart, summariesUnder } from '../src/discover/list.ts';
import { requireRoot } from '../src/discover/root.ts';
import { type EpisodeSummary, summarizeAll } from '../src/discover/summary.ts';
import { resolveTarget } from '../src/discover/target.ts';
import { NoesisError } from '../src/errors.ts';
import { Context, type GlobalOptions } from './context.ts';
import { listed, wholeNumber } from './event-options.ts';
import type { Io } from './io.ts';

interface ListOptions extends GlobalOptions {
  readonly limit?: number;
  readonly status?: string[];
  readonly utc?: boolean;
}

export function addList(program: Command, io: Io): void {
  program
    .command('list')
    .description('list the episodes, newest first')
    .argument('[target...]')
    .option('--limit <n>', 'the newest n', wholeNumber(0))
    .option('--status <status>', 'only episodes with this status (repeatable, or a comma list)', listed)
    .option('--utc', 'times in UTC, not in local time')
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
      throw new NoesisError('usage', 'list cannot read standard input', { hint: 'name a folder' });
    const episodes = target.kind === 'folder' ? target.episodes : [target.episode];
    if (episodes.length === 0 && target.kind === 'folder') {
      throw new NoesisError('target-missing', `no episode below ${context.shortPath(target.dir)}`, {
        place: { file: target.dir },
        hint: 'an episode is a folder with an event log, such as events.jsonl',
      });
    }
    for (const { name, dir, log } of episodes) found.push(...(await summarizeAll(name, dir, log)));
  }
  return found;
}

async function runList(io: Io, targets: readonly string[], options: ListOptions): Promise<void> {
  const context = new Context(io, options);
  const wanted = options.status;
  const episodes = (await summaries(context, targets))
    .filter(({ status }) => wanted === undefined || wanted.includes(status ?? 'unknown'))
    .sort(byStart)
    .slice(0, options.limit);
  if (context.json) return context.out(`${JSON.stringify(episodes, null, 2)}\n`);
  if (context.quiet) return context.out(episodes.map(({ episode }) => `${episode}\n`).join(''));
  if (episodes.length === 0) return;
  const { renderList } = await import('../src/render/episode-list.ts');
  const zone = options.utc ? 'utc' : 'local';
  await context.show(renderList(episodes, { style: await context.style, width: context.cutWidth, zone }));
}
