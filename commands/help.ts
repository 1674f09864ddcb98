import type { Command } from 'commander';
import { columnsOf } from '../src/app/context.ts';
import { withExamples } from '../src/app/help/examples.ts';
import { helpNames, unknownCommand } from '../src/app/help/suggestions.ts';
import { TOPICS } from '../src/app/help/topics.ts';
import { type Io, write } from '../src/app/io.ts';
import { DIALECTS } from '../src/dialects/registry.ts';

/** Adds `help`, with the program's commands and the topics. */
export function addHelp(program: Command, io: Io): void {
  withExamples(
    program.command('help'),
    ['help verify', 'the help of a command'],
    ['help targets', 'how to name an episode'],
  )
    .description('print help for a command or a topic')
    .argument('[command]', `a command, or one of ${TOPICS.map(({ name }) => name).join(', ')}`)
    .action(async (name: string | undefined) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command) command.help();
      const topic = TOPICS.find((one) => one.name === name);
      if (topic === undefined) throw unknownCommand(helpNames(program), name ?? '');
      const { fitHelp } = await import('../src/render/help.ts');
      await write(io.stdout, `${fitHelp(topic.text(DIALECTS), columnsOf(io.stdout, io.env) ?? 80)}\n`);
    });
}
