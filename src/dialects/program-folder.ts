import { join } from 'node:path';

/**
 * The folder of a program: from its environment variable, or in the home directory; undefined if neither is
 * known.
 */
export function programFolder(
  configured: string | undefined,
  home: string | undefined,
  name: string,
): string | undefined {
  return configured ? configured.replace(/^~(?=\/|$)/, home ?? '~') : home && join(home, name);
}
