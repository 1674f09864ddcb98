import { execFileSync } from 'node:child_process';

/** Whether this machine has the `sqlite3` command. */
export function hasSqlite(): boolean {
  try {
    execFileSync('sqlite3', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
