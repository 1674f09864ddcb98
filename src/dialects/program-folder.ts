import { join } from 'node:path';
import type { Machine } from './dialect.ts';

/** Where a program keeps its sessions. */
export interface Home {
  /** The environment variable that moves its folder. */
  readonly env?: string;
  /** Its folder in the home directory. */
  readonly usual?: string;
  /** The folder of sessions in it. */
  readonly below?: string;
}

/** The folders of sessions on a machine. A folder is left out if neither its variable nor the home directory is known. */
export const foldersOf =
  (...homes: readonly Home[]) =>
  ({ env, home }: Machine): string[] =>
    homes.flatMap(({ env: name = '', usual, below = '' }) => {
      const moved = env[name]?.replace(/^~(?=\/|$)/, home ?? '~');
      const folder = moved || (home && usual && join(home, usual));
      return folder ? [join(folder, below)] : [];
    });
