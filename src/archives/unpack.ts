import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, reasonOf } from '../errors.ts';
import type { Budget } from './budget.ts';
import { type ArchiveEntry, safePath } from './entry.ts';
import { ArchiveFault, type ArchiveProblem } from './problem.ts';

/** Where an archive is unpacked to, and who says what an episode is. */
export interface UnpackOptions {
  /** A private folder, which stands for the archive. */
  readonly root: string;
  /** Makes another that stands for it: for a part that is given, so that it is in the way of nothing. */
  readonly anotherRoot: () => { readonly root: string; remove(): void };
  readonly budget: Budget;
  /** Whether a folder is an episode, or holds one, of all that lies below it. */
  readonly holdsEpisode: (dir: string) => Promise<boolean>;
  /** Whether a folder is an episode itself, or holds logs of its own. */
  readonly isEpisode: (dir: string) => Promise<boolean>;
  /** Unpacks all before anything is given: for what does not stand folder by folder. */
  readonly whole?: boolean;
  /** Only what lies at this path or below it is unpacked. */
  readonly only?: string | undefined;
  readonly problem: (problem: ArchiveProblem) => void;
}

/** A part of an archive that lies on the disk until it is removed. */
export interface UnpackedPart {
  readonly dir: string;
  remove(): void;
}

const KINDS: Readonly<Record<'link' | 'device' | 'unknown', string>> = {
  link: 'a link: it may lead anywhere, and is not unpacked',
  device: 'a device or a pipe: it is not unpacked',
  unknown: 'of a kind that is not known: it is not unpacked',
};

const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

const parentOf = (path: string): string => (path.includes('/') ? dirname(path) : '');

/** A folder and all that it lies in, the innermost first; '' is the archive itself. */
function* upwards(path: string): Generator<string> {
  for (let at = path; ; at = parentOf(at)) {
    yield at;
    if (at === '') return;
  }
}

/**
 * Unpacks an archive folder by folder, as its entries come: a folder that holds episodes is given when the archive has
 * gone on to another, and removed by whoever was given it. A folder with none may be part of an episode around it, and
 * stays. Where entries come back to a folder that was given, that is `scattered`: the parts were not whole.
 */
class Unpacker {
  readonly #options: UnpackOptions;
  /** Folders that were given, and all that they lie in. */
  readonly #given = new Set<string>();
  readonly #around = new Set<string>();
  /** Files by the folder that they are in. */
  readonly #files = new Map<string, number>();
  /** Files by every folder that they are below. */
  readonly #below = new Map<string, number>();
  /** Folders that are no episodes yet, and folders without one below, with their number of files at that time. */
  readonly #plain = new Map<string, number>();
  readonly #barren = new Map<string, number>();
  /** Folders that are episodes. */
  readonly #episodes = new Set<string>();
  #last = '';

  constructor(options: UnpackOptions) {
    this.#options = options;
  }

  async *unpack(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<UnpackedPart> {
    for await (const entry of entries) {
      this.#options.budget.entry();
      const path = this.#wanted(entry);
      if (path === undefined) continue;
      const folder = entry.kind === 'folder' ? path : parentOf(path);
      if (!this.#options.whole) yield* this.#leave(folder);
      this.#requireNew(folder);
      if (entry.kind === 'folder') this.#makeFolder(path);
      else await this.#write(path, entry);
      await this.#requireAlone(folder);
      this.#last = folder;
    }
    for (const folder of this.#around) if (await this.#mayBeNew(folder)) throw scattered(folder);
    const { root } = this.#options;
    yield { dir: root, remove: () => rmSync(root, { recursive: true, force: true }) };
  }

  /** The path of an entry that is unpacked; undefined for one that is not, which is said. */
  #wanted({ name, kind, unsafe }: ArchiveEntry): string | undefined {
    const { problem, only = '' } = this.#options;
    const safe = safePath(name);
    if ('refused' in safe) {
      problem({
        kind: 'unsafe-name',
        message: `the name of an entry is refused: ${safe.refused}`,
        entry: name,
      });
      return undefined;
    }
    if (unsafe !== undefined) {
      problem({ kind: 'unsafe-entry', message: `an entry is refused: ${unsafe}`, entry: name });
      return undefined;
    }
    if (!isBelow(safe.path, only)) return undefined;
    if (kind === 'link' || kind === 'device' || kind === 'unknown') {
      problem({ kind: 'unsafe-entry', message: `an entry is ${KINDS[kind]}`, entry: name });
      return undefined;
    }
    return safe.path === '' && kind === 'file' ? undefined : safe.path;
  }

  /** Gives the outermost folder that the archive has left, where it holds episodes and lies in none. */
  async *#leave(next: string): AsyncGenerator<UnpackedPart> {
    let left: string | undefined;
    for (const folder of upwards(this.#last)) {
      if (folder === '' || isBelow(next, folder)) break;
      left = folder;
    }
    if (left === undefined || this.#given.has(left)) return;
    for (const folder of upwards(parentOf(left))) if (await this.#mayBeEpisode(folder)) return;
    const dir = join(this.#options.root, left);
    const count = this.#below.get(left) ?? 0;
    if (isTooSoon(this.#barren.get(left), count)) return;
    if (!(await this.#options.holdsEpisode(dir))) {
      this.#barren.set(left, count);
      return;
    }
    const gone = left;
    this.#given.add(gone);
    for (const folder of upwards(parentOf(gone))) this.#around.add(folder);
    const { root, remove } = this.#options.anotherRoot();
    const apart = join(root, gone);
    mkdirSync(dirname(apart), { recursive: true, mode: 0o700 });
    renameSync(dir, apart);
    yield { dir: apart, remove };
  }

  /** Whether a folder is an episode, as far as is known: one that was looked at a short while ago is said to be. */
  async #mayBeEpisode(folder: string): Promise<boolean> {
    const count = this.#files.get(folder) ?? 0;
    if (count === 0 || this.#plain.get(folder) === count) return false;
    return isTooSoon(this.#plain.get(folder), count) || (await this.#isEpisode(folder));
  }

  async #isEpisode(folder: string): Promise<boolean> {
    if (this.#episodes.has(folder)) return true;
    const isEpisode = await this.#options.isEpisode(join(this.#options.root, folder));
    if (isEpisode) this.#episodes.add(folder);
    else this.#plain.set(folder, this.#files.get(folder) ?? 0);
    return isEpisode;
  }

  #requireNew(folder: string): void {
    for (const around of upwards(folder)) if (this.#given.has(around)) throw scattered(folder);
  }

  /** A folder that turns out to be an episode may own what was given as episodes of their own. */
  async #requireAlone(folder: string): Promise<void> {
    const count = this.#files.get(folder) ?? 0;
    if (count === 0 || !this.#around.has(folder) || isTooSoon(this.#plain.get(folder), count)) return;
    if (await this.#isEpisode(folder)) throw scattered(folder);
  }

  /** Whether a folder became an episode since it was last looked at. */
  async #mayBeNew(folder: string): Promise<boolean> {
    const count = this.#files.get(folder) ?? 0;
    return count > 0 && this.#plain.get(folder) !== count && (await this.#isEpisode(folder));
  }

  #makeFolder(path: string): void {
    this.#told(path, () => mkdirSync(join(this.#options.root, path), { recursive: true, mode: 0o700 }));
  }

  async #write(path: string, entry: ArchiveEntry): Promise<void> {
    const { root, problem } = this.#options;
    const folder = parentOf(path);
    this.#makeFolder(folder);
    let file: number;
    try {
      file = openSync(join(root, path), 'wx', 0o600);
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'EEXIST' && code !== 'EISDIR') throw unwritable(path, error);
      const message =
        'an entry has the name of another: who unpacks it sees one of them, and nobody knows which';
      return problem({ kind: 'duplicate-entry', message, entry: entry.name });
    }
    try {
      for await (const chunk of entry.content) {
        for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
      }
    } catch (error) {
      throw errorCode(error) === 'ENOSPC' ? unwritable(path, error) : error;
    } finally {
      closeSync(file);
    }
    this.#files.set(folder, (this.#files.get(folder) ?? 0) + 1);
    for (const around of upwards(folder)) this.#below.set(around, (this.#below.get(around) ?? 0) + 1);
  }

  /** A name that no file can have here, such as one below a file. */
  #told(path: string, work: () => unknown): void {
    try {
      work();
    } catch (error) {
      throw unwritable(path, error);
    }
  }
}

/**
 * Looking at a folder reads all that is in it, so it is looked at again when it has twice as many files: else an archive of
 * interleaved files would take quadratic time. Until then nothing around it or of it is given, which costs only disk space.
 */
const isTooSoon = (before: number | undefined, now: number): boolean =>
  before !== undefined && now < before * 2;

const scattered = (folder: string) =>
  new ArchiveFault('scattered', 'the files of a folder do not stand together in it', folder);

const unwritable = (path: string, error: unknown) =>
  new ArchiveFault('corrupt', `an entry cannot be unpacked (${reasonOf(error)})`, path);

/**
 * The parts of an archive that hold episodes, one after the other; the last is all that is left, and may hold none.
 * Problems with single entries are told and the others go on; throws {@link ArchiveFault} where nothing behind can be
 * read.
 */
export function unpackParts(
  entries: AsyncIterable<ArchiveEntry>,
  options: UnpackOptions,
): AsyncGenerator<UnpackedPart> {
  return new Unpacker(options).unpack(entries);
}
