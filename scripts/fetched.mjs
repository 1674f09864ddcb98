// Packages that only some scripts need. They are fetched from npm into node_modules/.cache on first use, because a fresh
// clone should not download hundreds of megabytes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folder of a package in this version. Ends the process if it cannot be fetched. */
export function installed(name, version) {
  const prefix = resolve('node_modules/.cache/packages', `${name.replace('/', '-')}-${version}`);
  const folder = resolve(prefix, 'node_modules', name);
  if (existsSync(resolve(folder, 'package.json'))) return folder;
  mkdirSync(prefix, { recursive: true });
  console.error(`fetching ${name}@${version} ...`);
  // --force, because a Node for another machine is a package for another machine.
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--no-save', '--force', '--ignore-scripts'];
  const { status } = spawnSync('npm', ['install', '--prefix', prefix, ...options, `${name}@${version}`], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) return folder;
  console.error(`${name}@${version} cannot be fetched`);
  process.exit(1);
}
