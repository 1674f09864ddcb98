// Bundles the command line, the library and the workers into dist/.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import {
  bundledPackages,
  COMMON,
  commandsAreNoProcesses,
  licenceTexts,
  namesOfZod,
  onlyPrices,
  startInOneFile,
  twoSpinners,
} from './bundling.mjs';
import { toCommonJs } from './to-commonjs.mjs';

// The page contains code of the dialects, which may have changed.
const page = await import('./build-page.mjs');

// Builds next to the old folder and then moves the new one into place, so that a running tool always finds a complete
// build.
const fresh = `dist.tmp-${process.pid}`;
process.once('exit', () => rmSync(fresh, { recursive: true, force: true }));

/** Leaves zod out. The entry chooses which zod is used, see `zodModules`. */
const zodFromOutside = {
  name: 'zod-from-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^zod$/ }, () => ({ path: '#zod', external: true }));
  },
};

/** The path of zod.cjs for a file. Unlike a name in package.json, it does not depend on the name of the folder. */
function zodFor(path) {
  const to = posix.relative(posix.dirname(path), posix.join(fresh, 'zod.cjs'));
  return to.startsWith('.') ? to : `./${to}`;
}

function write(path, text) {
  mkdirSync(dirname(join(fresh, path)), { recursive: true });
  writeFileSync(join(fresh, path), text);
}

/**
 * The command line and the library share their code. The library uses the zod of the program that imports it; the command
 * line uses a small file with its own. Therefore `zod.cjs` contains the zod that was chosen, or loads its own when it is first
 * used (docs/decisions/0008-one-code-two-zods.md). Many commands never use it.
 */
async function zodModules() {
  const names = await namesOfZod();
  write('zod-choice.cjs', 'let zod;exports.chosen=()=>zod;exports.choose=(one)=>{zod=one};');
  write('zod.cjs', "module.exports=require('./zod-choice.cjs').chosen()??require('./zod-own.cjs');");
  // Imports only the names that are used, because a namespace would contain all of zod.
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
      { in: 'on-demand:src/library/index.ts', out: 'library' },
      { in: 'on-demand:src/verify/worker.ts', out: 'src/verify/worker' },
      { in: 'on-demand:src/show/export/worker.ts', out: 'src/show/export/worker' },
    ],
    plugins: [zodFromOutside, startInOneFile, commandsAreNoProcesses, twoSpinners, onlyPrices],
  }),
  // In one file, because it is loaded without stored code.
  build({ ...esm, splitting: false, entryPoints: [{ in: 'bin/noesis.ts', out: 'bin/noesis' }] }),
  build({
    ...esm,
    entryPoints: [{ in: 'src/base/files/hash-worker.ts', out: 'src/base/files/hash-worker' }],
  }),
  zodModules(),
]);
const codes = built
  .slice(0, 3)
  .flatMap(({ metafile }) => Object.keys(metafile.outputs))
  .map((path) => {
    const code = toCommonJs(readFileSync(path, 'utf8'), compileFunction).replaceAll(
      'require("#zod")',
      `require("${zodFor(path)}")`,
    );
    rmSync(path);
    return [path === join(fresh, 'bin/noesis.js') ? path : path.replace(/\.js$/, '.cjs'), code];
  });
// One build must not run the compiled code of another.
const hash = createHash('sha256').update(readFileSync(join(fresh, 'zod-own.cjs')));
for (const [, code] of codes) hash.update(code);
const id = hash.digest('hex').slice(0, 16);
for (const [path, code] of codes) writeFileSync(path, code.replace('NOESIS_BUILD', id));
// `npm install --global .` links to this file and makes it executable only once, before later builds.
chmodSync(join(fresh, 'bin/noesis.js'), 0o755);
// The entry is CommonJS too; only the library is an ES module.
write('bin/package.json', '{"type":"commonjs"}');
// The library chooses the zod of its importer: modules run in the order of their imports.
const { exports: names } = built[0].metafile.outputs[join(fresh, 'library.js')];
write(
  'src/library/index.js',
  `import '../../zod-peer.js';import library from '../../library.cjs';export const {${names.sort()}}=library;`,
);
write(
  'LICENSES.txt',
  licenceTexts(bundledPackages([...page.metafiles, ...built.map(({ metafile }) => metafile)])),
);
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
console.error('built dist/');
