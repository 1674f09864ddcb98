// Bundles the command line, the library and the workers into dist/.
import { spawnSync } from 'node:child_process';
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

/** Commander can start subcommands as processes of their own, which none of ours is: node takes its time to load that. */
const commandsAreNoProcesses = {
  name: 'commands-are-no-processes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'child_process', namespace: 'never-called' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'never-called' }, () => ({ contents: 'module.exports = {};' }));
  },
};

// Built beside the old one and then put in its place, so that whoever runs the tool meanwhile finds it whole.
const fresh = `dist.tmp-${process.pid}`;

/** The commit that is built; undefined outside of a git checkout. */
const commit =
  spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() || undefined;

/** Bundles entries; they share chunks with each other, and with no other bundle, which would make the chunks small and many. */
const bundle = (entryPoints, plugins = []) =>
  build({
    entryPoints,
    outdir: fresh,
    outbase: '.',
    bundle: true,
    splitting: true,
    plugins,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    chunkNames: 'chunks/[name]-[hash]',
    legalComments: 'external',
    define: { NOESIS_COMMIT: JSON.stringify(commit) ?? 'undefined' },
    minifySyntax: true,
    minifyWhitespace: true,
    // Dependencies written for CommonJS ask for node's own modules.
    banner: {
      js: "import { createRequire as noesisRequire } from 'node:module'; const require = noesisRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });

await bundle(['bin/noesis.ts'], [startInOneChunk, commandsAreNoProcesses]);
await bundle(['src/index.ts']);
await bundle(['src/verify/worker.ts', 'src/files/hash-worker.ts']);
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
const { size } = statSync('dist/bin/noesis.js');
console.error(`built dist/ (bin ${Math.round(size / 1024)} kB)`);
