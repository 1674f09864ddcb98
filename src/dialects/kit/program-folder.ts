import { join } from 'node:path';
import type { Machine } from '../dialect.ts';

/** Where a program keeps its sessions. */
interface Home {
  /** The environment variable that overrides the program's folder. */
  readonly env?: string;
  /** Its folder in the home directory. */
  readonly usual?: string;
  /** The folder of sessions inside the program's folder. */
  readonly below?: string;
}

/**
 * The folders of sessions on a machine. A folder is left out if its variable and the home directory are
 * unknown.
 */
export const foldersOf =
  (...homes: readonly Home[]) =>
  ({ env, home }: Machine): string[] =>
    homes.flatMap(({ env: name = '', usual, below = '' }) => {
      const moved = env[name]?.replace(/^~(?=\/|$)/, home ?? '~');
      const folder = moved || (home && usual && join(home, usual));
      return folder ? [join(folder, below)] : [];
    });
