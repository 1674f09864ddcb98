import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../commands/io.ts';
import { run } from '../../commands/program.ts';
import { reportFailure } from '../../commands/report-failure.ts';
import { EXAMPLES } from './cli.ts';

/** What a command line that runs within the test sees of the world. */
export interface World {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of the user; none by default, so that nothing of the machine's own is found. */
  readonly home?: string | undefined;
  readonly input?: string | Uint8Array | undefined;
  readonly tmpDir?: string | undefined;
  /** The columns of the terminal that both streams are; without it they are pipes. */
  readonly columns?: number | undefined;
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

/** What came of it. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output, not decoded. */
  readonly bytes: Buffer;
}

async function within(world: World, work: (io: Io) => Promise<number>): Promise<Outcome> {
  const { cwd = EXAMPLES, env = {}, home, input = '', columns, tmpDir = tmpdir() } = world;
  const [stdout, stderr] = [new Sink(columns), new Sink(columns)];
  const code = await work({
    stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input as string)]),
    stdout: stdout as Io['stdout'],
    stderr: stderr as Io['stderr'],
    env,
    cwd,
    home,
    nodeVersion: process.version,
    tmpDir,
    leftovers: new Set(),
    now: Date.now,
    workerUrl: undefined,
    exportWorkerUrl: undefined,
    hashWorkerUrl: undefined,
    interrupted: new AbortController().signal,
  });
  return { code, stdout: stdout.text, stderr: stderr.text, bytes: stdout.bytes };
}

/** Runs a command line within the test: faster than a process of its own, and on a terminal of any width. */
export const runHere = (args: readonly string[], world: World = {}): Promise<Outcome> =>
  within(world, (io) => run(args, io));

/** Says why a command failed, as the command line does. */
export const reportHere = (error: unknown, world: World = {}): Promise<Outcome> =>
  within(world, (io) => reportFailure(io, error, {}));
