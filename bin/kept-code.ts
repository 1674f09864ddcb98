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
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { utf8Text } from '../src/base/text/utf8-text.ts';
import { loaderOf } from './loader.ts';
import { underUsualFlags } from './v8-settings.ts';

/** Where the compiled code of a command is stored. */
export interface CodeStore {
  /** Only the user may write to it. */
  readonly folder: string;
  /** Differs for each build of the program. */
  readonly build: string;
  readonly command: string;
}

/** Compiled code by file of the bundle, each after the checksum of its source. */
type Code = ReadonlyMap<string, Buffer>;

/** Builds that no longer exist leave code behind. It is removed after this time. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000;

export const CHECKSUM_BYTES = 4;
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

/** In microseconds of processor time. */
const LONG_RUN_US = 3_000_000;

/**
 * V8 forgets functions that only ran at the start of a long run, and short runs need few of those that read logs: with the code
 * of a first `list` of 1,300 sessions, each later one takes a tenth longer.
 */
function wasLong(): boolean {
  const { user, system } = process.cpuUsage();
  return user + system > LONG_RUN_US;
}

/** Opening a named pipe would wait for a writer. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;

/** The code in the bytes of a stored file. Does not compare the checksum at their beginning. */
export function unpacked(bytes: Buffer): Code {
  let end = bytes.indexOf('\n', CHECKSUM_BYTES) + 1;
  const sizes: [path: string, size: number][] = JSON.parse(bytes.toString('latin1', CHECKSUM_BYTES, end));
  const codeOf = (size: number): Buffer => {
    end += size;
    return bytes.subarray(end - size, end);
  };
  return new Map(sizes.map(([path, size]) => [path, codeOf(size)]));
}

function readCode(file: string): Code {
  try {
    const descriptor = openSync(file, AT_ONCE);
    const bytes = readFileSync(descriptor);
    closeSync(descriptor);
    const isWhole = checksum(bytes.subarray(CHECKSUM_BYTES)).equals(bytes.subarray(0, CHECKSUM_BYTES));
    return isWhole ? unpacked(bytes) : new Map();
  } catch {
    // There is no code yet.
    return new Map();
  }
}

function writeCode(file: string, code: Code): void {
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

/**
 * Loads the files of a bundle in a folder, and stores the code that V8 compiled for the next run of the command. Compiling
 * takes a quarter of the time of a short command (docs/decisions/0020-one-small-episode.md).
 */
export function keepingLoader(root: string, store: CodeStore | undefined) {
  const base = join(root, '/');
  const { folder, build, command } = store ?? {};
  const file = folder && join(folder, `${build}-${MACHINE}`, `${command}`);
  const kept: Code = file === undefined ? new Map() : readCode(file);
  const { load, loaded } = loaderOf(base, (path) => {
    const bytes = readFileSync(base + path);
    const digest = checksum(bytes);
    const code = kept.get(path);
    const isOfSource = code && digest.equals(code.subarray(0, CHECKSUM_BYTES));
    return { source: utf8Text(bytes), code: isOfSource ? code.subarray(CHECKSUM_BYTES) : undefined, digest };
  });

  /** Stores the code of the loaded files, if some of it was compiled in this run and the run was short. */
  const keep = (): void => {
    const all = [...loaded];
    if (file === undefined || wasLong() || all.every(([, { script }]) => script.cachedDataRejected === false))
      return;
    const codeOf = (script: Script, digest: Buffer) => Buffer.concat([digest, script.createCachedData()]);
    const compiled = underUsualFlags(() =>
      all.map(([path, one]) => [path, codeOf(one.script, one.file.digest)] as const),
    );
    writeCode(file, new Map([...kept, ...compiled]));
  };
  return { load, keep };
}
