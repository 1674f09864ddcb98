// Runs one of the project's TypeScript scripts: node scripts/run.mjs scripts/make-examples.ts [arguments]
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [script, ...rest] = process.argv.slice(2);
const folder = mkdtempSync(join('node_modules', '.noesis-run-'));
const outfile = join(folder, 'script.mjs');
await build({
  entryPoints: [script],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  target: 'node20',
});
process.argv = [process.argv[0], resolve(script), ...rest];
try {
  await import(pathToFileURL(resolve(outfile)).href);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
