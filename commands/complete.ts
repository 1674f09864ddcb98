import { type Argument, Command, type Option } from 'commander';
import { knownLogs, withGlobalOptions } from '../src/cli/context.ts';
import {
  argumentValues,
  type Candidate,
  type Offer,
  optionValues,
  type Situation,
} from '../src/cli/help/completion-words.ts';
import { helpNames, optionsOf } from '../src/cli/help/suggestions.ts';
import { TOPIC_LIST, TOPICS } from '../src/cli/help/topics.ts';
import { type Io, write } from '../src/cli/io.ts';
import { allDialects } from '../src/dialects/registry.ts';
import type { KnownLogs } from '../src/find/known-logs.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { truncateToWidth } from '../src/show/render/width.ts';

/** Words that need no quoting. They come from traces, and a shell may run them, so an id such as `$(…)` is not offered. */
const SAFE = /^[\w.:@%+,=/#-]+$/;
/** A longer list helps nobody. */
const MOST = 400;
const ABOUT_WIDTH = 60;

const NONE: Offer = { candidates: [] };

/** The words of a command line as its command would parse them. */
interface Parsed {
  readonly positionals: readonly string[];
  readonly options: ReadonlyMap<string, string>;
  /** The option that needs a value next. */
  readonly pending: Option | undefined;
  /** No more options follow. */
  readonly ended: boolean;
}

/** All options, including hidden ones, because they take values too. */
function optionNamed(command: Command, word: string): Option | undefined {
  return command.options.find(({ long, short }) => word === long || word === short);
}

function parse(command: Command, words: readonly string[]): Parsed {
  const positionals: string[] = [];
  const options = new Map<string, string>();
  let pending: Option | undefined;
  let ended = false;
  for (const word of words) {
    const [, name = word, value] = /^(--[^=]+)=([\s\S]*)$/.exec(word) ?? [];
    if (pending) {
      options.set(pending.name(), word);
      pending = undefined;
    } else if (ended || word === '-' || !word.startsWith('-')) positionals.push(word);
    else if (word === '--') ended = true;
    else {
      const option = optionNamed(command, name);
      if (option && value !== undefined) options.set(option.name(), value);
      else if (option && (option.required || option.optional)) pending = option;
    }
  }
  return { positionals, options, pending, ended };
}

/** The first target among the arguments: `search` has its text before it. */
const targetIn = (command: Command, { positionals }: Parsed): string | undefined =>
  positionals[
    Math.max(
      0,
      command.registeredArguments.findIndex((one) => one.name() === 'target'),
    )
  ];

function situationOf(command: Command, parsed: Parsed, io: Io, known: KnownLogs | undefined): Situation {
  const { options } = parsed;
  const { cwd, home, env } = io;
  const dialect = options.get('dialect');
  return {
    search: {
      known,
      cwd,
      config: options.get('config'),
      home,
      flag: options.get('root'),
      runsDir: env['NOESIS_RUNS_DIR'],
      env,
    },
    dialect: allDialects().some(({ name }) => name === dialect) ? dialect : undefined,
    target: targetIn(command, parsed),
  };
}

const valueName = (option: Option): string => /[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1] ?? '';

async function offerForOption(option: Option, situation: Situation, begins: string): Promise<Offer> {
  if (option.argChoices) return { candidates: option.argChoices.map((word) => ({ word })) };
  return optionValues(option.name(), valueName(option), situation, begins);
}

async function offerForArgument(
  command: Command,
  argument: Argument | undefined,
  situation: Situation,
  begins: string,
): Promise<Offer> {
  if (argument === undefined) return NONE;
  if (argument.argChoices) return { candidates: argument.argChoices.map((word) => ({ word })) };
  if (command.name() === 'help')
    return { candidates: helpNames(command.parent ?? command).map(aboutName(command)) };
  return argumentValues(argument.name(), situation, begins);
}

const aboutName =
  ({ parent }: Command) =>
  (word: string): Candidate => ({
    word,
    about:
      parent?.commands.find((one) => one.name() === word)?.description() ??
      [...TOPICS, TOPIC_LIST].find(({ name }) => name === word)?.about,
  });

/** Completes a list of values; `before` is the part already typed. */
async function listedValues(
  option: Option,
  situation: Situation,
  before: string,
  typed: string,
): Promise<Offer> {
  const list = typed.slice(0, typed.lastIndexOf(',') + 1);
  const given = new Set(list.split(','));
  const { candidates, directives = [] } = await offerForOption(option, situation, typed.slice(list.length));
  const more = candidates.filter(({ word }) => !given.has(word));
  return { candidates: more.map(({ word, about }) => ({ word: before + list + word, about })), directives };
}

async function offer(
  { pending, ended, positionals }: Parsed,
  current: string,
  command: Command,
  situation: Situation,
): Promise<Offer> {
  if (pending) return listedValues(pending, situation, '', current);
  const [, name, value = ''] = (!ended && /^(--[^=]+)=([\s\S]*)$/.exec(current)) || [];
  const option = name === undefined ? undefined : optionNamed(command, name);
  if (option) return listedValues(option, situation, `${name}=`, value);
  if (!ended && current.startsWith('-'))
    return {
      candidates: optionsOf(command).flatMap(({ long, description }) =>
        long ? [{ word: long, about: description }] : [],
      ),
    };
  const { registeredArguments: defined } = command;
  const last = defined.at(-1);
  const argument = defined[positionals.length] ?? (last?.variadic ? last : undefined);
  return offerForArgument(command, argument, situation, current);
}

function lines({ candidates, directives = [] }: Offer, current: string): string {
  const seen = new Set<string>();
  const kept = candidates.filter(({ word }) => {
    const fresh = word.startsWith(current) && SAFE.test(word) && !seen.has(word);
    seen.add(word);
    return fresh;
  });
  const rows = kept.slice(0, MOST).map(({ word, about }) => {
    const text = truncateToWidth(escapeText(about ?? ''), ABOUT_WIDTH);
    return text === '' ? word : `${word}\t${text}`;
  });
  return [...rows, ...directives].map((line) => `${line}\n`).join('');
}

async function offerFor(
  program: Command,
  before: readonly string[],
  current: string,
  io: Io,
): Promise<Offer> {
  const [name] = parse(program, before).positionals;
  const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
  if (command === undefined) return NONE;
  if (command === program && !current.startsWith('-') && parse(program, before).pending === undefined)
    return { candidates: program.commands.map((one) => ({ word: one.name(), about: one.description() })) };
  const at = name === undefined ? -1 : before.indexOf(name);
  const own = parse(
    command,
    before.filter((_, index) => index !== at),
  );
  const known = await knownLogs(io);
  try {
    return await offer(own, current, command, situationOf(command, own, io, known));
  } finally {
    known?.save();
  }
}

/**
 * Prints the completions of the last word, one per line, with a description after a tab. Lines that begin with a colon are
 * directives for the shell. `load` makes the program with one command or all. On an error prints nothing, so that the
 * prompt stays clean.
 */
export async function complete(
  words: readonly string[],
  io: Io,
  load: (first: string | undefined) => Promise<Command>,
): Promise<void> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // Options may precede the name of the command. Only that command is loaded.
  const [name] = parse(withGlobalOptions(new Command()), before).positionals;
  const program = await load(name);
  const found = await offerFor(program, before, current, io).catch(() => NONE);
  await write(io.stdout, lines(found, current));
}
