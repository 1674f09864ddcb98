// Bundles the command line, the library and the worker into dist/, with what they share in chunks of their own.
import { renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Keeps what the start of a command needs in one chunk: node takes its time for every file. esbuild splits where
 * different entries need different parts, and all that is loaded on demand is an entry; here each such module needs
 * the whole start, which is loaded by then anyway.
 */
const startInOneChunk = {
  name: 'start-in-one-chunk',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'on-demand' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'on-demand' }, ({ path }) => ({
      contents: `import ${JSON.stringify(resolve('commands/program.ts'))}; export * from ${JSON.stringify(path)};`,
      resolveDir: '.',
    }));
  },
};

// Built beside the old one and then put in its place, so that whoever runs the tool meanwhile finds it whole.
const fresh = `dist.tmp-${process.pid}`;
await build({
  entryPoints: ['bin/noesis.ts', 'src/index.ts', 'src/verify/worker.ts', 'src/verify/hash-worker.ts'],
  outdir: fresh,
  outbase: '.',
  bundle: true,
  splitting: true,
  plugins: [startInOneChunk],
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
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
const { size } = statSync('dist/bin/noesis.js');
console.error(`built dist/ (bin ${Math.round(size / 1024)} kB)`);
