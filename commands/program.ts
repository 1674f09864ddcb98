import { Command, CommanderError, Help, Option } from 'commander';
import { NoesisError, TargetError } from '../src/base/errors.ts';
import { grouped } from '../src/base/text/grouped.ts';
import { commit, version } from '../src/base/version.ts';
import { columnsOf, GLOBAL_GROUP, type GlobalOptions, withGlobalOptions } from '../src/cli/context.ts';
import { EXIT, Failed } from '../src/cli/failure.ts';
import { type Example, rememberExamples } from '../src/cli/help/examples.ts';
import { withMeaning, withSuggestion } from '../src/cli/help/suggestions.ts';
import { TOPICS } from '../src/cli/help/topics.ts';
import { Interrupted, type Io, type OutputStream, PipeClosed, write } from '../src/cli/io.ts';
import { refuseSecondValues } from '../src/cli/option-values.ts';
import type { PagedOutput } from '../src/cli/terminal/pager.ts';
import { useAccelerator } from '../src/log/accelerator/use.ts';
import { addEvents } from './events.ts';
import { addHelp } from './help.ts';
import { addList } from './list.ts';
import { addTail } from './tail.ts';

/** For users of {@link run}, who may throw it from their {@link Io}. */
export { NoesisError };

/** Adds commands to the program. `names`: those of all commands, also if the program gets only one. */
type AddCommands = (program: Command, io: Io, names: readonly string[]) => void;

/** One or two commands of a file, loaded on demand. */
interface CommandEntry {
  readonly names: readonly string[];
  readonly load: () => Promise<AddCommands>;
  /** Its output must appear immediately, so it gets no pager. */
  readonly live?: true;
  /** Its output begins with column headings. */
  readonly header?: true;
}

/** All commands by help heading, in order. */
const GROUPS: Readonly<Record<string, readonly CommandEntry[]>> = {
  'What happened:': [
    { names: ['list'], load: async () => addList, header: true },
    { names: ['show'], load: async () => (await import('./show.ts')).addShow },
    { names: ['read'], load: async () => (await import('./read.ts')).addRead },
    { names: ['timeline'], load: async () => (await import('./timeline.ts')).addTimeline, header: true },
    { names: ['events', 'insight'], load: async () => addEvents, header: true },
    { names: ['search'], load: async () => (await import('./search.ts')).addSearch },
    { names: ['tail'], load: async () => addTail, live: true },
    { names: ['diff'], load: async () => (await import('./diff.ts')).addDiff },
    { names: ['stats'], load: async () => (await import('./stats.ts')).addStats },
    { names: ['view'], load: async () => (await import('./view.ts')).addView },
    { names: ['sql'], load: async () => (await import('./sql.ts')).addSql },
  ],
  'Can it be trusted:': [
    { names: ['verify'], load: async () => (await import('./verify.ts')).addVerify },
    { names: ['state'], load: async () => (await import('./state.ts')).addState },
    { names: ['project'], load: async () => (await import('./project.ts')).addProject },
    { names: ['explain'], load: async () => (await import('./explain.ts')).addExplain },
    { names: ['checkpoint'], load: async () => (await import('./checkpoint.ts')).addCheckpoint },
    { names: ['merge'], load: async () => (await import('./merge.ts')).addMerge },
  ],
  'Repairing and writing:': [
    { names: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctor },
    { names: ['salvage'], load: async () => (await import('./salvage.ts')).addSalvage },
    { names: ['redact'], load: async () => (await import('./redact.ts')).addRedact },
    { names: ['append'], load: async () => (await import('./append.ts')).addAppend, live: true },
    { names: ['seal'], load: async () => (await import('./seal.ts')).addSeal },
    { names: ['sign'], load: async () => (await import('./seal.ts')).addSign },
    { names: ['keygen'], load: async () => (await import('./keygen.ts')).addKeygen, live: true },
  ],
  'More:': [
    { names: ['export'], load: async () => (await import('./export.ts')).addExport, live: true },
    { names: ['schema'], load: async () => (await import('./schema.ts')).addSchema },
    { names: ['completion'], load: async () => (await import('./completion.ts')).addCompletion, live: true },
  ],
};

const NAMES: readonly string[] = Object.values(GROUPS).flatMap((entries) =>
  entries.flatMap(({ names }) => names),
);

const EXAMPLES: readonly Example[] = [
  ['verify', 'check every run under the root'],
  ['verify runs/ -f sarif -o x', 'a folder, for code scanning'],
  ['show latest', 'what happened, and why it ended'],
  ['events latest --failed', 'what failed in the newest run, and how'],
  ['search "rm -rf"', 'in which run, and where'],
  ['stats --since 7d --by tool', 'what failed this week, and why'],
  ['tail -f latest', 'follow a run'],
  ['project ep_01KJ --diff', 'compare the state with the log'],
  ['explain log/truncated', 'what a finding means'],
];

const MORE = `Start with noesis list, noesis read and noesis verify. noesis help <command> explains a
command and its options; noesis help <topic>: ${TOPICS.map(({ name }) => name).join(', ')}.`;

const GLOBAL_FOOT = '\nGlobal options, such as -j, --root and --dialect: noesis help options';

/** The options of one command. Those of all commands are a topic of the help. */
const ownOptions = (command: Command): Option[] =>
  new Help().visibleOptions(command).filter(({ helpGroupHeading }) => helpGroupHeading !== GLOBAL_GROUP);

/** The commands on one screen, one per line under headings. Options are in each command's help. */
function overview(program: Command): string {
  const width = Math.max(...program.commands.map((command) => command.name().length)) + 2;
  const rowOf = (command: Command) => `  ${command.name().padEnd(width)}${command.description()}`;
  const groups = grouped(program.commands, (command) => command.helpGroup() ?? 'More:');
  const lists = [...groups].map(([heading, own]) => [heading, ...own.map(rowOf)].join('\n'));
  return [program.description(), ...lists, MORE].join('\n\n');
}

/** Makes the program with all commands, or only the one that a command line names. */
export async function buildProgram(io: Io, first: string | undefined): Promise<Command> {
  const program = new Command('noesis')
    .description('Inspect and verify the logs of AI agents: what happened, and can I trust them?')
    .version(version, '-V, --version', 'print the version; with -j also the formats')
    .showSuggestionAfterError(false)
    .helpCommand(false);
  const isWanted = ({ names }: CommandEntry) => names.includes(first ?? '');
  const isOne = Object.values(GROUPS).some((entries) => entries.some(isWanted));
  for (const [heading, entries] of Object.entries(GROUPS)) {
    for (const entry of isOne ? entries.filter(isWanted) : entries) {
      const before = program.commands.length;
      (await entry.load())(program, io, NAMES);
      for (const command of program.commands.slice(before)) command.helpGroup(heading);
    }
  }
  rememberExamples(program, EXAMPLES);
  if (!isOne) {
    addHelp(program, io);
    program.commands.at(-1)?.helpGroup('More:');
  }
  for (const command of [program, ...program.commands]) {
    withGlobalOptions(command)
      .exitOverride()
      .addHelpOption(new Option('-h, --help', 'print help').helpGroup(GLOBAL_GROUP))
      // Lines are wrapped once the help is complete.
      .configureHelp({ helpWidth: Number.MAX_SAFE_INTEGER });
    refuseSecondValues(command);
  }
  for (const command of program.commands)
    command.configureHelp({ visibleOptions: ownOptions }).addHelpText('after', GLOBAL_FOOT);
  if (!isOne) {
    program.configureHelp({
      helpWidth: Number.MAX_SAFE_INTEGER,
      formatHelp: (command) => `${overview(command)}\n`,
    });
  }
  return program;
}

/** Global options with a separate value. */
const WITH_VALUE = new Set(['--root', '--config', '--dialect', '--map', '--color']);
const GLOBAL = /^(?:-[jq]+|--(?:json|quiet|no-color|no-pager|(?:root|config|dialect|map|color)(?:=.*)?))$/s;

/** Names that other tools use. The help lists one name per command. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['ls', 'list'],
  ['log', 'events'],
  ['cat', 'read'],
]);

/** Moves global options after the command, because all later code expects the command first. */
function commandFirst(args: readonly string[]): string[] {
  let at = 0;
  while (GLOBAL.test(args[at] ?? '')) at += WITH_VALUE.has(args[at] ?? '') ? 2 : 1;
  const command = OTHER_NAMES.get(args[at] ?? '') ?? args[at];
  return command === undefined ? [...args] : [command, ...args.slice(0, at), ...args.slice(at + 1)];
}

/** `tail -5`, as the Unix tool accepts it. */
function withCount(args: readonly string[]): string[] {
  if (args[0] !== 'tail') return [...args];
  return args.flatMap((word, index) => {
    const [, count, follow = ''] = /^-(\d+)(f?)$/.exec(word) ?? [];
    if (count === undefined || /^(-n|--lines)$/.test(args[index - 1] ?? '')) return [word];
    return ['-n', count, ...(follow === '' ? [] : ['-f'])];
  });
}

/** Whether the words ask for JSON; used if they cannot be parsed. */
function wantsJson(args: readonly string[]): boolean {
  // `verify -f json` means `-j`. A word attached to another option may contain a j too, as in `-fjunit`.
  return args.some(
    (word, index) =>
      /^(--json|-[qhV0]*j.*|-[qf]*j[qf]*|--format=json|-fjson)$/s.test(word) ||
      (word === 'json' && /^(-f|--format)$/.test(args[index - 1] ?? '')),
  );
}

/** The options that decide how a failure is shown. */
function failureOptions(args: readonly string[]): GlobalOptions {
  const [, colour] = /(?:^|\0)--color[=\0](always|never)(?:\0|$)/.exec(args.join('\0')) ?? [];
  const color = args.includes('--no-color') ? 'never' : colour;
  return { json: wantsJson(args), ...((color === 'always' || color === 'never') && { color }) };
}

/** The version and build target. */
async function printAbout(io: Io, out: OutputStream): Promise<void> {
  const { DIALECTS } = await import('../src/dialects/registry.ts');
  const dialects = Object.fromEntries(DIALECTS.map(({ name, versions = {} }) => [name, versions]));
  const about = { version, ...(commit !== undefined && { commit }), node: io.nodeVersion, dialects };
  await write(out, `${JSON.stringify(about, null, 2)}\n`);
}

/** Runs a command. Writes help to `help` if the user asked for it. */
async function runCommand(args: readonly string[], io: Io, help: OutputStream): Promise<void> {
  const program = await buildProgram(io, args[0]);
  const texts: string[] = [];
  for (const command of [program, ...program.commands])
    command.configureOutput({ writeOut: (text) => texts.push(text), writeErr: () => {} });
  try {
    await program.parseAsync(withCount(args), { from: 'user' });
  } catch (error) {
    if (error instanceof TargetError) throw withMeaning(program, args, error);
    if (!(error instanceof CommanderError)) throw error;
    // Commander throws after help and version, whose text was collected.
    if (error.exitCode !== 0) throw withSuggestion(await buildProgram(io, undefined), args, error);
    if (error.code === 'commander.version' && wantsJson(args)) return printAbout(io, help);
    const { fitHelp } = await import('../src/show/render/help.ts');
    await write(help, fitHelp(texts.join(''), columnsOf(help, io.env) ?? 80));
  }
}

/** Standard output with a pager if it is long; undefined outside a terminal, or if disabled. */
async function pagedOutput(args: readonly string[], io: Io): Promise<PagedOutput | undefined> {
  const entry = Object.values(GROUPS)
    .flat()
    .find(({ names }) => names.includes(args[0] ?? ''));
  if (args.includes('--no-pager') || entry?.live || io.env['TERM'] === 'dumb') return undefined;
  const { isTTY, rows } = io.stdout;
  if (!isTTY || rows === undefined || rows < 1) return undefined;
  const { PagedOutput } = await import('../src/cli/terminal/pager.ts');
  return new PagedOutput(io, rows, entry?.header === true && !wantsJson(args));
}

/** Runs one command line. Throws unless it succeeds. */
async function runLine(args: readonly string[], io: Io): Promise<number> {
  if (io.env['NOESIS_ACCELERATOR'] === 'never') useAccelerator('never');
  if (args.length === 0) {
    await runCommand(['--help'], io, io.stderr);
    return EXIT.usage;
  }
  if (args[0] === '__complete') {
    const { complete } = await import('./complete.ts');
    await complete(args.slice(1), io, (first) => buildProgram(io, first));
  } else await runCommand(args, io, io.stdout);
  return EXIT.ok;
}

/**
 * Runs one command line (without node and the script) and returns its exit code: 0 success, 1 a negative
 * answer, 2 usage, 3 target missing, 70 a bug, 130 interrupted. Never throws; messages go to `io`.
 */
export async function run(line: readonly string[], io: Io): Promise<number> {
  const args = commandFirst(line);
  let paged: PagedOutput | undefined;
  try {
    paged = await pagedOutput(args, io);
    const code = await runLine(args, paged ? Object.create(io, { stdout: { value: paged } }) : io);
    await paged?.close();
    return code;
  } catch (error) {
    // Output comes before messages about it.
    const failure = await paged?.close().then(
      () => error,
      (other) => (error instanceof PipeClosed ? other : error),
    );
    return failed(args, io, failure ?? error);
  }
}

async function failed(args: readonly string[], io: Io, error: unknown): Promise<number> {
  if (error instanceof Failed) return EXIT.failed;
  if (error instanceof PipeClosed) return EXIT.ok;
  // Code that handles the signal itself throws its reason, such as a writer, or the error of a stream.
  const { interrupted } = io;
  const isOfSignal = error === interrupted.reason || (error instanceof Error && error.name === 'AbortError');
  if (error instanceof Interrupted || (interrupted.aborted && isOfSignal)) return EXIT.interrupted;
  const { reportFailure } = await import('../src/cli/report-failure.ts');
  return reportFailure(io, error, failureOptions(args));
}
