import { spawnSync } from 'node:child_process';

/** Whether this machine has a program. If not, prints that the tests that need it are skipped. */
export function isInstalled(program: string): boolean {
  const isThere = spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;
  if (!isThere) console.log(`${program} is not installed: what needs it is skipped`);
  return isThere;
}
