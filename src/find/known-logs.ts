import { closeSync, fstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { fileKey } from '../base/files/file-key.ts';
import { openToRead } from '../base/files/open-file.ts';
import { isOnlyFor } from '../base/files/own-folder.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import { jsonIn } from '../base/json/parse.ts';
import { utf8Text } from '../base/text/utf8-text.ts';

/** The name of the file in its folder. */
export const KNOWN_FILE = 'logs';

const NOTHING = Buffer.alloc(0);

/** What is known of one log. Stored as a line: path and these members between tabs. All but the key are JSON. */
interface Entry {
  readonly key: string;
  facts: Record<string, string>;
  /** The name and the parts that the rows are of. */
  of: string;
  /** Not parsed until it is needed. */
  rows: string;
}

/** One look at a file, for all who ask in this run. */
interface FileStatus {
  /** What the file is known by; undefined if it may change without a change of it. */
  readonly key: string | undefined;
  readonly changedMs: number;
}

/** Where logs are remembered. */
export interface KnownPlace {
  /** A folder that only the user can write to. */
  readonly folder: string;
  readonly user: number;
  /** Another build may answer otherwise, so it ignores the file. */
  readonly build: string;
  /** The id of the process, so that two runs do not write to one temporary file. */
  readonly pid: number;
}

/**
 * What earlier runs found out about logs that have not changed since. A log is known by its path and by the device, inode,
 * size and times of its file, so every change but one that restores all of these is noticed. `verify` never asks. Anything
 * that is wrong with the file of memory is as if it did not exist.
 */
export class KnownLogs {
  readonly #place: KnownPlace;
  readonly #now: () => number;
  readonly #files = new Map<string, FileStatus>();
  /** The entries that this run asked for, by their logs. */
  readonly #used = new Map<string, Entry | undefined>();
  #entries: Map<string, Entry> | undefined;
  #isChanged = false;

  constructor(place: KnownPlace, now: () => number) {
    this.#place = place;
    this.#now = now;
  }

  /** A fact about the content of a log, such as the session it is a part of. `find` reads the log. */
  fact(log: string, name: string, find: () => string | undefined): string | undefined {
    const entry = this.#entryOf(log);
    if (entry === undefined) return find();
    const stored = Object.hasOwn(entry.facts, name) ? entry.facts[name] : undefined;
    if (stored !== undefined) return stored === '' ? undefined : stored.slice(1);
    const found = find();
    entry.facts[name] = found === undefined ? '' : `=${found}`;
    this.#isChanged = true;
    return found;
  }

  /** Like {@link fact}, if the log must be converted to find it. */
  async foundFact(
    log: string,
    name: string,
    find: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const entry = this.#entryOf(log);
    const found = entry !== undefined && Object.hasOwn(entry.facts, name) ? undefined : await find();
    return this.fact(log, name, () => found);
  }

  /** What `find` says of the content of a log. */
  is(log: string, name: string, find: () => boolean): boolean {
    return this.fact(log, name, () => (find() ? 'yes' : undefined)) !== undefined;
  }

  /** When a file was last changed, in whole milliseconds since 1970; 0 if it does not exist. */
  changedAt(path: string): number {
    return this.#statusOf(path).changedMs;
  }

  /** The rows of a log and its parts in a list of this build. `related`: other logs on which they depend. `find` reads them. */
  async rows<Row>(
    {
      name,
      log,
      parts = [],
      related = [],
    }: {
      readonly name: string;
      readonly log: string;
      readonly parts?: readonly string[] | undefined;
      readonly related?: readonly string[];
    },
    find: () => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const entry = this.#entryOf(log);
    const others = [...parts, ...related].map((other) => [other, this.#statusOf(other).key]);
    if (entry === undefined || others.some(([, key]) => key === undefined)) return find();
    // A log may be named after its folder, if it is the only one there.
    const of = JSON.stringify([name, ...others]);
    const stored = entry.of === of ? jsonIn(entry.rows) : undefined;
    if (Array.isArray(stored)) return stored as unknown as Row[];
    const found = await find();
    entry.of = of;
    entry.rows = JSON.stringify(found);
    this.#isChanged = true;
    return found;
  }

  /** The rows of all logs as earlier runs found them: no log is read, and some may have changed since. */
  remembered<Row>(): Row[] {
    this.#entries ??= this.#stored();
    return [...this.#entries.values()].flatMap(({ rows }) => {
      const stored = jsonIn(rows);
      return Array.isArray(stored) ? (stored as unknown as Row[]) : [];
    });
  }

  /** Writes what this run found out. Logs that no longer exist are forgotten. */
  save(): void {
    if (!this.#isChanged || this.#entries === undefined) return;
    const path = join(this.#place.folder, KNOWN_FILE);
    const fresh = `${path}.${this.#place.pid}.tmp`;
    // A log that this run looked at still exists.
    const isGone = (log: string): boolean =>
      this.#used.get(log) === undefined && statSync(log, { throwIfNoEntry: false }) === undefined;
    const lines: string[] = [];
    for (const [log, entry] of this.#entries)
      if (!isGone(log))
        lines.push([log, entry.key, JSON.stringify(entry.facts), entry.of, entry.rows].join('\t'));
    const text = lines.join('\n');
    try {
      writeFileSync(fresh, `${this.#head(text)}\n${text}`, { mode: 0o600, flag: 'wx' });
      renameSync(fresh, path);
    } catch {
      // The disk is full or read-only, or another run of this process id writes. Nothing is lost but time.
      rmSync(fresh, { force: true });
    }
  }

  /** The first line of the file: a damaged file is ignored. */
  #head(lines: string | Buffer): string {
    return ['noesis.known/1', this.#place.build, crc32(lines)].join('\t');
  }

  /** The entry of a log; undefined if nothing may be remembered of it. */
  #entryOf(log: string): Entry | undefined {
    const used = this.#used.get(log);
    if (used !== undefined || this.#used.has(log)) return used;
    const entry = this.#lookUp(log);
    this.#used.set(log, entry);
    return entry;
  }

  #lookUp(log: string): Entry | undefined {
    const key = /[\t\n]/.test(log) ? undefined : this.#statusOf(log).key;
    if (key === undefined) return undefined;
    this.#entries ??= this.#stored();
    const stored = this.#entries.get(log);
    const entry = stored?.key === key ? stored : { key, facts: {}, of: '', rows: '' };
    if (entry !== stored) this.#entries.set(log, entry);
    return entry;
  }

  #statusOf(path: string): FileStatus {
    const seen = this.#files.get(path);
    if (seen !== undefined) return seen;
    const status = statSync(path, { bigint: true, throwIfNoEntry: false });
    const found = { key: fileKey(status, this.#now()), changedMs: Number(status?.mtimeMs ?? 0n) };
    this.#files.set(path, found);
    return found;
  }

  #stored(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    const whole = this.#bytes();
    const end = whole.indexOf(NEWLINE);
    const lines = whole.subarray(end + 1);
    if (whole.toString('utf8', 0, Math.max(0, end)) !== this.#head(lines)) return entries;
    for (const line of utf8Text(lines).split('\n')) {
      const [log, key, facts = '', of, rows, ...more] = line.split('\t');
      const known = jsonIn(facts);
      if (log === undefined || key === undefined || of === undefined) continue;
      if (rows === undefined || more.length > 0) continue;
      if (typeof known !== 'object' || known === null || Array.isArray(known)) continue;
      if (Object.values(known).every((fact) => typeof fact === 'string'))
        entries.set(log, { key, facts: known as Record<string, string>, of, rows });
    }
    return entries;
  }

  #bytes(): Buffer {
    try {
      const file = openToRead(join(this.#place.folder, KNOWN_FILE));
      try {
        const status = fstatSync(file);
        return status.isFile() && isOnlyFor(this.#place.user, status) ? readFileSync(file) : NOTHING;
      } finally {
        closeSync(file);
      }
    } catch {
      return NOTHING;
    }
  }
}
