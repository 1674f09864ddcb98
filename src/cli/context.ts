import { type Command, Option } from 'commander';
import { shownPath } from '../base/files/paths.ts';
import { forOutput } from '../base/json/output.ts';
import type { DialectName } from '../dialects/dialect.ts';
import type { StateView } from '../dialects/kit/state-view.ts';
import { formatsInUse, hasOwnFormats } from '../dialects/registry.ts';
import { configurationFile, type UsedConfiguration } from '../find/configuration-file.ts';
import { type Episode, pathOf, unreadable } from '../find/episode.ts';
import type { KnownLogs } from '../find/known-logs.ts';
import type { RootSearch } from '../find/root.ts';
import type { ReportConfiguration } from '../findings/report.ts';
import { escapeText } from '../show/render/escape.ts';
import { type Style, styleOf } from '../show/render/style.ts';
import type { ViewOptions } from '../show/render/view.ts';
import { displayWidth } from '../show/render/width.ts';
import {
  bytesWithoutCommands,
  isInJob,
  type OutputForm,
  withoutCommands,
} from '../show/render/workflow-commands.ts';
import { wrap } from '../show/render/wrap.ts';
import { Failed } from './failure.ts';
import type { Io, OutputStream } from './io.ts';
import { write, writeRemark } from './io.ts';
import { type FormatOptions, withFormatsOf } from './own-formats.ts';
import { joined } from './pieces.ts';

/** Options of every command. */
export interface GlobalOptions extends FormatOptions {
  readonly root?: string;
  /** False for `--no-color`. */
  readonly color?: 'auto' | 'always' | 'never' | false;
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** Use the log of this stream in a folder with several; a list for commands that filter records by it. */
  readonly stream?: string | readonly string[];
}

/** The help heading of these options. */
export const GLOBAL_GROUP = 'Global options:';

/** Adds these options. Call it after the options of the command itself. */
export function withGlobalOptions(command: Command): Command {
  return command
    .optionsGroup(GLOBAL_GROUP)
    .option('--root <dir>', 'look for runs in this folder (a .noesis folder or a runs_dir)')
    .option(
      '--config <file>',
      'use this configuration file instead of the nearest noesis.toml (none: no file)',
    )
    .option(
      '--dialect <name>',
      'read each log as this dialect, whatever it contains; without a target, read the runs of this dialect; noesis help dialects lists them',
    )
    .addOption(
      new Option(
        '--map <fields>',
        'map the fields of an unknown dialect of JSON Lines: id, parent, time, type, agent, ordinal, text (id=uuid,time=at.start)',
      ),
    )
    .addOption(new Option('--color <when>', 'use colour').choices(['auto', 'always', 'never']))
    .addOption(new Option('--no-color', 'use no colour, as --color never').hideHelp())
    .option('--no-pager', 'do not open a pager for long output')
    .option('-j, --json', 'print JSON (one object per line for lists of events)')
    .option('-q, --quiet', 'print less');
}

function colourLevel(stream: OutputStream, flag: GlobalOptions['color'], env: Io['env']): 0 | 1 | 2 | 3 {
  const full = env['COLORTERM'] === 'truecolor' ? 3 : 1;
  if (flag === 'always') return full;
  if (flag === 'never' || flag === false) return 0;
  const forced = env['FORCE_COLOR'];
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return 0;
  if (forced !== undefined) {
    if (forced === '0' || forced === 'false') return 0;
    return forced === '2' ? 2 : forced === '3' ? 3 : full;
  }
  if (env['TERM'] === 'dumb') return 0;
  return stream.isTTY ? full : 0;
}

const DEFAULT_WIDTH = 80;

/** The width of the terminal, or from COLUMNS if it is a number; undefined if unknown. */
export function columnsOf(stream: OutputStream, env: Io['env']): number | undefined {
  const said = /^\d{1,6}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : 0;
  return stream.columns || said || undefined;
}

/** What earlier runs found out about logs; undefined if nothing may be remembered. The caller saves it. */
export async function knownLogs({ knownPlace, now }: Io): Promise<KnownLogs | undefined> {
  // Formats of the user change what a log is.
  if (knownPlace === undefined || hasOwnFormats()) return undefined;
  const { KnownLogs } = await import('../find/known-logs.ts');
  return new KnownLogs(knownPlace, now);
}

/** The number of lines of a terminal that these lines take, because it wraps long ones. */
const heightOnScreen = (lines: readonly string[], width: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / width)), 0);

/** Remarks that a command prints below its answer. */
export interface Remarks {
  readonly texts: readonly string[];
  /** Commands for users to copy, whole on their lines. */
  readonly commands: readonly string[];
}

/** A run of a command: its options and its I/O. */
export class Context {
  readonly io: Io;
  readonly options: GlobalOptions;
  readonly json: boolean;
  readonly quiet: boolean;

  #known: KnownLogs | undefined;
  readonly #found = {};
  #used: UsedConfiguration | undefined = {};
  /** The number of lines of the remarks so far, as a terminal shows them. */
  #remarkLines = 0;

  constructor(io: Io, options: GlobalOptions) {
    this.io = io;
    this.options = options;
    this.json = options.json ?? false;
    this.quiet = options.quiet ?? false;
  }

  /**
   * Lets the search for targets and the list believe what earlier runs found out about logs that have not changed. Commands
   * that judge or change a log do not call it, except to find the newest one.
   */
  async believeKnown(): Promise<void> {
    this.io.believesKnown?.();
    this.#known ??= await knownLogs(this.io);
  }

  /** What earlier runs found out about logs; undefined if the command does not believe it. */
  get known(): KnownLogs | undefined {
    return this.#known;
  }

  /** The search of a command that was given no target and could read standard input instead. */
  get searchWithoutTarget(): RootSearch {
    return { ...this.search, isPiped: this.io.isInputPiped?.() };
  }

  /** Where to look for runs. */
  get search(): RootSearch {
    const { cwd, home, env } = this.io;
    return {
      known: this.#known,
      unpackPlace: this.io,
      found: this.#found,
      used: this.#used,
      cwd,
      config: this.options.config,
      home,
      flag: this.options.root,
      runsDir: env['NOESIS_RUNS_DIR'],
      env,
      dialect: this.dialect,
      onUnreadable: (episodes) => this.#sayUnreadable(episodes),
      ...(this.options.stream !== undefined && { streams: [this.options.stream].flat() }),
    };
  }

  /** What the command used of a configuration so far. After this call, the caller reports it. */
  takeUsed(): UsedConfiguration {
    const used = this.#used ?? {};
    this.#used = undefined;
    return used;
  }

  /** What the command used of a configuration so far, for its JSON; undefined if it used nothing. */
  async configuration(): Promise<ReportConfiguration | undefined> {
    if (this.#used === undefined) return undefined;
    const { named, chains, upcasts } = formatsInUse();
    const settings = [named, chains ?? {}, upcasts ?? []].flatMap(Object.keys).length;
    const { path = settings === 0 ? undefined : (await configurationFile(this.search))?.path, ...used } =
      this.#used;
    return path === undefined ? undefined : { path, rules: 0, settings, ...used };
  }

  /**
   * Says what the command used of a configuration, because a checkout may have chosen it. Says also with `-q` that
   * episodes elsewhere were read.
   */
  async sayConfiguration(): Promise<void> {
    const configuration = await this.configuration();
    if (configuration === undefined) return;
    const { configurationLine } = await import('../show/render/words.ts');
    const line = configurationLine({ configuration }, this.io.cwd);
    if (line !== undefined)
      await (configuration.runsDir === undefined ? this.say(line) : this.sayAlways(line));
  }

  /** Reports, also with `-q`, episodes that cannot be read and may be newer than the chosen one. */
  async #sayUnreadable([first, ...others]: readonly Episode[]): Promise<void> {
    if (first === undefined) return;
    const { message } = unreadable(first, this.shortPath(pathOf(first)));
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    await this.sayAlways(escapeText(`${message}${more}: using the newest one that can be read`));
  }

  /** The dialect that the user named. */
  get dialect(): DialectName | undefined {
    const { dialect } = this.options;
    return dialect === 'auto' ? undefined : dialect;
  }

  get style(): Promise<Style> {
    return styleOf(colourLevel(this.io.stdout, this.options.color, this.io.env));
  }

  get errorStyle(): Promise<Style> {
    return styleOf(colourLevel(this.io.stderr, this.options.color, this.io.env));
  }

  /** The width for layout: the terminal's, else 80. */
  get width(): number {
    return columnsOf(this.io.stdout, this.io.env) ?? DEFAULT_WIDTH;
  }

  /** The width at which rows are cut; pipes and files do not cut. */
  get cutWidth(): number {
    return columnsOf(this.io.stdout, this.io.env) ?? (this.io.stdout.isTTY ? DEFAULT_WIDTH : Infinity);
  }

  /** A path for messages: relative if it is below the current folder, else absolute. */
  shortPath(path: string): string {
    return shownPath(path, this.io.cwd);
  }

  /**
   * Prints data for programs. In a job of a build server, text that its runner would obey is spelled in another way, with
   * the same value for a reader of the form.
   */
  out(chunk: string | Uint8Array, form: OutputForm = 'json'): Promise<void> {
    if (!isInJob(this.io.env)) return this.outExactly(chunk);
    return this.outExactly(
      typeof chunk === 'string' ? this.readable(chunk, form) : bytesWithoutCommands(chunk, form),
    );
  }

  /** Prints data in a form that has no second spelling, such as names between zero bytes. */
  outExactly(chunk: string | Uint8Array): Promise<void> {
    return write(this.io.stdout, chunk);
  }

  /** Prints a document as JSON, with names in snake_case. */
  printJson(document: unknown): Promise<void> {
    return this.out(`${JSON.stringify(forOutput(document), null, 2)}\n`);
  }

  /** Prints whole lines for people. */
  show(text: string): Promise<void> {
    return this.outExactly(this.readable(text));
  }

  /** Prepares lines for display. In a job of a build server, text that its runner would obey is escaped. */
  readable(text: string, form: OutputForm = 'text'): string {
    return isInJob(this.io.env) ? withoutCommands(text, form) : text;
  }

  /** Layout options for a view, with ages next to times. */
  async viewOptions(): Promise<ViewOptions> {
    const { width, cutWidth, io } = this;
    const style = await this.style;
    return { style, width, cutWidth, zone: 'local', ...(io.stdout.isTTY && { now: io.now() }) };
  }

  /** Prints a view of a state. */
  async showView(view: StateView): Promise<void> {
    const { viewLines } = await import('../show/render/view.ts');
    const lines = viewLines(view, await this.viewOptions());
    for (const piece of joined(lines)) await this.show(piece);
  }

  /** Prints a view in at most `most` lines, with the remarks before it and those that follow. */
  async showShortView(view: StateView, most: number, remarks: Remarks): Promise<void> {
    const left = most - this.#remarkLines - this.#heightOfRemarks(remarks);
    const { renderView } = await import('../show/render/view.ts');
    const { shortView } = await import('../show/render/short-view.ts');
    const { plain } = await import('../show/render/style.ts');
    const options = await this.viewOptions();
    const heightOf = (part: StateView) => {
      const lines = renderView(part, { ...options, style: plain }).split('\n');
      return heightOnScreen(lines.slice(0, -1), this.cutWidth);
    };
    await this.show(renderView(shortView(view, left, heightOf), options));
  }

  /** Prints a remark on standard error, unless the user asked for quiet. Wraps it in a terminal. */
  say(text: string): Promise<void> {
    return this.sayWhole(wrap(text, this.#remarkWidth, 0, true).join('\n'));
  }

  get #remarkWidth(): number {
    const { stderr, env } = this.io;
    return stderr.isTTY ? (columnsOf(stderr, env) ?? DEFAULT_WIDTH) : Infinity;
  }

  /** The number of lines of a terminal that remarks take. Texts are wrapped at words, and commands where the line ends. */
  #heightOfRemarks({ texts, commands }: Remarks): number {
    const width = this.#remarkWidth;
    const wrapped = texts.flatMap((text) => wrap(text, width, 0, true));
    return heightOnScreen([...wrapped, ...commands], width);
  }

  /** Prints a remark unchanged, for a command to copy. */
  async sayWhole(text: string): Promise<void> {
    if (!this.quiet) await this.sayAlways(text);
  }

  /** Prints a remark that even a quiet user must see. */
  async sayAlways(text: string): Promise<void> {
    await this.io.stdout.settle?.();
    this.#remarkLines += heightOnScreen(text.split('\n'), this.#remarkWidth);
    await writeRemark(this.io.stderr, this.readable(`${text}\n`));
  }
}

/** Makes the action of a command: calls `run` with the arguments and then all options, as commander parsed them. */
export const action =
  <Given extends readonly unknown[]>(
    io: Io,
    run: (context: Context, ...given: Given) => void | Promise<void>,
  ) =>
  async (...parsed: unknown[]): Promise<void> => {
    const options = (parsed.at(-1) as Command).optsWithGlobals<GlobalOptions>();
    await withFormatsOf(io, options, async () => {
      const context = new Context(io, options);
      try {
        await run(context, ...([...parsed.slice(0, -2), options] as unknown as Given));
        await context.sayConfiguration();
      } catch (error) {
        if (error instanceof Failed) await context.sayConfiguration();
        throw error;
      } finally {
        context.known?.save();
      }
    });
  };
