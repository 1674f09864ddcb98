import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { UnpackLimits } from '../base/archives/budget.ts';
import { cannotKeepTemporary } from '../base/errors.ts';

/** Where to unpack archives. */
export interface UnpackPlace {
  readonly tmpDir: string;
  /** Functions that remove files if the process ends early. */
  readonly leftovers: Set<() => void>;
  /** Stops copying when aborted. */
  readonly interrupted?: AbortSignal;
}

/** How much may be unpacked, and where. */
export interface UnpackSettings {
  readonly place: UnpackPlace;
  readonly limits: UnpackLimits;
}

/** A private folder, which must be removed. */
export interface PrivateFolder {
  readonly path: string;
  remove(): void;
}

/** Makes a folder that only this user can read. Throws `unwritable` if that fails. */
export function privateFolder({ tmpDir, leftovers }: UnpackPlace): PrivateFolder {
  let path: string;
  try {
    path = mkdtempSync(join(tmpDir, 'noesis-'));
  } catch (error) {
    throw cannotKeepTemporary(tmpDir, error);
  }
  const clear = () => rmSync(path, { recursive: true, force: true });
  leftovers.add(clear);
  return {
    path,
    remove: () => {
      clear();
      leftovers.delete(clear);
    },
  };
}
