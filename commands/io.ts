import type { Readable, Writable } from 'node:stream';

/** What a run of the tool may touch of the world; bin/ gives the process's own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string | undefined;
  readonly tmpDir: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The compiled worker of the verification pool. */
  readonly workerUrl: URL | undefined;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Thrown when the reader of standard output has gone away; ends the run quietly. */
export class PipeClosed extends Error {}

/** Thrown when the user interrupts. */
export class Interrupted extends Error {}

/** Writes and waits until the stream has taken it, so that nothing is lost and nothing piles up. */
export function write(stream: OutputStream, chunk: string | Uint8Array): Promise<void> {
  if (chunk.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => {
      if (!error) resolve();
      else reject('code' in error && error.code === 'EPIPE' ? new PipeClosed() : error);
    });
  });
}
