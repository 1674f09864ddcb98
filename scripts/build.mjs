// Bundles the command line, the library and the worker into dist/, with what they share in chunks of their own.
import { rmSync, statSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['bin/noesis.ts', 'src/index.ts', 'src/verify/worker.ts'],
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'external',
  minifySyntax: true,
  minifyWhitespace: true,
  // Dependencies written for CommonJS ask for node's own modules.
  banner: {
    js: "import { createRequire as noesisRequire } from 'node:module'; const require = noesisRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const { size } = statSync('dist/bin/noesis.js');
console.error(`built dist/ (bin ${Math.round(size / 1024)} kB)`);
