import { fstatSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { version } from '../src/version.ts';
import { type CodeKeeper, keepCompiledCode } from './compiled-code.ts';

/** A stream that cannot be written to is heard of by the write itself. */
function guarded(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.listenerCount('error') > 0 ? stream : stream.on('error', () => {});
}

let readsInput = false;

/** Ctrl-C goes to a pager and to us: it is the pager's. */
let pagerRuns = false;

/** Node gives an empty stream for a folder: `noesis events - < DIR` would be an empty log. */
function inputIsFolder(): boolean {
  try {
    return fstatSync(0).isDirectory();
  } catch {
    return false;
  }
}

/** What has to be removed when the process ends. */
const leftovers = new Set<() => void>();

/** The signals that end a run, and the exit codes that shells expect of them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** What listens to a signal has so long to end by itself. */
const GRACE_MS = 250;
/** And whoever reads what is being written has so long to take it: a line that is cut off is no event. */
const DRAIN_MS = 700;

/** Ends the process between two writes, not within one. */
function endAfterWrite(code: number): void {
  const end = () => process.exit(code);
  const { stdout } = process;
  const endWhereIdle = () => {
    if (stdout.writableLength === 0) end();
  };
  endWhereIdle();
  stdout.write = end;
  setInterval(endWhereIdle, 5);
  setTimeout(end, DRAIN_MS);
}

/** Aborted by a signal; a second one, or work that does not listen, ends at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.on('exit', () => {
    for (const remove of leftovers) remove();
  });
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (pagerRuns && signal === 'SIGINT') return;
      if (controller.signal.aborted) process.exit(code);
      controller.abort(signal);
      setTimeout(() => endAfterWrite(code), GRACE_MS).unref();
    });
  }
  return controller.signal;
}

/** The compiled threads. */
export interface Threads {
  readonly workerUrl: URL;
  readonly exportWorkerUrl: URL;
  readonly hashWorkerUrl: URL;
}

async function main(args: readonly string[], threads: Threads): Promise<number> {
  const interrupted = interruption();
  const { enableCompileCache: enable } = nodeModule as Partial<Pick<CodeKeeper, 'enable'>> & {
    readonly enableCompileCache?: CodeKeeper['enable'];
  };
  keepCompiledCode({ env: process.env, home: homedir(), user: process.getuid?.(), enable });
  const { NoesisError, run } = await import('../commands/program.ts');
  const code = await run(args, {
    // Node makes a stream when it is first looked at, which takes its time.
    get stdin() {
      if (inputIsFolder()) {
        const hint = 'name the folder as the target, or pipe a log in';
        throw new NoesisError('unreadable', 'standard input is a folder', { hint });
      }
      readsInput = true;
      return process.stdin;
    },
    get stdout() {
      return guarded(process.stdout);
    },
    get stderr() {
      return guarded(process.stderr);
    },
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    nodeVersion: process.version,
    tmpDir: tmpdir(),
    now: Date.now,
    ...threads,
    leftovers,
    interrupted,
    pagerRuns: (runs) => {
      pagerRuns = runs;
    },
  });
  return code === SIGNALS.SIGINT && interrupted.reason === 'SIGTERM' ? SIGNALS.SIGTERM : code;
}

/** Answers without loading anything; false where it could not be written. */
function printVersion(): Promise<boolean> {
  return new Promise((resolve) => {
    guarded(process.stdout).write(`${version}\n`, (error) => resolve(!error));
  });
}

/** Runs the command line that the process was started with, and sets its exit code. */
export async function start(threads: () => Threads): Promise<void> {
  const args = process.argv.slice(2);
  const asksVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
  if (asksVersion && (await printVersion())) return;
  process.exitCode = await main(args, threads());
  // Standard input may still be open (a command that stopped reading it); nothing else keeps the process alive.
  if (readsInput) process.stdin.unref?.();
}
