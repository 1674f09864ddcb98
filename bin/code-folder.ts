import { ownCacheFolder, type Surroundings } from '../src/base/files/own-folder.ts';

export type { Surroundings };

/**
 * The folder for the program's compiled code; undefined if there is no safe one. Without it the program starts more slowly.
 * `NODE_DISABLE_COMPILE_CACHE` turns it off, as it does Node's own.
 */
export const codeFolder = (surroundings: Surroundings): string | undefined =>
  (surroundings.env['NODE_DISABLE_COMPILE_CACHE'] ?? '') === ''
    ? ownCacheFolder(surroundings, 'code')
    : undefined;
