// npm run build:binary [-- PLATFORM-ARCH ...]: builds single-file executables that include Node, with @yao-pkg/pkg in its
// single-executable mode. Builds for this machine, or for the named ones: linux-x64, linux-arm64, darwin-x64, darwin-arm64,
// win-x64. Compares the one for this machine with dist/, command by command. docs/decisions/0011-standalone-binary.md gives
// the reasons.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { COMMON, commandsAreNoProcesses, twoSpinners } from './bundling.mjs';
import { installed } from './fetched.mjs';

/** Newer versions misread some JSON keys (nodejs/node#63785). */
const NODE = '22.23.3';
const PKG = '6.23.0';

const here = `${platform() === 'win32' ? 'win' : platform()}-${arch()}`;
const targets = process.argv.length > 2 ? process.argv.slice(2) : [here];
const out = resolve('binaries');
const work = resolve('node_modules/.cache/binary');

const fail = (message) => {
  console.error(message);
  process.exit(1);
};

/** The worker threads, each bundled into a file, by the names that bin/standalone.ts uses. */
async function threads() {
  const names = ['src/verify/worker.ts', 'src/export/worker.ts', 'src/files/hash-worker.ts'];
  const files = names.map((name) => [name, join(work, `${name.replaceAll('/', '-')}.mjs`)]);
  for (const [name, outfile] of files)
    await build({ ...COMMON, entryPoints: [name], format: 'esm', outfile });
  return Object.fromEntries(files);
}

/** The whole program as one CommonJS file, because an executable of Node 22 takes nothing else. */
async function bundled() {
  const outfile = join(work, 'noesis.cjs');
  await build({
    ...COMMON,
    entryPoints: ['bin/standalone.ts'],
    outfile,
    format: 'cjs',
    target: `node${NODE}`,
    plugins: [commandsAreNoProcesses, twoSpinners],
  });
  return outfile;
}

/** The Node for a target, from npm; without symbols if `strip` is installed. */
function nodeFor(target) {
  const folder = installed(`node-${target}`, NODE);
  const node = join(folder, 'bin', target.startsWith('win') ? 'node.exe' : 'node');
  if (!existsSync(node)) fail(`node-${target}@${NODE} holds no ${node}`);
  if (target !== here || spawnSync('strip', ['--version']).status !== 0) return node;
  const smaller = join(work, 'node');
  rmSync(smaller, { force: true });
  copyFileSync(node, smaller);
  // Strips before anything is added: afterwards the program would not start.
  return spawnSync('strip', [smaller]).status === 0 ? smaller : node;
}

/** pkg downloads Node unless its cache has an unpacked download with its own marks. */
function fillCache(home, target) {
  const name = `node-v${NODE}-${target}`;
  const cache = join(home, '.pkg-cache/sea');
  const windows = target.startsWith('win');
  const node = windows ? join(cache, `${name}.exe`) : join(cache, name, 'bin/node');
  mkdirSync(resolve(node, '..'), { recursive: true });
  rmSync(node, { force: true });
  copyFileSync(nodeFor(target), node);
  chmodSync(node, 0o755);
  const archive = join(cache, `${name}.${windows ? 'zip' : 'tar.gz'}`);
  for (const mark of [`${node}.ok`, archive, `${archive}.ok`]) writeFileSync(mark, '');
  return node;
}

const PLATFORM = { linux: 'linux', darwin: 'macos', win: 'win' };

function packed(target, main, assets, home) {
  const [system, processor] = target.split('-');
  const output = join(out, `noesis-${target}${system === 'win' ? '.exe' : ''}`);
  const options = {
    targets: [{ nodeRange: `node${NODE}`, platform: PLATFORM[system], arch: processor, output }],
    // Code that V8 compiled only works on the machine that compiled it. NODE_OPTIONS must not add options or modules to the
    // program.
    seaConfig: { useCodeCache: target === here, execArgvExtension: 'none', assets },
    signature: true,
  };
  const pkg = join(installed('@yao-pkg/pkg', PKG), 'lib-es5/sea.js');
  const call = `import(${JSON.stringify(`file://${pkg}`)}).then(({ default: { default: sea } }) =>
    sea(${JSON.stringify(main)}, ${JSON.stringify(options)})).catch((error) => { console.error(error); process.exit(1); })`;
  const generator = join(installed(`node-${here}`, NODE), 'bin/node');
  const env = { ...process.env, HOME: home, USERPROFILE: home };
  const { status } = spawnSync(generator, ['-e', call], { env, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`pkg could not make ${output}`);
  chmodSync(output, 0o755);
  return output;
}

mkdirSync(work, { recursive: true });
mkdirSync(out, { recursive: true });
const main = await bundled();
const assets = await threads();
const home = join(work, 'home');
for (const target of targets) {
  fillCache(home, target);
  const output = packed(target, main, assets, home);
  const hash = createHash('sha256').update(readFileSync(output)).digest('hex');
  console.error(`${output}: ${(statSync(output).size / 1e6).toFixed(1)} MB, sha256 ${hash}`);
  if (target !== here) continue;
  const args = ['scripts/run.mjs', 'scripts/compare-binary.ts', output];
  const generator = join(installed(`node-${here}`, NODE), 'bin/node');
  if (spawnSync(generator, args, { stdio: 'inherit' }).status !== 0) process.exit(1);
}
