import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BIN } from '../../support/cli.ts';

const LIBRARY = pathToFileURL(join(BIN, '../../src/index.js')).href;
const SCRIPT = fileURLToPath(new URL('./appender.mjs', import.meta.url));

/** A writer in a process of its own, and what it has been told is on the disk. */
export class Appender {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #said = '';
  errors = '';

  constructor(log: string, name: string) {
    this.#child = spawn(process.execPath, [SCRIPT, LIBRARY, log, name, '1'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 3_600_000,
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString();
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    this.#closed = once(this.#child, 'close');
  }

  /** Waits until it has written something, and then for so many milliseconds. */
  async works(ms: number): Promise<void> {
    const { stdout } = this.#child;
    while (this.#said === '' && stdout && !stdout.readableEnded)
      await Promise.race([once(stdout, 'data'), this.#closed]);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** The ids that it was told are on the disk. */
  async killed(): Promise<string[]> {
    this.#child.kill('SIGKILL');
    await this.#closed;
    return this.#said.split('\n').slice(0, -1);
  }
}
