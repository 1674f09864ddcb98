import { fstatSync, type Stats } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { ownCacheFolder } from '../src/base/files/own-folder.ts';
import { version } from '../src/base/version.ts';
import type { KnownPlace } from '../src/find/known-logs.ts';
import { inlineAsUsual, inlineLessLater, optimizeLater } from './v8-settings.ts';

/** The standard streams that a command has written to, or may write to. */
const outputs = new Set<NodeJS.WriteStream>();

/** An error without a listener would end the process; each write reports its own. */
function guarded(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  outputs.add(stream);
  return stream.listenerCount('error') > 0 ? stream : stream.on('error', () => {});
}

let readsInput = false;

/** Ctrl-C is sent to both the pager and this process; the pager handles it. */
let pagerRuns = false;

/** The status of standard input (0) or output (1); undefined if it is closed. */
function statusOf(stream: 0 | 1): Stats | undefined {
  try {
    return fstatSync(stream);
  } catch {
    return undefined;
  }
}

/** Node gives an empty stream if standard input is a folder, so `noesis events - < DIR` would look like an empty log. */
const inputIsFolder = (): boolean => statusOf(0)?.isDirectory() ?? false;

function inputIsPiped(): boolean {
  const input = statusOf(0);
  return input !== undefined && (input.isFIFO() || input.isSocket() || input.isFile());
}

const outputIsFile = (): boolean => statusOf(1)?.isFile() ?? false;

/** Functions to call before the process ends. */
const leftovers = new Set<() => void>();

/** The signals that end a run, and their usual exit codes. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** After a signal, commands that listen to it have this long to end. */
const GRACE_MS = 250;
/** Readers of the output then have this long to take it, because a partial line is not an event. */
const DRAIN_MS = 700;

/** Ends the process between two writes, not in the middle of one. */
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

/**
 * Aborted by a signal. A second signal ends the process at once, and so does the first if nothing listens.
 */
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

/** The URL of a worker thread of the bundle. */
type ThreadAt = (path: string) => URL;

/** Loads the program, with the compiled code that is kept under a name. */
type Program = (codeName: string) => typeof import('../commands/program.ts');

/** The name of the code that a command line needs: usually its command. */
function codeName(args: readonly string[]): string {
  const [command = ''] = args;
  // Help needs little of a command's code, and the stored code would never get the rest.
  if (args.length === 0 || args.some((arg) => /^-(?:-help|[a-z]*h)$/.test(arg))) return 'help';
  return /^[a-z]+$/.test(command) ? command : 'other';
}

/** Where logs are remembered between runs. */
function knownPlace(build: string): KnownPlace | undefined {
  const user = process.getuid?.();
  if (user === undefined || process.env['NOESIS_KNOWN'] === 'never') return undefined;
  const folder = ownCacheFolder({ env: process.env, home: homedir(), user }, 'known');
  return folder === undefined ? undefined : { folder, user, build, pid: process.pid };
}

async function main(
  args: readonly string[],
  threadAt: ThreadAt,
  program: Program,
  build: string,
): Promise<number> {
  const interrupted = interruption();
  const { NoesisError, run } = program(codeName(args));
  const code = await run(args, {
    // Node creates standard streams on first use, which takes time.
    get stdin() {
      if (inputIsFolder()) {
        const hint = 'name the folder as the target, or pipe a log in';
        throw new NoesisError('unreadable', 'standard input is a folder', { hint });
      }
      readsInput = true;
      return process.stdin;
    },
    isInputPiped: inputIsPiped,
    isOutputFile: outputIsFile,
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
    get knownPlace() {
      return knownPlace(build);
    },
    now: Date.now,
    get workerUrl() {
      return threadAt('src/verify/worker.cjs');
    },
    get exportWorkerUrl() {
      return threadAt('src/show/export/worker.cjs');
    },
    get hashWorkerUrl() {
      return threadAt('src/base/files/hash-worker.cjs');
    },
    leftovers,
    interrupted,
    readsMuch: inlineAsUsual,
    believesKnown: optimizeLater,
    pagerRuns: (runs) => {
      pagerRuns = runs;
    },
  });
  return code === SIGNALS.SIGINT && interrupted.reason === 'SIGTERM' ? SIGNALS.SIGTERM : code;
}

/** Answers without loading anything else; false if writing failed. */
function printVersion(): Promise<boolean> {
  return new Promise((resolve) => {
    guarded(process.stdout).write(`${version}\n`, (error) => resolve(!error));
  });
}

/** Runs the process's command line and sets its exit code. */
/** `build` differs for each build of the program. */
export async function start(threadAt: ThreadAt, program: Program, build: string): Promise<void> {
  inlineLessLater();
  const args = process.argv.slice(2);
  const asksVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
  if (asksVersion && (await printVersion())) return;
  process.exitCode = await main(args, threadAt, program, build);
  // Nothing else keeps the process alive, except standard input if a command stopped reading.
  if ([...outputs].every(({ writableLength }) => writableLength === 0)) process.exit();
  if (readsInput) process.stdin.unref?.();
}
