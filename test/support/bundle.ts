import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/** Compiles a worker for a test file, into a folder from which packages are found. */
export function bundledWorker(entry: string): URL {
  const folder = mkdtempSync(join('node_modules', '.noesis-worker-'));
  const outfile = join(process.cwd(), folder, 'worker.mjs');
  beforeAll(() =>
    build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    }),
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return new URL(`file://${outfile}`);
}
