import { type ChildProcess, execFileSync, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isProcess } from './length.ts';
import { tempDir } from './temp.ts';

const NAMED = process.env['NOESIS_BIN'];

/** The built command line. NOESIS_BIN names another one: a script or a single-file executable. */
export const BIN = NAMED ?? fileURLToPath(new URL('../../dist/bin/noesis.js', import.meta.url));

/** Whether the command line is a script of Node, which accepts options and hooks. */
export const IS_SCRIPT = /\.[cm]?js$/.test(BIN);

/** The command line under test: the file to start, and the arguments before the test's own. */
export const COMMAND: readonly [file: string, ...before: string[]] = IS_SCRIPT
  ? [process.execPath, BIN]
  : [BIN];

/** The command line as words of a shell. */
export const LAUNCH = COMMAND.map((word) => `"${word}"`).join(' ');

export const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
export const SAMPLES = fileURLToPath(new URL('../samples', import.meta.url));

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, not decoded. */
  readonly bytes: Buffer;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Added to a small environment of fixed width and no colour; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
  /** Leaves standard input open: the test writes to it. */
  readonly keepInput?: boolean;
  /** The user who runs it, and the program: see {@link unprivileged}. */
  readonly user?: { readonly uid: number; readonly gid: number; readonly bin: string };
}

const NOBODY = 65_534;

/**
 * A user to whom file modes apply, unlike the superuser. If the test runs as the superuser, another user runs a copy of the
 * program, and everybody may read `dir` from now on.
 */
export function unprivileged(dir: string): Pick<RunOptions, 'user'> {
  if (process.getuid?.() !== 0) return {};
  const program = tempDir();
  const root = fileURLToPath(new URL('../..', import.meta.url));
  if (IS_SCRIPT)
    for (const name of ['dist', 'package.json'])
      cpSync(join(root, name), join(program, name), { recursive: true });
  for (const path of [dir, program]) execFileSync('chmod', ['-R', 'a+rX', path]);
  return { user: { uid: NOBODY, gid: NOBODY, bin: IS_SCRIPT ? join(program, relative(root, BIN)) : BIN } };
}

/** Runs a part of the test as a user to whom file modes apply, unlike the superuser. */
export async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  const user = process.geteuid?.();
  if (user !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(user);
  }
}

/** The environment of the command line, without settings of the machine. */
function environment(extra: RunOptions['env'] = {}): NodeJS.ProcessEnv {
  const base = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    TZ: 'UTC',
    COLUMNS: '80',
    TMPDIR: process.env['TMPDIR'],
    ...extra,
  };
  return Object.fromEntries(
    Object.entries(base).filter(([, value]) => value !== undefined),
  ) as NodeJS.ProcessEnv;
}

/** Runs the command line to its end while the test waits, with streams, a folder and a user as `spawnSync` takes them. */
export function noesisSync(args: readonly string[], options: SpawnSyncOptions = {}) {
  const [file, ...before] = COMMAND;
  return spawnSync(file, [...before, ...args], { ...options, encoding: 'utf8' });
}

/** Starts the command line and leaves it running; pipes on all three streams. */
export function start(args: readonly string[], options: RunOptions = {}): Running {
  if (!existsSync(BIN)) throw new Error(`${BIN} is missing: run "npm run build" first`);
  const { bin = BIN, ...who } = options.user ?? {};
  const [file, ...before] = bin === BIN ? COMMAND : [process.execPath, bin];
  const child = spawn(file, [...before, ...args], {
    cwd: options.cwd ?? EXAMPLES,
    env: environment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...who,
    // Ends a hanging process before the test times out.
    timeout: 110_000,
  });
  return new Running(child, options);
}

/** Whether a run needs nothing that only a process has: a user, a time zone, options of Node, worker threads. */
function canRunHere(args: readonly string[], { env = {}, user, keepInput }: RunOptions): boolean {
  const needsProcess = user !== undefined || keepInput === true || args.includes('--jobs');
  return !needsProcess && ['TZ', 'PATH', 'NODE_OPTIONS'].every((name) => !(name in env));
}

/** Runs the command line to its end. Only the full form of the tests starts a process for it, see {@link isProcess}. */
export async function noesis(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  if (NAMED !== undefined || !canRunHere(args, options) || isProcess())
    return start(args, options).finished();
  const { runForBytes } = await import('./in-process.ts');
  const env = environment(options.env) as Readonly<Record<string, string>>;
  return runForBytes(args, { ...options, env, home: env['HOME'], tmpDir: env['TMPDIR'] });
}

/** A command line that runs. */
export class Running {
  readonly child: ChildProcess;
  #out: Buffer[] = [];
  #err: Buffer[] = [];
  #closed: Promise<unknown>;

  constructor(child: ChildProcess, { input, keepInput = false }: RunOptions) {
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => this.#out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#err.push(chunk));
    this.#closed = once(child, 'close');
    // The command may end before it has read everything.
    child.stdin?.on('error', () => {});
    if (!keepInput) child.stdin?.end(input);
  }

  get stdout(): string {
    return Buffer.concat(this.#out).toString();
  }

  get stderr(): string {
    return Buffer.concat(this.#err).toString();
  }

  /** Waits until a text appears on one of the streams. Fails if the process ends without it. */
  async sees(text: string, stream: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
    const source = this.child[stream];
    while (!this[stream].includes(text)) {
      if (this.child.exitCode !== null || source === null || source.readableEnded)
        throw new Error(`ended without ${JSON.stringify(text)} on ${stream}: ${this.stdout}\n${this.stderr}`);
      await Promise.race([once(source, 'data'), this.#closed]);
    }
  }

  async finished(): Promise<Run> {
    await this.#closed;
    const bytes = Buffer.concat(this.#out);
    return { code: this.child.exitCode, stdout: bytes.toString(), stderr: this.stderr, bytes };
  }
}
