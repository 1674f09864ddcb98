import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** Called with the output of a followed command, and its time on the monotonic clock. */
export type Listener = (chunk: Buffer, atNanoseconds: bigint) => void;

/** A running command whose output is read through a pipe. */
export class Follower {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #ended: Promise<number | null>;
  #listener: Listener = () => {};
  #errors = '';

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#listener(chunk, process.hrtime.bigint()));
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#errors += chunk.toString();
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code) => resolve(code));
    });
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the process did not start');
    return pid;
  }

  /**
   * Calls `start` once it listens, and waits until the listener returns true. Throws if the process ends first, or after
   * the deadline.
   */
  async until(
    wanted: (chunk: Buffer, at: bigint) => boolean,
    deadlineMs: number,
    start = () => {},
  ): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const failed = (why: string) => new Error(`the process ${why}: ${this.#errors.trim().slice(0, 2000)}`);
    const done = new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(failed(`printed too little in ${deadlineMs} ms`)), deadlineMs);
      this.#listener = (chunk, at) => {
        if (wanted(chunk, at)) resolve();
      };
      this.#ended.then(() => reject(failed('ended early')), reject);
    });
    start();
    try {
      await done;
    } finally {
      clearTimeout(timer);
      this.#listener = () => {};
    }
  }

  /** Stops the process, or lets it continue. */
  pause(asleep: boolean): void {
    this.#child.kill(asleep ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Ends the process and waits for its end. */
  async stop(): Promise<void> {
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGTERM');
    await this.#ended;
  }
}
