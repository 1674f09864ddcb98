import type { Command } from 'commander';
import { columnsOf, type GlobalOptions } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import { helpNames, unknownCommand } from '../src/cli/help/suggestions.ts';
import { dialectHelp, TOPICS } from '../src/cli/help/topics.ts';
import { type Io, write } from '../src/cli/io.ts';
import { withFormatsOf } from '../src/cli/own-formats.ts';
import { allDialects, dialectNamed } from '../src/dialects/registry.ts';

/** Adds `help`, with the program's commands and the topics. */
export function addHelp(program: Command, io: Io): void {
  withExamples(
    program.command('help'),
    ['help verify', 'the help of a command'],
    ['help targets', 'how to name a run'],
    ['help exarchos', 'the options that one dialect has'],
  )
    .description('print help for a command, a topic or a dialect')
    .argument('[command]', `a command, a dialect, or one of ${TOPICS.map(({ name }) => name).join(', ')}`)
    .action((name: string | undefined, _options: unknown, help: Command) =>
      withFormatsOf(io, help.optsWithGlobals<GlobalOptions>(), async () => {
        const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
        if (command) command.help();
        const dialect = dialectNamed(name ?? '');
        const text =
          TOPICS.find((one) => one.name === name)?.text(allDialects()) ?? (dialect && dialectHelp(dialect));
        if (text === undefined) throw unknownCommand(helpNames(program), name ?? '');
        const { fitHelp } = await import('../src/show/render/help.ts');
        await write(io.stdout, `${fitHelp(text, columnsOf(io.stdout, io.env) ?? 80)}\n`);
      }),
    );
}
