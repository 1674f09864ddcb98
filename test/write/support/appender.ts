import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BIN } from '../../support/cli.ts';

const LIBRARY = pathToFileURL(join(BIN, '../../src/library/index.js')).href;
const SCRIPT = fileURLToPath(new URL('./appender.mjs', import.meta.url));

/** A writer in a separate process, and what it acknowledged. It waits for the path of a log. */
export class Appender {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<unknown>;
  #lock = '';
  #said = '';
  errors = '';
  /** Whether it was killed with the lock in its hands. */
  hadLock = false;

  constructor() {
    this.#child = spawn(process.execPath, [SCRIPT, LIBRARY], { timeout: 3_600_000 });
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString();
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    this.#closed = once(this.#child, 'close');
  }

  /** Lets it write to a log, events whose ids begin with a name. */
  begins(log: string, name: string): this {
    this.#lock = `${log}.lock`;
    this.#child.stdin.write(`${log} ${name}\n`);
    return this;
  }

  /** Waits until it has written something, and then for this many milliseconds. */
  async works(ms: number): Promise<void> {
    const { stdout } = this.#child;
    while (this.#said === '' && !stdout.readableEnded)
      await Promise.race([once(stdout, 'data'), this.#closed]);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** The ids that it acknowledged. */
  async killed(): Promise<string[]> {
    this.#child.kill('SIGKILL');
    // Whoever comes next takes a few milliseconds to find that it is dead.
    this.hadLock = this.#lockText().includes(`"pid":${this.#child.pid},`);
    await this.#closed;
    return this.#said.split('\n').slice(0, -1);
  }

  #lockText(): string {
    try {
      return readFileSync(this.#lock, 'utf8');
    } catch {
      return '';
    }
  }
}
