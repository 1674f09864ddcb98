import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { run } from '../../commands/program.ts';
import type { Io } from '../../src/cli/io.ts';
import { reportFailure } from '../../src/cli/report-failure.ts';
import type { KnownPlace } from '../../src/find/known-logs.ts';
import { acceleratorUse, useAccelerator } from '../../src/log/accelerator/use.ts';
import { EXAMPLES } from './cli.ts';

/** The environment of a command line that runs within the test. */
export interface World {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The home folder; none by default, so that nothing on the machine is found. */
  readonly home?: string | undefined;
  readonly input?: string | Uint8Array | undefined;
  /** Whether standard input is a pipe; false by default. */
  readonly isPiped?: boolean;
  readonly tmpDir?: string | undefined;
  /** Where logs are remembered between runs; nowhere by default. */
  readonly knownPlace?: KnownPlace | undefined;
  /** Milliseconds since 1970; the clock by default. */
  readonly now?: () => number;
  /** The columns of the terminal for both streams; without it they are pipes. */
  readonly columns?: number | undefined;
  /** Both streams are one, as with `2>&1`. */
  readonly joined?: boolean;
}

class Sink extends Writable {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly #chunks: Buffer[] = [];

  constructor(columns: number | undefined) {
    super();
    this.isTTY = columns !== undefined;
    this.columns = columns;
  }

  /** The spinner of a long run moves the cursor of the terminal. */
  cursorTo(): void {}
  clearLine(): void {}
  moveCursor(): void {}

  override _write(chunk: Buffer, _encoding: unknown, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    done();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get text(): string {
    return this.bytes.toString();
  }
}

/** The result of the run. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An outcome with the bytes of standard output. */
interface WithBytes extends Outcome {
  readonly bytes: Buffer;
}

/** The output of a program that runs within the test. */
export async function within(world: World, work: (io: Io) => Promise<number>): Promise<WithBytes> {
  const {
    cwd = EXAMPLES,
    env = {},
    home,
    input = '',
    columns,
    tmpDir = tmpdir(),
    joined,
    now = Date.now,
  } = world;
  const stdout = new Sink(columns);
  const stderr = joined === true ? stdout : new Sink(columns);
  // A command line may turn the accelerator off, which applies to a whole process.
  const before = acceleratorUse();
  const code = await work({
    isInputPiped: () => world.isPiped ?? false,
    stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input as string)]),
    stdout: stdout as Io['stdout'],
    stderr: stderr as Io['stderr'],
    env,
    cwd,
    home,
    nodeVersion: process.version,
    tmpDir,
    leftovers: new Set(),
    now,
    knownPlace: world.knownPlace,
    workerUrl: undefined,
    exportWorkerUrl: undefined,
    hashWorkerUrl: undefined,
    interrupted: new AbortController().signal,
  }).finally(() => useAccelerator(before));
  return { code, stdout: stdout.text, stderr: stderr.text, bytes: stdout.bytes };
}

/** Runs a command line within the test: faster than in a new process, and on a terminal of any width. */
export async function runHere(args: readonly string[], world: World = {}): Promise<Outcome> {
  const { bytes: _, ...outcome } = await runForBytes(args, world);
  return outcome;
}

/** Like {@link runHere}, with the bytes of standard output. */
export const runForBytes = (args: readonly string[], world: World = {}): Promise<WithBytes> =>
  within(world, (io) => run(args, io));

let last: Promise<unknown> = Promise.resolve();

/** Runs command lines one after the other, for tests that run concurrently: `--map` applies to a whole process. */
export function runInTurn(args: readonly string[], world: World = {}): Promise<Outcome> {
  const run = last.then(() => runHere(args, world));
  last = run.catch(() => undefined);
  return run;
}

/** Prints why a command failed, as the command line does. */
export const reportHere = (error: unknown, world: World = {}): Promise<Outcome> =>
  within(world, (io) => reportFailure(io, error, {}));
