import { Script } from 'node:vm';
import { underUsualFlags } from './v8-settings.ts';

/** A file of the bundle. */
export interface Stored {
  readonly source: string;
  /** What V8 compiled in an earlier run. */
  readonly code: Buffer | undefined;
}

/**
 * The path of a file that another one requires. `node:path` is slower, because V8 would optimize it after so many calls.
 */
function pathOf(id: string, from: string): string {
  let folder = from.slice(0, from.lastIndexOf('/') + 1);
  let rest = id;
  for (; rest.startsWith('../'); rest = rest.slice(3)) folder = folder.replace(/[^/]+\/$/, '');
  return folder + rest.replace('./', '');
}

type Wrapped = (exports: unknown, load: (id: string) => unknown, module: object, filename: string) => void;

/** Loads the CommonJS files of the bundle. Packages are searched for in the folder `base` and in those above it. */
export function loaderOf<File extends Stored>(base: string, read: (path: string) => File) {
  const loaded = new Map<string, { module: { exports: unknown }; script: Script; file: File }>();

  /** The exports of a file of the bundle. */
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known !== undefined) return known.module.exports;
    const filename = base + path;
    const file = read(path);
    const source = `(function(exports,require,module,__filename){${file.source}\n})`;
    const script = underUsualFlags(() => new Script(source, { filename, cachedData: file.code }));
    const module = { exports: {} };
    loaded.set(path, { module, script, file });
    const require = (id: string): unknown => {
      if (id.startsWith('.')) return load(pathOf(id, path));
      if (id.startsWith('node:')) return process.getBuiltinModule(id);
      return process.getBuiltinModule('node:module').createRequire(base)(id);
    };
    (script.runInThisContext() as Wrapped)(module.exports, require, module, filename);
    return module.exports;
  };
  return { load, loaded };
}
