import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runOnce } from './process.ts';

/** Peak resident memory of a run of the command line, in bytes, worker threads included. */
export function peakMemory(bench: string, cli: string, args: readonly string[], status: 0 | 1 = 0): number {
  const folder = mkdtempSync(join(tmpdir(), 'noesis-bench-'));
  try {
    const file = join(folder, 'peak');
    const hook = pathToFileURL(join(bench, 'measure', 'memory-hook.mjs')).href;
    runOnce({
      name: `noesis ${args.join(' ')}`,
      file: process.execPath,
      args: ['--import', hook, cli, ...args],
      env: { NOESIS_BENCH_MEMORY: file },
      status,
    });
    return Number(readFileSync(file, 'utf8')) * 1024;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
