// Bundles the command line, the library and the workers into dist/.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import {
  bundledPackages,
  COMMON,
  commandsAreNoProcesses,
  licenceTexts,
  namesOfZod,
  startInOneFile,
  twoSpinners,
} from './bundling.mjs';
import { toCommonJs } from './to-commonjs.mjs';

// The page holds code of the dialects, which may have changed.
const page = await import('./build-page.mjs');

// Built next to the old one and then moved into place, so that a running tool always finds a complete build.
const fresh = `dist.tmp-${process.pid}`;

/** Leaves zod out: the entry chooses its replacement, see `zodModules`. */
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
 * many commands never do.
 */
async function zodModules() {
  const names = await namesOfZod();
  write('zod-choice.cjs', 'let zod;exports.chosen=()=>zod;exports.choose=(one)=>{zod=one};');
  write('zod.cjs', "module.exports=require('./zod-choice.cjs').chosen()??require('./zod-own.cjs');");
  // Only what is used: a namespace would hold all of zod.
  write(
    'zod-peer.js',
    `import{${names.map((name) => `${name} as _${name}`)}}from'zod';import choice from'./zod-choice.cjs';` +
      `choice.choose({${names.map((name) => `${name}:_${name}`)}});`,
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
      { in: 'commands/program.ts', out: 'program' },
      { in: 'on-demand:src/index.ts', out: 'library' },
      { in: 'on-demand:src/verify/worker.ts', out: 'src/verify/worker' },
      { in: 'on-demand:src/export/worker.ts', out: 'src/export/worker' },
    ],
    plugins: [zodFromOutside, startInOneFile, commandsAreNoProcesses, twoSpinners],
  }),
  // In one file, which is loaded without kept code.
  build({ ...esm, splitting: false, entryPoints: [{ in: 'bin/noesis.ts', out: 'bin/noesis' }] }),
  build({ ...esm, entryPoints: [{ in: 'src/files/hash-worker.ts', out: 'src/files/hash-worker' }] }),
  zodModules(),
]);
const codes = built
  .slice(0, 2)
  .flatMap(({ metafile }) => Object.keys(metafile.outputs))
  .map((path) => {
    const code = toCommonJs(readFileSync(path, 'utf8'), compileFunction);
    rmSync(path);
    return [path === join(fresh, 'bin/noesis.js') ? path : path.replace(/\.js$/, '.cjs'), code];
  });
// The compiled code of one build must not be run by another.
const hash = createHash('sha256').update(readFileSync(join(fresh, 'zod-own.cjs')));
for (const [, code] of codes) hash.update(code);
const id = hash.digest('hex').slice(0, 16);
for (const [path, code] of codes) writeFileSync(path, code.replace('NOESIS_BUILD', id));
// The start is CommonJS too: only what is imported as a library is a module of the package's own type.
write('bin/package.json', '{"type":"commonjs"}');
// The library chooses the importer's zod: modules are run in the order in which they are imported.
const { exports: names } = built[0].metafile.outputs[join(fresh, 'library.js')];
write(
  'src/index.js',
  `import '../zod-peer.js';import library from '../library.cjs';export const {${names.sort()}}=library;`,
);
write(
  'LICENSES.txt',
  licenceTexts(bundledPackages([...page.metafiles, ...built.map(({ metafile }) => metafile)])),
);
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
console.error('built dist/');
