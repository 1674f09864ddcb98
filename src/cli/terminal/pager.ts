import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { UsageError } from '../../base/errors.ts';
import { type Io, type OutputStream, write } from '../io.ts';

/** The program that shows long output. */
interface Pager {
  readonly command: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The first version of `less` that can keep the head of a table visible. */
const LESS_WITH_HEADER = 600;

/** The pager from the environment, else `less` with git's options; undefined for none. */
export function pagerOf(
  env: Io['env'],
  lessVersion: () => number | undefined,
  hasHeader: boolean,
): Pager | undefined {
  const asked = env['NOESIS_PAGER'] ?? env['PAGER'];
  if (asked === '' || asked === 'cat') return undefined;
  // F: print without paging if it fits; R: colours; X: keep the text on the screen.
  const withOptions = { ...env, LESS: env['LESS'] ?? 'FRX' };
  if (asked !== undefined) return { command: asked, env: withOptions };
  const found = lessVersion();
  if (found === undefined) return undefined;
  return { command: hasHeader && found >= LESS_WITH_HEADER ? 'less --header=1' : 'less', env: withOptions };
}

/** The shell's exit codes for a missing command, or one that cannot be run. */
const NOT_RUN = new Set([126, 127]);

/**
 * Standard output in a terminal. Output that fits on the screen is printed at the end; longer output goes to
 * a pager. Leaving the pager ends the output quietly, like a closed pipe.
 */
export class PagedOutput extends Writable {
  readonly isTTY = true;
  readonly columns: number | undefined;
  readonly #io: Io;
  readonly #rows: number;
  readonly #hasHeader: boolean;
  readonly #held: Buffer[] = [];
  #lines = 0;
  /** After more than a screen, everything goes to the pager. */
  #target: OutputStream | undefined;
  #pager: ChildProcess | undefined;

  constructor(io: Io, rows: number, hasHeader: boolean) {
    super();
    this.#io = io;
    this.#rows = rows;
    this.#hasHeader = hasHeader;
    this.columns = io.stdout.columns;
    // An error without a listener would end the process; each write reports its own.
    this.on('error', () => {});
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#take(chunk).then(() => done(), done);
  }

  async #take(chunk: Buffer): Promise<void> {
    if (this.#target) return pass(this.#target, chunk);
    this.#held.push(chunk);
    for (const byte of chunk) if (byte === 0x0a) this.#lines += 1;
    if (this.#lines < this.#rows) return;
    this.#target = (await this.#open()) ?? this.#io.stdout;
    for (const held of this.#held.splice(0)) await pass(this.#target, held);
  }

  async #open(): Promise<OutputStream | undefined> {
    const { spawn, spawnSync } = await import('node:child_process');
    const lessVersion = () => {
      const { status, stdout } = spawnSync('less', ['--version'], { encoding: 'utf8' });
      return status === 0 ? Number(/^less (\d+)/.exec(stdout)?.[1] ?? 0) : undefined;
    };
    const pager = pagerOf(this.#io.env, lessVersion, this.#hasHeader);
    if (pager === undefined) return undefined;
    this.#io.pagerRuns?.(true);
    this.#pager = spawn(pager.command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...pager.env },
    });
    this.#pager.stdin?.on('error', () => {});
    return this.#pager.stdin ?? undefined;
  }

  /** Prints held-back output before a message; a pager is not possible afterwards. */
  async settle(): Promise<void> {
    if (this.#held.length === 0) return;
    this.#target = this.#io.stdout;
    for (const held of this.#held.splice(0)) await write(this.#io.stdout, held);
  }

  /** Prints held-back output, or waits for the pager. Throws if the pager could not be run. */
  async close(): Promise<void> {
    await this.settle();
    const pager = this.#pager;
    if (pager === undefined) return;
    pager.stdin?.end();
    if (pager.exitCode === null && pager.signalCode === null) await once(pager, 'exit');
    this.#io.pagerRuns?.(false);
    if (!NOT_RUN.has(pager.exitCode ?? 0)) return;
    const asked = this.#io.env['NOESIS_PAGER'] ?? this.#io.env['PAGER'] ?? 'less';
    throw new UsageError('usage', `cannot run the pager ${JSON.stringify(asked)}`, {
      hint: 'set NOESIS_PAGER to an installed pager, or to cat for none; --no-pager turns it off once',
    });
  }
}

function pass(target: OutputStream, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    target.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
