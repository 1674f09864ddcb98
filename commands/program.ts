import { Command, CommanderError, Option } from 'commander';
import { type NoesisError, UsageError } from '../src/errors.ts';
import { useAccelerator } from '../src/log/accelerator/use.ts';
import { nearest } from '../src/text/nearest.ts';
import { commit, version } from '../src/version.ts';
import { columnsOf, GLOBAL_GROUP, type GlobalOptions, withGlobalOptions } from './context.ts';
import { addEvents } from './events.ts';
import { EXIT, Failed } from './failure.ts';
import { Interrupted, type Io, type OutputStream, PipeClosed, write } from './io.ts';
import { addList } from './list.ts';
import { addTail } from './tail.ts';

/** Adds commands to the program. */
type AddCommands = (program: Command, io: Io) => void;

/** Every command, in the order of the help. The larger ones are loaded when they are asked for. */
const COMMANDS: readonly { names: readonly string[]; load: () => Promise<AddCommands> }[] = [
  { names: ['verify'], load: async () => (await import('./verify.ts')).addVerify },
  { names: ['show'], load: async () => (await import('./show.ts')).addShow },
  { names: ['timeline'], load: async () => (await import('./timeline.ts')).addTimeline },
  { names: ['stats'], load: async () => (await import('./stats.ts')).addStats },
  { names: ['events', 'insight'], load: async () => addEvents },
  { names: ['state'], load: async () => (await import('./state.ts')).addState },
  { names: ['project'], load: async () => (await import('./project.ts')).addProject },
  { names: ['tail'], load: async () => addTail },
  { names: ['list'], load: async () => addList },
  { names: ['explain'], load: async () => (await import('./explain.ts')).addExplain },
  { names: ['schema'], load: async () => (await import('./schema.ts')).addSchema },
];

const MORE = `
Examples:
  noesis verify                         check every episode under the root
  noesis verify runs/ -f sarif -o x     a folder of them, for code scanning
  noesis show latest                    what happened, and why it ended so
  noesis events latest -p act,reflect   what the newest episode did
  noesis tail -f latest                 follow a run
  noesis project ep_01KJ --diff         does the state follow from the log?
  noesis explain log/truncated          what a finding means

Exit codes:
  0   done, nothing wrong               3   target missing or unreadable
  1   an answer that is a failure       70  a bug in noesis
  2   usage or configuration error      130 interrupted`;

/** With all commands, or with the one that a command line begins with. */
async function buildProgram(io: Io, first: string | undefined): Promise<Command> {
  const program = new Command('noesis')
    .description('Inspect and verify the episode traces of AI agents: can I trust this trace?')
    .version(version, '-V, --version', 'print the version; with -j, what it reads')
    .showSuggestionAfterError(false)
    .helpCommand(false)
    .addHelpText('after', MORE);
  const wanted = COMMANDS.filter(({ names }) => names.includes(first ?? ''));
  for (const { load } of wanted.length > 0 ? wanted : COMMANDS) (await load())(program, io);
  if (wanted.length === 0) addHelp(program);
  for (const command of [program, ...program.commands]) {
    withGlobalOptions(command)
      .exitOverride()
      .addHelpOption(new Option('-h, --help', 'print help').helpGroup(GLOBAL_GROUP))
      // Lines are broken when all of the help is there.
      .configureHelp({ helpWidth: Number.MAX_SAFE_INTEGER });
  }
  return program;
}

function addHelp(program: Command): void {
  program
    .command('help')
    .description('print the help of a command')
    .argument('[command]')
    .action((name: string | undefined) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command) command.help();
      throw unknownCommand(program, name ?? '');
    });
}

function unknownCommand(program: Command, name: string): NoesisError {
  const names = program.commands.map((one) => one.name());
  const near = name === 'version' ? ['noesis --version'] : nearest(names, name);
  return new UsageError('usage', `unknown command '${name}'`, {
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : `there are ${names.join(', ')}`,
  });
}

function unknownOption(program: Command, command: string | undefined, name: string): NoesisError {
  const own = program.commands.find((one) => one.name() === command) ?? program;
  const names = own
    .createHelp()
    .visibleOptions(own)
    .flatMap(({ long }) => (long ? [long.slice(2)] : []));
  const near = nearest(names, name.replace(/^-+/, '')).map((one) => `--${one}`);
  return new UsageError('usage', `unknown option '${name}'`, {
    hint:
      near.length > 0
        ? `did you mean ${near.join(', ')}?`
        : `noesis ${own === program ? '' : `${own.name()} `}--help lists the options`,
  });
}

/** A word that commander does not know, with the words that may have been meant; other errors as they are. */
function withSuggestion(program: Command, command: string | undefined, error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  const [, word = ''] = /'([\s\S]*)'/.exec(error.message) ?? [];
  if (error.code === 'commander.unknownCommand') return unknownCommand(program, word);
  return error.code === 'commander.unknownOption' ? unknownOption(program, command, word) : error;
}

/** `tail -5` as the old tail takes it. */
function withCount(args: readonly string[]): string[] {
  if (args[0] !== 'tail') return [...args];
  return args.flatMap((word, index) => {
    const [, count, follow = ''] = /^-(\d+)(f?)$/.exec(word) ?? [];
    if (count === undefined || /^(-n|--lines)$/.test(args[index - 1] ?? '')) return [word];
    return ['-n', count, ...(follow === '' ? [] : ['-f'])];
  });
}

/** Whether the words of a command line ask for JSON; needed where they cannot be parsed. */
function wantsJson(args: readonly string[]): boolean {
  // `verify -f json` is the same as `-j`; what stands right behind another option may hold a j too, as in `-fjunit`.
  return args.some(
    (word, index) =>
      /^(--json|-[qf]*j[qf]*|--format=json|-fjson)$/.test(word) ||
      (word === 'json' && /^(-f|--format)$/.test(args[index - 1] ?? '')),
  );
}

/** The options of a command line that say how its failure is shown. */
function failureOptions(args: readonly string[]): GlobalOptions {
  const [, colour] = /(?:^|\0)--color[=\0](always|never)(?:\0|$)/.exec(args.join('\0')) ?? [];
  const color = args.includes('--no-color') ? 'never' : colour;
  return { json: wantsJson(args), ...((color === 'always' || color === 'never') && { color }) };
}

/** The version, and what it was made for. */
async function printAbout(io: Io, out: OutputStream): Promise<void> {
  const { DIALECTS } = await import('../src/dialects/registry.ts');
  const dialects = Object.fromEntries(DIALECTS.map(({ name, versions = {} }) => [name, versions]));
  const about = { version, ...(commit !== undefined && { commit }), node: io.nodeVersion, dialects };
  await write(out, `${JSON.stringify(about, null, 2)}\n`);
}

/** Help that was asked for goes to `help`. */
async function runCommand(args: readonly string[], io: Io, help: OutputStream): Promise<void> {
  const program = await buildProgram(io, args[0]);
  const texts: string[] = [];
  for (const command of [program, ...program.commands])
    command.configureOutput({ writeOut: (text) => texts.push(text), writeErr: () => {} });
  try {
    await program.parseAsync(withCount(args), { from: 'user' });
  } catch (error) {
    // Commander gives help and the version as errors; their text has been collected.
    if (!(error instanceof CommanderError && error.exitCode === 0))
      throw withSuggestion(program, args[0], error);
    if (error.code === 'commander.version' && wantsJson(args)) return printAbout(io, help);
    const { fitHelp } = await import('../src/render/help.ts');
    await write(help, fitHelp(texts.join(''), columnsOf(help, io.env) ?? 80));
  }
}

/**
 * Runs one command line (without node and the script) and gives its exit code: 0 done, 1 an answer that is a failure,
 * 2 usage, 3 target missing, 70 a bug, 130 interrupted. Never throws; writes what it has to say to `io`.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const wanted = io.env['NOESIS_ACCELERATOR'];
  if (wanted === 'never' || wanted === 'always') useAccelerator(wanted);
  try {
    if (args.length === 0) {
      await runCommand(['--help'], io, io.stderr);
      return EXIT.usage;
    }
    await runCommand(args, io, io.stdout);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof Failed) return EXIT.failed;
    if (error instanceof PipeClosed) return EXIT.ok;
    if (error instanceof Interrupted) return EXIT.interrupted;
    const { reportFailure } = await import('./report-failure.ts');
    return reportFailure(io, error, failureOptions(args));
  }
}
