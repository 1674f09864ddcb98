import { Command, CommanderError } from 'commander';
import { version } from '../src/version.ts';
import { Context, type GlobalOptions, withGlobalOptions } from './context.ts';
import { addEvents } from './events.ts';
import { addExplain } from './explain.ts';
import { EXIT, Failed, failureJson, failureOf, failureText } from './failure.ts';
import { Interrupted, type Io, PipeClosed, write } from './io.ts';
import { addList } from './list.ts';
import { addProject } from './project.ts';
import { addSchema } from './schema.ts';
import { addState } from './state.ts';
import { addTail } from './tail.ts';
import { addVerify } from './verify.ts';

function buildProgram(io: Io): Command {
  const program = new Command('noesis')
    .description('Inspect and verify the episode traces of AI agents: can I trust this trace?')
    .version(version, '-V, --version', 'print the version')
    .showSuggestionAfterError();
  withGlobalOptions(program);
  for (const add of [addVerify, addEvents, addState, addProject, addTail, addList, addExplain, addSchema])
    add(program, io);
  return program;
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

async function reportFailure(io: Io, error: unknown, options: GlobalOptions): Promise<number> {
  const failure = failureOf(error);
  const context = new Context(io, options);
  const width = io.stderr.columns || context.width;
  await write(
    io.stderr,
    options.json ? failureJson(failure) : failureText(failure, context.errorStyle, width),
  );
  return failure.exit;
}

/**
 * Runs one command line (without node and the script) and gives its exit code: 0 done, 1 an answer that is a failure,
 * 2 usage, 3 target missing, 70 a bug, 130 interrupted. Never throws; writes what it has to say to `io`.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const program = buildProgram(io);
  const texts: string[] = [];
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .helpOption('-h, --help', 'print help')
      .configureHelp({ helpWidth: io.stdout.columns || 80 })
      .configureOutput({ writeOut: (text) => texts.push(text), writeErr: () => {} });
  }
  try {
    if (args.length === 0) {
      await write(io.stderr, program.helpInformation());
      return EXIT.usage;
    }
    await program.parseAsync([...args], { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof Failed) return EXIT.failed;
    if (error instanceof PipeClosed) return EXIT.ok;
    if (error instanceof Interrupted) return EXIT.interrupted;
    // Commander gives help and the version as errors; their text has been collected.
    if (error instanceof CommanderError && error.exitCode === 0) {
      await write(io.stdout, texts.join(''));
      return EXIT.ok;
    }
    const color = /^--color=?(always|never)$/.exec(
      args.find((word) => word.startsWith('--color=')) ?? '',
    )?.[1];
    return reportFailure(io, error, {
      json: wantsJson(args),
      ...((color === 'always' || color === 'never') && { color }),
    });
  }
}
