import type { Readable, Writable } from 'node:stream';
import { errorCode, FileError, reasonOf } from '../errors.ts';

/** What a run of the tool may touch of the world; bin/ gives the process's own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string | undefined;
  /** Of the engine, such as v22.1.0. */
  readonly nodeVersion: string;
  readonly tmpDir: string;
  /** What has to be removed when the process ends, however it does. */
  readonly leftovers: Set<() => void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The compiled worker of the verification pool. */
  readonly workerUrl: URL | undefined;
  /** The compiled worker of an export. */
  readonly exportWorkerUrl: URL | undefined;
  /** The compiled thread that hashes long files. */
  readonly hashWorkerUrl: URL | undefined;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Told when a pager has the terminal, and Ctrl-C is meant for it. */
  readonly pagerRuns?: (runs: boolean) => void;
}

export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** Prints what is held back so far. */
  readonly settle?: () => Promise<void>;
};

/** Thrown when the reader of standard output has gone away; ends the run quietly. */
export class PipeClosed extends Error {}

/** Thrown when the user interrupts. */
export class Interrupted extends Error {}

function written(stream: OutputStream, chunk: string | Uint8Array): Promise<unknown> {
  return new Promise((resolve) => {
    stream.write(chunk, resolve);
  });
}

/** Writes and waits until the stream has taken it, so that nothing is lost and nothing piles up. */
export async function write(stream: OutputStream, chunk: string | Uint8Array): Promise<void> {
  const error = chunk.length === 0 ? undefined : await written(stream, chunk);
  if (!error) return;
  if (errorCode(error) === 'EPIPE') throw new PipeClosed();
  throw new FileError('unwritable', `cannot write standard output: ${reasonOf(error)}`, {
    hint: 'what was written so far is not all there is',
    cause: error,
  });
}

/** Writes what is said beside the output; where that cannot be written there is nobody to tell. */
export async function writeRemark(stream: OutputStream, text: string): Promise<void> {
  await written(stream, text);
}
