import { getRawAsset } from 'node:sea';
import { CHECKSUM_BYTES, unpacked } from './kept-code.ts';
import { loaderOf } from './loader.ts';

/** A file that scripts/build-binary.mjs put into the executable. */
export const embedded = (name: string): Buffer => Buffer.from(getRawAsset(name) as ArrayBuffer);

/** Commands that run rarely have no code of their own, and use what this one has in common with them. */
const USUAL = 'events';

function codeFor(command: string): ReadonlyMap<string, Buffer> {
  for (const name of [command, USUAL]) {
    try {
      return unpacked(embedded(`code/${name}`));
    } catch (error) {
      // Executables for other machines have no code.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND') throw error;
    }
  }
  return new Map();
}

/** Loads the files of the bundle from the executable, with the code that V8 compiled when the executable was built. */
export function embeddedLoader(command: string): (path: string) => unknown {
  const code = codeFor(command);
  const read = (path: string) => ({
    source: embedded(path).toString(),
    code: code.get(path)?.subarray(CHECKSUM_BYTES),
  });
  return loaderOf(`${process.execPath}/`, read).load;
}
