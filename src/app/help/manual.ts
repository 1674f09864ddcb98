import type { Command } from 'commander';
import { DIALECTS } from '../../dialects/registry.ts';
import { commandPage, programPage } from '../../render/man-page.ts';
import { issuesUrl, version } from '../../version.ts';
import { pageOf } from './pages.ts';
import { TOPICS } from './topics.ts';

/** The manual pages by file name: one of the program, and one per command. */
export function manualOf(program: Command, date: string): ReadonlyMap<string, string> {
  const options = { version, date, bugs: issuesUrl };
  const commands = program.commands.map(pageOf);
  const topics = TOPICS.map(({ title, text }) => ({ title, text: text(DIALECTS) }));
  return new Map([
    ['noesis.1', programPage(pageOf(program), commands, topics, options)],
    ...commands.map((page): [string, string] => [`noesis-${page.name}.1`, commandPage(page, options)]),
  ]);
}
