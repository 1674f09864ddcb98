import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, runOnce } from './process.ts';

/** A command that records its peak of resident memory, including worker threads. `peak` returns it in bytes after a run. */
export function withPeak(
  bench: string,
  command: Command,
): { readonly command: Command; readonly peak: () => number } {
  const folder = mkdtempSync(join(tmpdir(), 'noesis-bench-'));
  const file = join(folder, 'peak');
  const hook = pathToFileURL(join(bench, 'measure', 'memory-hook.mjs')).href;
  return {
    command: {
      ...command,
      args: ['--import', hook, ...command.args],
      env: { ...command.env, NOESIS_BENCH_MEMORY: file },
    },
    peak: () => {
      const bytes = Number(readFileSync(file, 'utf8')) * 1024;
      rmSync(folder, { recursive: true, force: true });
      return bytes;
    },
  };
}

/** Peak resident memory of a run of the command line. */
export function peakMemory(bench: string, cli: string, args: readonly string[], status: 0 | 1 = 0): number {
  const name = `noesis ${args.join(' ')}`;
  const { command, peak } = withPeak(bench, { name, file: process.execPath, args: [cli, ...args], status });
  runOnce(command);
  return peak();
}
