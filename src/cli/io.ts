import type { Readable, Writable } from 'node:stream';
import { errorCode, FileError, reasonOf } from '../base/errors.ts';
import type { KnownPlace } from '../find/known-logs.ts';

/** Everything outside the program that a run uses. bin/ provides the real one. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Whether standard input is a pipe or a file. */
  readonly isInputPiped?: () => boolean;
  /** Whether standard output is a file, and not a terminal or a pipe. */
  readonly isOutputFile?: () => boolean;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string | undefined;
  /** The version of Node, such as v22.1.0. */
  readonly nodeVersion: string;
  readonly tmpDir: string;
  /** Where logs are remembered between runs; undefined: nowhere. */
  readonly knownPlace?: KnownPlace | undefined;
  /** Functions to call before the process ends. */
  readonly leftovers: Set<() => void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The compiled worker of the verification pool. */
  readonly workerUrl: URL | undefined;
  /** The compiled worker of an export. */
  readonly exportWorkerUrl: URL | undefined;
  /** The compiled worker that hashes long files. */
  readonly hashWorkerUrl: URL | undefined;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Called before threads read long logs. */
  readonly readsMuch?: () => void;
  /** Called before a command uses what earlier runs found out, because it has less work to do then. */
  readonly believesKnown?: () => void;
  /** Called when a pager takes over the terminal and Ctrl-C, and when it ends. */
  readonly pagerRuns?: (runs: boolean) => void;
}

export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** Prints held-back output. */
  readonly settle?: () => Promise<void>;
};

/** Thrown when the reader of standard output has closed it; ends the run quietly. */
export class PipeClosed extends Error {}

/** Thrown when the user interrupts. */
export class Interrupted extends Error {}

function written(stream: OutputStream, chunk: string | Uint8Array): Promise<unknown> {
  return new Promise((resolve) => {
    stream.write(chunk, resolve);
  });
}

/** Writes, and waits until the stream accepts more, so that output neither gets lost nor fills memory. */
export async function write(stream: OutputStream, chunk: string | Uint8Array): Promise<void> {
  const error = chunk.length === 0 ? undefined : await written(stream, chunk);
  if (!error) return;
  if (errorCode(error) === 'EPIPE') throw new PipeClosed();
  throw new FileError('unwritable', `cannot write standard output: ${reasonOf(error)}`, {
    hint: 'run the command again; its output is incomplete',
    cause: error,
  });
}

/** Writes a message. Errors are ignored, because they could not be shown. */
export async function writeRemark(stream: OutputStream, text: string): Promise<void> {
  await written(stream, text);
}
