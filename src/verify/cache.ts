import { createHash, hash, randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileErrorCode, reasonFor } from '../base/errors.ts';
import { hashFile } from '../base/files/digest.ts';
import { listFiles } from '../base/files/files.ts';
import { makeFolders } from '../base/files/make-folders.ts';
import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { episodeSchema } from '../findings/report-schema.ts';

/** How to detect changes: by sizes, times and inodes, or by the hash of every byte. */
export type CacheMode = 'stat' | 'hash';

/** Settings of the cache, as plain data for workers. */
export interface CacheSettings {
  /** Absolute. The folder contains nothing else. */
  readonly dir: string;
  readonly mode: CacheMode;
  /** A digest of everything else that verdicts depend on: version, policy and keys. */
  readonly basis: string;
}

const SCHEMA = 'noesis.cache/1';

/** In milliseconds. A file changed this recently may change again without a new time. */
const YOUNG_MS = 2000;

/** The files of an episode at one moment. */
interface Fingerprint {
  readonly text: string;
  /** The latest change of any of them, in milliseconds since 1970. */
  readonly newest: number;
}

/** Sizes, times, inodes and kinds of everything in a folder, and of the targets of links. */
function fingerprintOf(dir: string, mode: CacheMode): Fingerprint {
  const { files, others } = listFiles(dir);
  const digest = createHash('sha256');
  let newest = -Infinity;
  const take = (name: string, path: string, isFile: boolean, status = lstatSync(path, { bigint: true })) => {
    newest = Math.max(newest, Number(status.mtimeMs), Number(status.ctimeMs));
    const { dev, ino, size, mode: kind, mtimeNs, ctimeNs } = status;
    const facts =
      mode === 'hash' && isFile
        ? [kind, hashFile(path).sha256]
        : mode === 'hash'
          ? [kind]
          : [dev, ino, size, kind, mtimeNs, ctimeNs];
    digest.update(`${JSON.stringify(name)} ${facts.join(' ')}\n`);
  };
  take('', dir, false);
  for (const { name, inside } of files) {
    const path = join(dir, name);
    const status = lstatSync(path, { bigint: true });
    const isLink = status.isSymbolicLink();
    take(name, path, inside && !isLink, status);
    // The target of a link is what checks read.
    if (isLink && inside) take(`${name}@`, path, true, statSync(path, { bigint: true }));
  }
  for (const name of others) take(name, join(dir, name), false);
  return { text: `${mode}:${digest.digest('hex')}`, newest };
}

interface Entry {
  readonly schema: typeof SCHEMA;
  readonly basis: string;
  readonly path: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly report: EpisodeReport;
}

/**
 * Findings that depend on the moment or on this process, and may not recur. Verdicts with them are not stored.
 */
const PASSING: ReadonlySet<string> = new Set([
  'verify/internal',
  'artifact/unreadable',
  'verify/unreadable-folder',
]);

/**
 * Only an episode's verdict depends on nothing outside its folder. Copies are removed, so their verdicts are not
 * stored.
 */
const isCacheable = (target: VerifyTarget): target is VerifyTarget & { readonly dir: string } =>
  target.dir !== undefined && !target.copy && !target.link && target.unlisted === undefined;

/** The current user id; undefined if the system has none. */
function ownUid(): number | undefined {
  try {
    const { uid } = userInfo();
    return uid < 0 ? undefined : uid;
  } catch {
    // Users in containers may have no name.
    return statSync('/proc/self', { throwIfNoEntry: false })?.uid;
  }
}

/** Why a path cannot be trusted: others could have stored a verdict there. Undefined if it can. */
function distrust(path: string): string | undefined {
  const { uid, mode } = lstatSync(path);
  const own = ownUid();
  if (own !== undefined && uid !== own) return 'it belongs to another user';
  return (mode & 0o022) !== 0 && own !== undefined ? 'others may write to it' : undefined;
}

/** The text of a regular file. Reading a FIFO would wait for a writer. Throws for anything else. */
function storedText(path: string): string {
  if (!lstatSync(path).isFile()) throw new Error(`${path} is not a regular file`);
  return readFileSync(path, 'utf8');
}

/** A cache of verdicts in a folder, with one file per episode. Several processes may use it at once. */
export class VerdictCache {
  readonly #settings: CacheSettings;

  constructor(settings: CacheSettings) {
    this.#settings = settings;
  }

  /** The verdict of an unchanged episode; undefined if that is not certain. */
  lookUp(target: VerifyTarget): EpisodeReport | undefined {
    if (!isCacheable(target)) return undefined;
    try {
      const entry = this.#read(target);
      if (entry?.fingerprint !== fingerprintOf(target.dir, this.#settings.mode).text) return undefined;
      return entry.report;
    } catch {
      return undefined;
    }
  }

  /** Verifies, and stores the verdict unless something changed meanwhile or shortly before. */
  async verify(target: VerifyTarget, verify: () => Promise<EpisodeReport>): Promise<EpisodeReport> {
    const before = this.#fingerprint(target);
    const now = Date.now();
    const report = await verify();
    if (before === undefined || Math.abs(now - before.newest) < YOUNG_MS) return report;
    if (report.findings.some(({ code }) => PASSING.has(code))) return report;
    if (this.#fingerprint(target)?.text === before.text) this.#write(target, before.text, report);
    return report;
  }

  #fingerprint(target: VerifyTarget): Fingerprint | undefined {
    try {
      return isCacheable(target) ? fingerprintOf(target.dir, this.#settings.mode) : undefined;
    } catch {
      return undefined;
    }
  }

  #pathOf({ dir, name, run }: VerifyTarget): string {
    const { basis, mode, dir: folder } = this.#settings;
    const key = hash('sha256', JSON.stringify([basis, mode, dir, name, run]), 'hex');
    return join(folder, key.slice(0, 2), key.slice(2));
  }

  /** Reads an entry. Ignores it unless its checksum matches. */
  #read(target: VerifyTarget & { readonly dir: string }): Entry | undefined {
    const file = this.#pathOf(target);
    if (distrust(dirname(file)) !== undefined || distrust(file) !== undefined) return undefined;
    const text = storedText(file);
    const body = text.slice(65);
    if (text.slice(0, 65) !== `${hash('sha256', body, 'hex')}\n`) return undefined;
    const entry = JSON.parse(body) as Entry;
    const { schema, basis, path, name, report } = entry;
    const isIts =
      schema === SCHEMA && basis === this.#settings.basis && path === target.dir && name === target.name;
    return isIts && episodeSchema.safeParse(report).success ? entry : undefined;
  }

  /** Writes a temporary file and renames it, so other processes see either entry complete. */
  #write(target: VerifyTarget, fingerprint: string, report: EpisodeReport): void {
    const { basis } = this.#settings;
    const { dir = '', name } = target;
    const body = JSON.stringify({
      schema: SCHEMA,
      basis,
      path: dir,
      name,
      fingerprint,
      report,
    } satisfies Entry);
    const path = this.#pathOf(target);
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      makeFolders(dirname(path), 0o700);
      writeFileSync(temporary, `${hash('sha256', body, 'hex')}\n${body}`, { mode: 0o600 });
      renameSync(temporary, path);
    } catch {
      // Failing to write the cache is not an error.
      if (existsSync(temporary)) rmSync(temporary);
    }
  }
}

const MARKER = 'noesis-cache.json';

/** The content of the file that marks a folder as a cache. */
const MARK = `{"schema":"${SCHEMA}"}\n`;

/** Makes a folder a cache if it is not one yet. Returns why it cannot be used, if so. */
export function prepareCache(dir: string): string | undefined {
  const mark = join(dir, MARKER);
  try {
    const isNew = makeFolders(dir, 0o700) !== undefined;
    if (isNew || readdirSync(dir).length === 0) writeFileSync(mark, MARK, { mode: 0o600 });
    const why = distrust(realpathSync(dir));
    if (why !== undefined) return why;
    if (!lstatSync(mark).isFile()) return `its ${MARKER} is not a regular file`;
    return readFileSync(mark, 'utf8') === MARK ? undefined : 'it belongs to another version';
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === 'EEXIST') return 'it is not a folder';
    return code === 'ENOENT'
      ? 'it contains other files, and is not a cache'
      : `it cannot be used (${reasonFor(code)})`;
  }
}

/** The turn, from 0, of a run that verifies one of `parts` parts at a time. A new cache starts at 0. */
export function turnOf(dir: string, name: string, parts: number): number {
  try {
    const turn = Number.parseInt(storedText(join(dir, name)), 10);
    return Number.isInteger(turn) && turn >= 0 ? turn % parts : 0;
  } catch {
    return 0;
  }
}

/** Ends a turn, so the next run takes the next part. */
export function endTurn(dir: string, name: string, turn: number): void {
  const temporary = join(dir, `.${name}.${randomBytes(6).toString('hex')}`);
  writeFileSync(temporary, `${turn + 1}\n`);
  renameSync(temporary, join(dir, name));
}
