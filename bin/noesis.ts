#!/usr/bin/env node
import { homedir, tmpdir } from 'node:os';
import { version } from '../src/version.ts';

/** A reader that goes away ends the writing, which is no failure: the write itself hears of it. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

async function main(args: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  process.once('SIGINT', () => {
    interruption.abort();
    // A second one, or work that does not listen, ends at once.
    process.once('SIGINT', () => process.exit(130));
    setTimeout(() => process.exit(130), 500).unref();
  });
  const { run } = await import('../commands/program.ts');
  return run(args, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    tmpDir: tmpdir(),
    now: Date.now,
    workerUrl: new URL('../src/verify/worker.js', import.meta.url),
    interrupted: interruption.signal,
  });
}

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Answered without loading anything.
  process.stdout.write(`${version}\n`);
} else {
  process.exitCode = await main(args);
  // Standard input may still be open (a command that stopped reading it); nothing else keeps the process alive.
  process.stdin.unref?.();
}
