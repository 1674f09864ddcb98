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
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import { COMMON } from './bundling.mjs';
import { installed } from './fetched.mjs';
import { toCommonJs } from './to-commonjs.mjs';

/** Newer versions misread some JSON keys (nodejs/node#63785). */
const NODE = '22.23.3';
const PKG = '6.23.0';

const here = `${platform() === 'win32' ? 'win' : platform()}-${arch()}`;
const targets = process.argv.length > 2 ? process.argv.slice(2) : [here];
const out = resolve('binaries');
const work = resolve('node_modules/.cache/binary');
const generator = join(installed(`node-${here}`, NODE), 'bin/node');

const fail = (message) => {
  console.error(message);
  process.exit(1);
};

/** What is outside the bundle: the file that the executable starts, which must be CommonJS, and the one its threads start. */
async function entries() {
  const entryPoints = ['bin/standalone.ts', 'bin/standalone-thread.ts'];
  await build({ ...COMMON, entryPoints, format: 'esm', outdir: work });
  const main = join(work, 'standalone.js');
  writeFileSync(main, toCommonJs(readFileSync(main, 'utf8'), compileFunction));
  return { main, thread: join(work, 'standalone-thread.js') };
}

/** The files of the bundle, by path. */
function bundle() {
  const paths = readdirSync('dist', { recursive: true }).filter((path) => path.endsWith('.cjs'));
  return Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), resolve('dist', path)]));
}

/** Frequent command lines, one for each command. */
const RUNS = [
  ['--help'],
  ['list'],
  ['stats'],
  ...['events', 'read', 'show', 'timeline', 'verify'].map((command) => [command, 'ep_01KJPW']),
];

/**
 * The code that V8 compiles when the build runs {@link RUNS}. Each file has the functions of one command, because reading
 * those of all commands takes longer. None on Windows, where the build keeps no code.
 */
function compiledCode(home) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: home };
  for (const args of RUNS)
    spawnSync(generator, [resolve('dist/bin/noesis.js'), ...args], { cwd: 'examples', env, stdio: 'ignore' });
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  if (files.length !== RUNS.length)
    console.error(`only ${files.length} of ${RUNS.length} commands have kept code`);
  return Object.fromEntries(files.map(({ name, parentPath }) => [`code/${name}`, join(parentPath, name)]));
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
  const env = { ...process.env, HOME: home, USERPROFILE: home };
  const { status } = spawnSync(generator, ['-e', call], { env, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`pkg could not make ${output}`);
  chmodSync(output, 0o755);
  return output;
}

mkdirSync(work, { recursive: true });
mkdirSync(out, { recursive: true });
const { main, thread } = await entries();
const assets = { ...bundle(), thread };
const home = join(work, 'home');
const code = mkdtempSync(join(tmpdir(), 'noesis-code-'));
process.on('exit', () => rmSync(code, { recursive: true }));
for (const target of targets) {
  fillCache(home, target);
  const output = packed(target, main, target === here ? { ...assets, ...compiledCode(code) } : assets, home);
  const hash = createHash('sha256').update(readFileSync(output)).digest('hex');
  console.error(`${output}: ${(statSync(output).size / 1e6).toFixed(1)} MB, sha256 ${hash}`);
  if (target !== here) continue;
  const args = ['scripts/run.mjs', 'scripts/compare-binary.ts', output];
  if (spawnSync(generator, args, { stdio: 'inherit' }).status !== 0) process.exit(1);
}
