import { type Command, CommanderError, Help, type Option } from 'commander';
import { type NoesisError, UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/text/nearest.ts';
import { TOPICS } from './topics.ts';
import { usageMessage } from './usage-words.ts';

const didYouMean = (near: readonly string[]): string | undefined =>
  near.length > 0 ? `did you mean ${near.join(', ')}?` : undefined;

/** The error for an unknown command, with similar ones. */
export function unknownCommand(names: readonly string[], name: string): NoesisError {
  const near = name === 'version' ? ['noesis --version'] : nearest(names, name);
  return new UsageError('usage', `unknown command ${JSON.stringify(name)}`, {
    hint: didYouMean(near) ?? `run noesis --help for a list: ${names.join(', ')}`,
  });
}

/** The topics of `noesis help`. */
export const helpNames = (program: Command): string[] => [
  ...program.commands.map((one) => one.name()),
  ...TOPICS.map(({ name }) => name),
];

/** The command that was called, or the program. */
const ownOf = (program: Command, command: string | undefined): Command =>
  program.commands.find((one) => one.name() === command) ?? program;

const helpOf = (program: Command, own: Command): string =>
  own === program
    ? 'run noesis --help for the commands, noesis <command> --help for the options of one'
    : `run noesis ${own.name()} --help for its arguments and options`;

/** All options, including those of one dialect, which the command's help leaves out. */
export const optionsOf = (command: Command): readonly Option[] => [
  ...new Set([...command.options, ...new Help().visibleOptions(command)]),
];

/** A search text often contains a word that looks like an option. */
const QUOTES = 'put a text of several words in quotes: noesis search "rm -rf"';

function unknownOption(program: Command, own: Command, name: string): NoesisError {
  const names = optionsOf(own).flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const near = nearest(names, name.replace(/^-+/, '')).map((one) => `--${one}`);
  return new UsageError('usage', `unknown option ${JSON.stringify(name)}`, {
    hint: didYouMean(near) ?? (own.name() === 'search' ? QUOTES : helpOf(program, own)),
  });
}

/** The allowed values that are most similar to an invalid one. */
function nearestChoice(message: string): string | undefined {
  const [, said = '', choices = ''] =
    / (?:argument|value) '([\s\S]*)' is invalid[^.]*\. Allowed choices are (.*)\.$/.exec(message) ?? [];
  return choices === '' ? undefined : didYouMean(nearest(choices.split(', '), said));
}

/** Adds similar words, or a command that lists them, to commander's usage errors. */
export function withSuggestion(program: Command, command: string | undefined, error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.code === 'commander.help')
    return new UsageError('usage', 'no command is named', { hint: 'run noesis --help for the commands' });
  const [, word = ''] = /'([\s\S]*)'/.exec(error.message) ?? [];
  if (error.code === 'commander.unknownCommand')
    return unknownCommand(
      program.commands.map((one) => one.name()),
      word,
    );
  const own = ownOf(program, command);
  if (error.code === 'commander.unknownOption') return unknownOption(program, own, word);
  return new UsageError('usage', usageMessage(own, error.message), {
    hint: nearestChoice(error.message) ?? helpOf(program, own),
  });
}
