// Makes every npm script work on a fresh clone: installs the locked dependencies if they are missing or stale.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const installed = 'node_modules/.package-lock.json';

/** The versions in a lock file, by path. The installed copy omits the root and packages for other machines. */
const versionsIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

function isReady() {
  if (!existsSync(installed)) return false;
  const have = versionsIn(installed);
  return Object.entries(versionsIn('package-lock.json')).every(
    ([path, wanted]) => path === '' || wanted.optional || have[path]?.version === wanted.version,
  );
}

if (!isReady()) {
  console.error('installing dependencies (npm ci) ...');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
await import('./build-wasm.mjs');
await import('./build-page.mjs');
