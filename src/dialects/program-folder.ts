import { join } from 'node:path';

/** Where a program keeps its files: where its variable says, or in the home; undefined where neither is known. */
export function programFolder(
  configured: string | undefined,
  home: string | undefined,
  name: string,
): string | undefined {
  return configured ? configured.replace(/^~(?=\/|$)/, home ?? '~') : home && join(home, name);
}
