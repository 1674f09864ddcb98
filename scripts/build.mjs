// Bundles the command line, the library and the workers into dist/.
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import {
  bundledPackages,
  COMMON,
  commandsAreNoProcesses,
  licenceTexts,
  namesOfZod,
  requireWhereAsked,
  twoSpinners,
} from './bundling.mjs';
import { fewChunks, modulesTogether } from './chunks.mjs';

// The page holds code of the dialects, which may have changed.
const page = await import('./build-page.mjs');

// Built beside the old one and then put in its place, so that whoever runs the tool meanwhile finds it whole.
const fresh = `dist.tmp-${process.pid}`;

/** Leaves zod out: what stands in its place is filled by whoever begins, see `zodModules`. */
const zodFromOutside = {
  name: 'zod-from-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^zod$/ }, () => ({ path: '#zod', external: true }));
  },
};

/** Loads the program after the zod that it works with. */
const programFromStart = {
  name: 'program-from-start',
  setup({ onResolve }) {
    onResolve({ filter: /\/commands\/program\.ts$/ }, ({ importer, kind }) =>
      kind === 'dynamic-import' && importer.endsWith('bin/start.ts')
        ? { path: '../start.js', external: true }
        : undefined,
    );
  },
};

function write(path, text) {
  mkdirSync(dirname(join(fresh, path)), { recursive: true });
  writeFileSync(join(fresh, path), text);
}

/**
 * The code of the library is that of the command line, and stands once in the package; the library uses the zod of
 * whoever imports it, the command line one of its own, which is a single small file. So `#zod` is empty until an entry
 * fills it, before any module asks (docs/decisions/0008-one-code-two-zods.md).
 */
async function zodModules() {
  const names = await namesOfZod();
  // Some names, such as `enum`, cannot be variables.
  const held = names.map((name) => `_${name}`);
  write(
    'zod.js',
    `let ${held};export{${names.map((name) => `_${name} as ${name}`)}};` +
      `export function use(zod){({${names.map((name) => `${name}:_${name}`)}}=zod)}`,
  );
  const filled = (from) =>
    `import*as zod from'${from}';import{use}from'#zod';use({${names.map((name) => `${name}:zod.${name}`)}});`;
  write('zod-peer.js', filled('zod'));
  return build({
    ...COMMON,
    format: 'esm',
    stdin: { contents: filled('zod'), resolveDir: '.' },
    external: ['#zod'],
    outfile: join(fresh, 'zod-own.js'),
  });
}

/** Entries that fill `#zod` first: modules are run in the order in which they are imported. */
function entries() {
  write('start.js', `import './zod-own.js';export * from './program.js';`);
  write('src/verify/worker.js', `import '../../zod-own.js';import '../../worker.js';`);
  write('src/export/worker.js', `import '../../zod-own.js';import '../../export-worker.js';`);
  write('src/index.js', `import '../zod-peer.js';export * from '../library.js';`);
}

const esm = { ...COMMON, outdir: fresh, format: 'esm', splitting: true, chunkNames: 'chunks/[name]-[hash]' };
const program = (together, more) =>
  build({
    ...esm,
    entryPoints: [
      { in: 'bin/noesis.ts', out: 'bin/noesis' },
      { in: 'commands/program.ts', out: 'program' },
      { in: 'on-demand:src/index.ts', out: 'library' },
      { in: 'on-demand:src/verify/worker.ts', out: 'worker' },
      { in: 'on-demand:src/export/worker.ts', out: 'export-worker' },
    ],
    plugins: [zodFromOutside, programFromStart, fewChunks(together), commandsAreNoProcesses, twoSpinners],
    ...more,
  });
const { metafile } = await program(new Map(), { write: false, minify: false });
const built = await Promise.all([
  program(modulesTogether(metafile)),
  build({ ...esm, entryPoints: [{ in: 'src/files/hash-worker.ts', out: 'src/files/hash-worker' }] }),
  zodModules(),
]);
requireWhereAsked(built[0].metafile.outputs);
entries();
write(
  'LICENSES.txt',
  licenceTexts(bundledPackages([...page.metafiles, ...built.map(({ metafile }) => metafile)])),
);
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
const { size } = statSync('dist/program.js');
console.error(`built dist/ (start ${Math.round(size / 1024)} kB)`);
