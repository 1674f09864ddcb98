import { type Command, CommanderError } from 'commander';
import { type NoesisError, UsageError } from '../src/errors.ts';
import { nearest } from '../src/text/nearest.ts';
import { TOPICS } from './topics.ts';

const didYouMean = (near: readonly string[]): string | undefined =>
  near.length > 0 ? `did you mean ${near.join(', ')}?` : undefined;

/** A command that there is not, with those that may have been meant. */
export function unknownCommand(names: readonly string[], name: string): NoesisError {
  const near = name === 'version' ? ['noesis --version'] : nearest(names, name);
  return new UsageError('usage', `unknown command '${name}'`, {
    hint: didYouMean(near) ?? `there are ${names.join(', ')}`,
  });
}

/** What `noesis help` can be asked for. */
export const helpNames = (program: Command): string[] => [
  ...program.commands.map((one) => one.name()),
  ...TOPICS.map(({ name }) => name),
];

function unknownOption(program: Command, command: string | undefined, name: string): NoesisError {
  const own = program.commands.find((one) => one.name() === command) ?? program;
  const names = own
    .createHelp()
    .visibleOptions(own)
    .flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const near = nearest(names, name.replace(/^-+/, '')).map((one) => `--${one}`);
  return new UsageError('usage', `unknown option '${name}'`, {
    hint: didYouMean(near) ?? `noesis ${own === program ? '' : `${own.name()} `}--help lists the options`,
  });
}

/** A value that is none of an option's or an argument's choices. */
function unknownChoice(message: string): NoesisError | undefined {
  const [, said = '', choices = ''] =
    / (?:argument|value) '([\s\S]*)' is invalid[^.]*\. Allowed choices are (.*)\.$/.exec(message) ?? [];
  if (choices === '') return undefined;
  const hint = didYouMean(nearest(choices.split(', '), said));
  return hint === undefined ? undefined : new UsageError('usage', message.replace(/^error: /, ''), { hint });
}

/** A word that commander does not know, with the words that may have been meant; other errors as they are. */
export function withSuggestion(program: Command, command: string | undefined, error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.code === 'commander.help')
    return new UsageError('usage', 'no command is named', { hint: 'noesis --help lists the commands' });
  const [, word = ''] = /'([\s\S]*)'/.exec(error.message) ?? [];
  if (error.code === 'commander.unknownCommand')
    return unknownCommand(
      program.commands.map((one) => one.name()),
      word,
    );
  if (error.code === 'commander.invalidArgument') return unknownChoice(error.message) ?? error;
  return error.code === 'commander.unknownOption' ? unknownOption(program, command, word) : error;
}
