import type { Command } from 'commander';
import { Context, columnsOf, type GlobalOptions } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import { helpNames, unknownTopic } from '../src/cli/help/suggestions.ts';
import { dialectHelp, TOPICS, topicNamed } from '../src/cli/help/topics.ts';
import { type Io, write } from '../src/cli/io.ts';
import { withFormatsOf } from '../src/cli/own-formats.ts';
import { allDialects, dialectNamed } from '../src/dialects/registry.ts';

/** Adds `help`, with the program's commands and the topics. */
export function addHelp(program: Command, io: Io): void {
  withExamples(
    program.command('help'),
    ['help verify', 'the help of a command'],
    ['help topics', 'the topics'],
    ['help targets', 'how to name a run'],
    ['help exarchos', 'the options that one dialect has'],
    ['help status', 'what a word of an output means, like explain'],
  )
    .description('print help for a command, a topic or a dialect')
    .argument(
      '[command...]',
      `a command, a dialect, a word that explain knows, or one of ${TOPICS.map(({ name }) => name).join(', ')}`,
    )
    .action((names: readonly string[], _options: unknown, help: Command) => {
      const options = help.optsWithGlobals<GlobalOptions>();
      return withFormatsOf(io, options, async () => {
        const [first] = names;
        const command = first === undefined ? program : program.commands.find((one) => one.name() === first);
        if (command) command.help();
        const name = names.join(' ');
        const dialect = dialectNamed(name);
        const text = topicNamed(name)?.text(allDialects()) ?? (dialect && dialectHelp(dialect));
        if (text === undefined) {
          const { explains } = await import('./explain.ts');
          if (await explains(new Context(io, options), name)) return;
          throw unknownTopic(helpNames(program), name);
        }
        const { fitHelp } = await import('../src/show/render/help.ts');
        await write(io.stdout, `${fitHelp(text, columnsOf(io.stdout, io.env) ?? 80)}\n`);
      });
    });
}
