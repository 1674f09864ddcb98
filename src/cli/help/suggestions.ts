import { type Command, type CommanderError, Help, type Option } from 'commander';
import { type NoesisError, TargetError, UsageError } from '../../base/errors.ts';
import { parsePath } from '../../base/json/path.ts';
import { didYouMean, nearest } from '../../base/text/nearest.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import { dialectNamed } from '../../dialects/registry.ts';
import { listed } from '../option-values.ts';
import {
  ageFor,
  bestFirst,
  commandsFor,
  DIALECT_OPTIONS,
  isNewest,
  NEWEST_OPTIONS,
  notNeeded,
  optionsFor,
  valuesFor,
  without,
} from './near-misses.ts';
import { TOPIC_LIST, TOPICS } from './topics.ts';
import { usageMessage } from './usage-words.ts';

const useOf = (lines: readonly string[]): string | undefined =>
  lines.length === 0 ? undefined : `use ${lines.map((line) => `noesis ${line}`).join(', or ')}`;

/** Suggested commands with the words that the user typed behind the wrong one, which are their targets. */
function linesFor(name: string, typed: readonly string[] = []): string[] {
  const options = typed.findIndex((word) => word.startsWith('-'));
  const targets = typed.slice(0, options === -1 ? undefined : options);
  const lines = commandsFor(name, targets.length > 0);
  return lines.map((line) => {
    const left = [...targets];
    return line.replaceAll(/latest|<(?:run|text|log|a|b|query)>/g, (place) => {
      const target = left.shift();
      return target === undefined ? place : plainShellWord(target);
    });
  });
}

/** The error for an unknown command, with similar ones. */
export function unknownCommand(
  names: readonly string[],
  name: string,
  typed: readonly string[],
): NoesisError {
  const [target] = typed;
  const near = name === 'version' ? ['noesis --version'] : nearest(names, name);
  return new UsageError('usage', `unknown command ${JSON.stringify(name)}`, {
    hint:
      useOf(linesFor(name, typed)) ??
      notNeeded(name) ??
      didYouMean(near) ??
      (target === undefined || target.startsWith('-')
        ? undefined
        : `use noesis show ${plainShellWord(target)} to see a run; noesis --help lists the commands`) ??
      `run noesis --help for a list: ${names.join(', ')}`,
  });
}

/** The error for a word that `noesis help` does not know. */
export function unknownTopic(names: readonly string[], name: string): NoesisError {
  const hint =
    useOf(linesFor(name)) ??
    notNeeded(name) ??
    didYouMean(nearest(names, name)) ??
    'run noesis --help for the commands, noesis help topics for the topics; noesis explain lists the words of outputs';
  return new UsageError('usage', `there is no help for ${JSON.stringify(name)}`, { hint });
}

/** The topics of `noesis help`. */
export const helpNames = (program: Command): string[] => [
  ...program.commands.map((one) => one.name()),
  ...[...TOPICS, TOPIC_LIST].map(({ name }) => name),
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
const QUOTES =
  'put a text of several words in quotes: noesis search "rm -rf"; noesis search --help lists the options';

/** An option as the user writes it, such as `--turn <n>`. */
const written = ({ long, flags }: Option): string => `${long ?? ''}${/ [<[].*$/.exec(flags)?.[0] ?? ''}`;

/** What to write instead of an unknown option: the options of a command that do what one with its name would do. */
function meantBy(command: Command, name: string, value: string | undefined): string[] {
  const own = optionsOf(command);
  const given = value === undefined || value.startsWith('-') ? undefined : plainShellWord(value);
  return optionsFor(name).flatMap((one) => {
    const [long, fixed] = one.split(' ');
    const options = own.filter((option) => option.long === `--${long}`);
    if (long === 'json') return options.map(() => 'use -j for JSON, the only other format');
    const full = (option: Option) => (fixed === undefined ? withNumber(option, given) : `--${one}`);
    return options.map((option) => `use ${full(option)}`);
  });
}

/** At most this many commands are named that have an option. */
const MOST_COMMANDS = 3;

/** An option with a number that was given, or as the user writes it. */
const withNumber = (option: Option, given: string | undefined): string =>
  given !== undefined && option.flags.endsWith('<n>') && /^\d+$/.test(given)
    ? `${option.long} ${given}`
    : written(option);

/** The commands that have an option which this one lacks. */
function elsewhere(program: Command, name: string, given: string | undefined): string[] {
  for (const one of optionsFor(name)) {
    const [long, value] = one.split(' ');
    const lines = bestFirst(program.commands).flatMap((command) =>
      command.options
        .filter((option) => option.long === `--${long}`)
        .map((option) => `${command.name()} ${value === undefined ? withNumber(option, given) : `--${one}`}`),
    );
    if (lines.length > 0) return lines.slice(0, MOST_COMMANDS);
  }
  return [];
}

/** The command with the word for the newest run, if an option was meant to say that and the command takes a run. */
const withNewest = (own: Command, name: string): string | undefined =>
  own.registeredArguments.length > 0 && NEWEST_OPTIONS.has(name.toLowerCase())
    ? `use noesis ${own.name()} latest`
    : undefined;

/** The option for a dialect, if the value of an unknown option names one, as in `--tool codex`. */
const withDialect = (own: Command, name: string, value: string | undefined): string | undefined =>
  value !== undefined &&
  DIALECT_OPTIONS.has(name.toLowerCase()) &&
  dialectNamed(value) !== undefined &&
  optionsOf(own).some(({ long }) => long === '--dialect')
    ? `use --dialect ${value}`
    : undefined;

/** `program` has all commands, and `own` may be one of them. `target`: the word after the command. */
function unknownOption(
  program: Command,
  own: Command,
  name: string,
  { target, next }: { readonly target?: string | undefined; readonly next?: string | undefined },
): NoesisError {
  // `head -5`.
  const [, count] = /^-(\d+)$/.exec(name) ?? [];
  const bare = count === undefined ? name.replace(/^-+/, '').replace(/=.*$/s, '') : 'n';
  const value = count ?? /=(.*)$/s.exec(name)?.[1] ?? next;
  if (own === program && bare === 'v')
    return new UsageError('usage', `unknown option ${JSON.stringify(name)}`, {
      hint: 'use noesis --version',
    });
  const [meant] = meantBy(own, bare, value);
  const names = optionsOf(own).flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const near = nearest(names, bare).map((one) => `--${one}`);
  const isSearch = own.name() === 'search';
  // An option that another command has by this name was hardly mistyped.
  const hint =
    without(own.name(), bare) ??
    withDialect(own, bare, value) ??
    meant ??
    (isSearch ? (didYouMean(near) ?? QUOTES) : undefined) ??
    (own === program
      ? undefined
      : (withNewest(own, bare) ??
        useOf(linesFor(bare, target === undefined ? [] : [target])) ??
        useOf(elsewhere(program, bare, value)))) ??
    didYouMean(near) ??
    helpOf(program, own);
  return new UsageError('usage', `unknown option ${JSON.stringify(name)}`, { hint });
}

/** The allowed values that are most similar to an invalid one, or that mean the same. */
function nearestChoice(message: string): string | undefined {
  const [, said = '', choices = ''] =
    / (?:argument|value) '([\s\S]*)' is invalid[^.]*\. Allowed choices are (.*)\.$/.exec(message) ?? [];
  if (choices === '') return undefined;
  const known = choices.split(', ');
  return (
    didYouMean(valuesFor(said).filter((name) => known.includes(name))) ?? didYouMean(nearest(known, said))
  );
}

/** The words for days that options take. */
const DAYS = [
  ...['today', 'yesterday', 'monday', 'tuesday'],
  ...['wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
];

/** What to write instead of a value that is not a time. */
function timeFor(message: string): string | undefined {
  const [, said] = / (?:argument|value) '([\s\S]*)' is invalid[^.]*\. expected a time /.exec(message) ?? [];
  if (said === undefined) return undefined;
  const day = didYouMean(nearest(DAYS, said, 1));
  if (day !== undefined) return day;
  const age = ageFor(said);
  return age === undefined
    ? 'give an age such as 7d, which means 7 days ago, or a day such as 2026-11-21'
    : `use ${age}, which means that long ago, or a day such as 2026-11-21`;
}

/** How the run is named that a command needs, as the whole command with what was typed. */
function withTarget(own: Command, args: readonly string[], message: string): string | undefined {
  if (!/^error: missing required argument 'target'/.test(message)) return undefined;
  const words = [own.name(), 'latest', ...args.slice(1)].map((word) => plainShellWord(word));
  return `name a run, as in noesis ${words.join(' ')}; noesis list shows the runs`;
}

/** The option for one turn, if a number follows the run that a command reads. */
function withTurn(own: Command, args: readonly string[], { code }: CommanderError): string | undefined {
  const [target = '', turn = '', ...more] = args.slice(1).filter((word) => !word.startsWith('-'));
  const isTurn = code === 'commander.excessArguments' && more.length === 0 && /^\d+(?:\.\.\d*)?$/.test(turn);
  return isTurn && own.options.some(({ long }) => long === '--turn')
    ? `for a turn, use noesis ${own.name()} ${plainShellWord(target)} --turn ${turn}`
    : undefined;
}

/** Adds similar words, or a command that lists them, to commander's usage errors. `program` has all commands. */
export function withSuggestion(
  program: Command,
  args: readonly string[],
  error: CommanderError,
): NoesisError {
  if (error.code === 'commander.help')
    return new UsageError('usage', 'no command is named', { hint: 'run noesis --help for the commands' });
  const [, word = ''] = /'([\s\S]*)'/.exec(error.message) ?? [];
  if (error.code === 'commander.unknownCommand')
    return unknownCommand(
      program.commands.map((one) => one.name()),
      word,
      args.slice(args.indexOf(word) + 1),
    );
  const own = ownOf(program, args[0]);
  if (error.code === 'commander.unknownOption')
    return unknownOption(program, own, word, { target: args[1], next: args[args.indexOf(word) + 1] });
  return new UsageError('usage', usageMessage(own, error.message), {
    hint:
      nearestChoice(error.message) ??
      timeFor(error.message) ??
      withTarget(own, args, error.message) ??
      withTurn(own, args, error) ??
      helpOf(program, own),
  });
}

/** The option of a list that ends before an argument, with its values; the word was meant as one more of them. */
function listBefore(command: Command, args: readonly string[], at: number): string | undefined {
  const [flag = '', value = ''] = args.slice(at - 2, at);
  const [, long = flag, joined = value] = /^(--[a-z-]+)=(.*)$/s.exec(value) ?? [];
  const option = optionsOf(command).find(
    (one) => one.parseArg === listed && (one.long === long || one.short === long),
  );
  if (option?.long === undefined || option.long === null) return undefined;
  const values = [...joined.split(','), args[at] ?? ''].map(plainShellWord).join(',');
  return `give the values of ${option.long} as a list: ${option.long} ${values}`;
}

/** The word `latest`, if it was mistyped or has another name. */
const newest = (typed: string): string | undefined =>
  isNewest(typed) ? didYouMean(['latest']) : didYouMean(nearest(['latest'], typed));

/** How a command reads all runs, if `all` follows it. */
function allRuns(command: Command, typed: string): string | undefined {
  if (typed.toLowerCase() !== 'all') return undefined;
  const name = command.name();
  const takesMany = command.registeredArguments.some(({ variadic }) => variadic);
  const hasOption = takesMany && command.options.some(({ long }) => long === '--all');
  return without(name, 'all') ?? (hasOption ? `use noesis ${name} --all` : undefined);
}

/** Adds what a word was probably meant as to the error that it names no run. `program` has the command. */
export function withMeaning(program: Command, args: readonly string[], error: TargetError): TargetError {
  const { code, message, place, searched, named } = error;
  const isFile = place.file !== undefined;
  if (named === undefined || named.similar.length > 0) return error;
  const word = named.typed;
  const at = args.indexOf(word, 1);
  if (at < 0) return error;
  const command = ownOf(program, args[0]);
  const isPath =
    command.name() === 'state' &&
    code === 'target-missing' &&
    args[at + 1]?.startsWith('-') !== false &&
    !isFile &&
    (parsePath(word)?.length ?? 0) > 1;
  const hint =
    listBefore(command, args, at) ??
    allRuns(command, word) ??
    (isPath ? `name the run before the path: noesis state latest ${plainShellWord(word)}` : newest(word));
  if (hint === undefined) return error;
  return new TargetError(code, message, { hint, place, searched, named, cause: error });
}
