import { createHash, hash, randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
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
import { fileErrorCode, reasonFor } from '../errors.ts';
import { hashFile } from '../files/digest.ts';
import { listFiles } from '../files/files.ts';
import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { episodeSchema } from '../findings/report-schema.ts';

/** How it is told that nothing changed: by sizes, times and inodes, or by the hash of every byte. */
export type CacheMode = 'stat' | 'hash';

/** A cache of verdicts, as plain data that a worker can be given. */
export interface CacheSettings {
  /** Absolute; it holds nothing else. */
  readonly dir: string;
  readonly mode: CacheMode;
  /** What the verdicts rest on beside the files: version, policy and keys, in one digest. */
  readonly basis: string;
}

const SCHEMA = 'noesis.cache/1';

/** A file that was changed so shortly before may be changed again without its times telling. In milliseconds. */
const YOUNG_MS = 2000;

/** What an episode's files are at one moment. */
interface Fingerprint {
  readonly text: string;
  /** The last change of any of them, in milliseconds since 1970. */
  readonly newest: number;
}

/** Sizes, times, inodes and kinds of all that lies in a folder, and of what links in it lead to. */
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
    // Where it leads is what is read.
    if (isLink && inside) take(`${name}@`, path, true, statSync(path, { bigint: true }));
  }
  for (const name of others) take(name, join(dir, name), false);
  return { text: `${mode}:${digest.digest('hex')}`, newest };
}

/** What is stored of an episode. */
interface Entry {
  readonly schema: typeof SCHEMA;
  readonly basis: string;
  readonly path: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly report: EpisodeReport;
}

/** Verdicts that may be of the moment, or of this process. */
const PASSING: ReadonlySet<string> = new Set([
  'verify/internal',
  'artifact/unreadable',
  'verify/unreadable-folder',
]);

/**
 * The folder of an episode is all that its verdict rests on; a log alone may be verified with what lies elsewhere. A
 * copy lies in a folder that is soon gone.
 */
const isCacheable = (target: VerifyTarget): target is VerifyTarget & { readonly dir: string } =>
  target.dir !== undefined && !target.copy && !target.link && target.unlisted === undefined;

/** The user who runs this; undefined where the system has no such thing. */
function ownUid(): number | undefined {
  try {
    const { uid } = userInfo();
    return uid < 0 ? undefined : uid;
  } catch {
    // A user without a name, as in containers.
    return statSync('/proc/self', { throwIfNoEntry: false })?.uid;
  }
}

/** Why what is at a path is not believed: others could have put a verdict there. Undefined where it may be. */
function distrust(path: string): string | undefined {
  const { uid, mode } = lstatSync(path);
  const own = ownUid();
  if (own !== undefined && uid !== own) return 'it belongs to another user';
  return (mode & 0o022) !== 0 && own !== undefined ? 'others may write to it' : undefined;
}

/** A cache of verdicts in a folder, one file an episode; several processes may use it at once. */
export class VerdictCache {
  readonly #settings: CacheSettings;

  constructor(settings: CacheSettings) {
    this.#settings = settings;
  }

  /** The verdict of an episode that did not change; undefined where that is not certain. */
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

  /** Verifies, and stores the verdict unless something changed meanwhile, or just before. */
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

  /** An entry whose bytes are those that were written: anything else is left aside. */
  #read(target: VerifyTarget & { readonly dir: string }): Entry | undefined {
    const file = this.#pathOf(target);
    if (distrust(dirname(file)) !== undefined || distrust(file) !== undefined) return undefined;
    const text = readFileSync(file, 'utf8');
    const body = text.slice(65);
    if (text.slice(0, 65) !== `${hash('sha256', body, 'hex')}\n`) return undefined;
    const entry = JSON.parse(body) as Entry;
    const { schema, basis, path, name, report } = entry;
    const isIts =
      schema === SCHEMA && basis === this.#settings.basis && path === target.dir && name === target.name;
    return isIts && episodeSchema.safeParse(report).success ? entry : undefined;
  }

  /** Written beside and renamed: another process sees the old one or the new one, whole. */
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
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, `${hash('sha256', body, 'hex')}\n${body}`, { mode: 0o600 });
      renameSync(temporary, path);
    } catch {
      // A cache that cannot be written saves no time, and that is all.
      if (existsSync(temporary)) rmSync(temporary);
    }
  }
}

const MARKER = 'noesis-cache.json';

/** The words of the file that makes a folder a cache. */
const MARK = `{"schema":"${SCHEMA}"}\n`;

/** Makes a folder a cache, or finds that it is one; says why it is left aside where it is neither. */
export function prepareCache(dir: string): string | undefined {
  const mark = join(dir, MARKER);
  try {
    const isNew = mkdirSync(dir, { recursive: true, mode: 0o700 }) !== undefined;
    if (isNew || readdirSync(dir).length === 0) writeFileSync(mark, MARK, { mode: 0o600 });
    const why = distrust(realpathSync(dir));
    if (why !== undefined) return why;
    return readFileSync(mark, 'utf8') === MARK ? undefined : 'it is of another version';
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === 'EEXIST') return 'it is no folder';
    return code === 'ENOENT' ? 'it holds other files and no cache' : `it cannot be used (${reasonFor(code)})`;
  }
}

/** The turn of a rolling part among so many, from 0; a new cache begins with the first. */
export function turnOf(dir: string, name: string, parts: number): number {
  try {
    const turn = Number.parseInt(readFileSync(join(dir, name), 'utf8'), 10);
    return Number.isInteger(turn) && turn >= 0 ? turn % parts : 0;
  } catch {
    return 0;
  }
}

/** Says that a turn is over: the next run takes the next part. */
export function endTurn(dir: string, name: string, turn: number): void {
  const temporary = join(dir, `.${name}.${randomBytes(6).toString('hex')}`);
  writeFileSync(temporary, `${turn + 1}\n`);
  renameSync(temporary, join(dir, name));
}
