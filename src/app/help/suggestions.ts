import { type Command, CommanderError } from 'commander';
import { type NoesisError, UsageError } from '../../errors.ts';
import { nearest } from '../../text/nearest.ts';
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

/** The command that a line is of, or the program where it is of none. */
const ownOf = (program: Command, command: string | undefined): Command =>
  program.commands.find((one) => one.name() === command) ?? program;

const helpOf = (program: Command, own: Command): string =>
  own === program
    ? 'noesis --help lists the commands, noesis <command> --help its options'
    : `noesis ${own.name()} --help says what it takes`;

function unknownOption(program: Command, own: Command, name: string): NoesisError {
  const names = own
    .createHelp()
    .visibleOptions(own)
    .flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const near = nearest(names, name.replace(/^-+/, '')).map((one) => `--${one}`);
  return new UsageError('usage', `unknown option '${name}'`, {
    hint: didYouMean(near) ?? helpOf(program, own),
  });
}

/** The likeliest of the choices of an option or an argument, where a value is none of them. */
function nearestChoice(message: string): string | undefined {
  const [, said = '', choices = ''] =
    / (?:argument|value) '([\s\S]*)' is invalid[^.]*\. Allowed choices are (.*)\.$/.exec(message) ?? [];
  return choices === '' ? undefined : didYouMean(nearest(choices.split(', '), said));
}

/** A usage error of commander's, with the words that may have been meant or where they are listed; others as they are. */
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
  const own = ownOf(program, command);
  if (error.code === 'commander.unknownOption') return unknownOption(program, own, word);
  return new UsageError('usage', error.message.replace(/^error: (?:command-argument )?/, ''), {
    hint: nearestChoice(error.message) ?? helpOf(program, own),
  });
}
