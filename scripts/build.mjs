// Bundles the command line, the library and the workers into dist/.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import {
  bundledPackages,
  COMMON,
  commandsAreNoProcesses,
  licenceTexts,
  namesOfZod,
  requireWhereAsked,
  startInOneFile,
  twoSpinners,
} from './bundling.mjs';

// The page holds code of the dialects, which may have changed.
const page = await import('./build-page.mjs');

// Built beside the old one and then put in its place, so that whoever runs the tool meanwhile finds it whole.
const fresh = `dist.tmp-${process.pid}`;

/** Leaves zod out: what stands in its place is chosen by whoever begins, see `zodModules`. */
const zodFromOutside = {
  name: 'zod-from-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^zod$/ }, () => ({ path: '#zod', external: true }));
  },
};

function write(path, text) {
  mkdirSync(dirname(join(fresh, path)), { recursive: true });
  writeFileSync(join(fresh, path), text);
}

/**
 * The code of the library is that of the command line, and stands once in the package; the library uses the zod of
 * whoever imports it, the command line one of its own, which is a single small file. So `#zod` holds the one that was
 * chosen before anything asked, and else loads its own when something asks (docs/decisions/0008-one-code-two-zods.md):
 * many commands never do. It is CommonJS, as an ES module cannot be loaded without waiting.
 */
async function zodModules() {
  const names = await namesOfZod();
  // Some names, such as `enum`, cannot be variables.
  const held = names.map((name) => `_${name}=zod.${name}`);
  write('zod-choice.js', 'let zod;export const chosen=()=>zod;export const choose=(one)=>{zod=one};');
  write(
    'zod.js',
    `import{createRequire}from'node:module';import{chosen}from'./zod-choice.js';` +
      `const zod=chosen()??createRequire(import.meta.url)('./zod-own.cjs');` +
      `export const ${held};export{${names.map((name) => `_${name} as ${name}`)}};`,
  );
  // Only what is used: a namespace would hold all of zod.
  write(
    'zod-peer.js',
    `import{${names.map((name) => `${name} as _${name}`)}}from'zod';import{choose}from'./zod-choice.js';` +
      `choose({${names.map((name) => `${name}:_${name}`)}});`,
  );
  return build({
    ...COMMON,
    format: 'cjs',
    stdin: { contents: `export{${names}}from'zod'`, resolveDir: '.' },
    outfile: join(fresh, 'zod-own.cjs'),
  });
}

const esm = { ...COMMON, outdir: fresh, format: 'esm', splitting: true, chunkNames: 'chunks/[name]-[hash]' };
const built = await Promise.all([
  build({
    ...esm,
    entryPoints: [
      { in: 'bin/noesis.ts', out: 'bin/noesis' },
      { in: 'commands/program.ts', out: 'program' },
      { in: 'on-demand:src/index.ts', out: 'library' },
      { in: 'on-demand:src/verify/worker.ts', out: 'src/verify/worker' },
      { in: 'on-demand:src/export/worker.ts', out: 'src/export/worker' },
    ],
    plugins: [zodFromOutside, startInOneFile, commandsAreNoProcesses, twoSpinners],
  }),
  build({ ...esm, entryPoints: [{ in: 'src/files/hash-worker.ts', out: 'src/files/hash-worker' }] }),
  zodModules(),
]);
requireWhereAsked(built[0].metafile.outputs);
// The library chooses the zod of whoever imports it: modules are run in the order in which they are imported.
write('src/index.js', `import '../zod-peer.js';export * from '../library.js';`);
write(
  'LICENSES.txt',
  licenceTexts(bundledPackages([...page.metafiles, ...built.map(({ metafile }) => metafile)])),
);
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
console.error('built dist/');
