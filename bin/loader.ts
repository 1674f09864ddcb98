import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { underUsualFlags } from './inlining.ts';

/** Where the compiled code of a command is stored. */
export interface CodeStore {
  /** Only the user may write to it. */
  readonly folder: string;
  /** Differs for each build of the program. */
  readonly build: string;
  readonly command: string;
}

/** Builds that no longer exist leave code behind. It is removed after this time. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000;

const CHECKSUM_BYTES = 4;
/**
 * V8 checks neither the code nor its source, and damaged code ends the process. A short checksum is enough against damage,
 * because nobody else can write to the folder. Loading `node:crypto` for a longer one takes 2 ms.
 */
function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(CHECKSUM_BYTES);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

/** Other versions of Node cannot use the code, and machines may share a home directory. */
const MACHINE = `${process.version}-${process.platform}-${process.arch}`;

/** Opening a named pipe would wait for a writer. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;

/** Compiled code by file of the bundle, each after the checksum of its source. */
function readCode(file: string): ReadonlyMap<string, Buffer> {
  try {
    const descriptor = openSync(file, AT_ONCE);
    const bytes = readFileSync(descriptor);
    closeSync(descriptor);
    const rest = bytes.subarray(CHECKSUM_BYTES);
    if (!checksum(rest).equals(bytes.subarray(0, CHECKSUM_BYTES))) return new Map();
    let end = rest.indexOf('\n') + 1;
    const sizes: [path: string, size: number][] = JSON.parse(rest.toString('latin1', 0, end));
    const codeOf = (size: number): Buffer => {
      end += size;
      return rest.subarray(end - size, end);
    };
    return new Map(sizes.map(([path, size]) => [path, codeOf(size)]));
  } catch {
    // There is no code yet.
    return new Map();
  }
}

function writeCode(file: string, code: ReadonlyMap<string, Buffer>): void {
  const fresh = `${file}.${process.pid}`;
  try {
    const builds = dirname(dirname(file));
    if (mkdirSync(dirname(file), { recursive: true, mode: 0o700 }) !== undefined)
      for (const build of readdirSync(builds).map((name) => join(builds, name)))
        if (Date.now() - statSync(build).mtimeMs > OLD_MS) rmSync(build, { recursive: true });
    const sizes = JSON.stringify([...code].map(([path, { length }]) => [path, length]));
    const bytes = Buffer.concat([Buffer.from(`${sizes}\n`), ...code.values()]);
    writeFileSync(fresh, Buffer.concat([checksum(bytes), bytes]), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch {
    // The disk is full or read-only.
    if (existsSync(fresh)) rmSync(fresh);
  }
}

interface Loaded {
  readonly module: { exports: unknown };
  readonly script: Script;
  /** Of the source. */
  readonly digest: Buffer;
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

/**
 * Loads the CommonJS files of the bundle, and stores the code that V8 compiled for the next run of the command. Compiling
 * takes a quarter of the time of a short command (docs/decisions/0020-one-small-episode.md).
 */
export function loaderOf(root: string, store: CodeStore | undefined) {
  const base = join(root, '/');
  const { folder, build, command } = store ?? {};
  const file = folder && join(folder, `${build}-${MACHINE}`, `${command}`);
  const code = file === undefined ? new Map<string, Buffer>() : readCode(file);
  const loaded = new Map<string, Loaded>();
  let isComplete = true;

  /** The exports of a file of the bundle. */
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known !== undefined) return known.module.exports;
    const filename = base + path;
    const bytes = readFileSync(filename);
    const digest = checksum(bytes);
    const kept = code.get(path);
    const cachedData =
      kept && digest.equals(kept.subarray(0, CHECKSUM_BYTES)) ? kept.subarray(CHECKSUM_BYTES) : undefined;
    const source = `(function(exports,require,module,__filename){${bytes.toString()}\n})`;
    const script = underUsualFlags(() => new Script(source, { filename, cachedData }));
    if (script.cachedDataRejected !== false) isComplete = false;
    const module = { exports: {} };
    loaded.set(path, { module, script, digest });
    const require = (id: string): unknown => {
      if (id.startsWith('.')) return load(pathOf(id, path));
      if (id === '#zod') return load('zod.cjs');
      return id.startsWith('node:') ? process.getBuiltinModule(id) : createRequire(import.meta.url)(id);
    };
    (script.runInThisContext() as Wrapped)(module.exports, require, module, filename);
    return module.exports;
  };

  /** Stores the code of the loaded files, if some of it was compiled in this run. */
  const keep = (): void => {
    if (file === undefined || isComplete) return;
    const codeOf = ({ script, digest }: Loaded) => Buffer.concat([digest, script.createCachedData()]);
    const compiled = underUsualFlags(() => [...loaded].map(([path, one]) => [path, codeOf(one)] as const));
    writeCode(file, new Map([...code, ...compiled]));
  };
  return { load, keep };
}
