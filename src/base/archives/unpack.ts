import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, isOfTarget, reasonOf } from '../errors.ts';
import type { Budget } from './budget.ts';
import { type ArchiveEntry, safePath } from './entry.ts';
import { ArchiveFault, type ArchiveProblem } from './problem.ts';

/** Where to unpack an archive, and how to recognise episodes. */
interface UnpackOptions {
  /** A private folder for the content of the archive. */
  readonly root: string;
  /** Makes another such folder. Each part that is handed over gets one, so parts never overlap. */
  readonly anotherRoot: () => { readonly root: string; remove(): void };
  readonly budget: Budget;
  /** Whether a folder is an episode or contains one at any depth. */
  readonly holdsEpisode: (dir: string) => Promise<boolean>;
  /** Whether a folder is an episode itself, or contains logs directly. */
  readonly isEpisode: (dir: string) => Promise<boolean>;
  /** Unpack everything before handing anything over, for commands that cannot work folder by folder. */
  readonly whole?: boolean;
  /** Unpack only this path and everything below it. */
  readonly only?: string | undefined;
  readonly problem: (problem: ArchiveProblem) => void;
}

/** A part of an archive on disk, until it is removed. */
interface UnpackedPart {
  readonly dir: string;
  remove(): void;
}

const KINDS: Readonly<Record<'link' | 'device' | 'unknown', string>> = {
  link: 'a link: it may lead anywhere, and is not unpacked',
  device: 'a device or a pipe: it is not unpacked',
  unknown: 'of an unknown kind: it is not unpacked',
};

const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

const parentOf = (path: string): string => (path.includes('/') ? dirname(path) : '');

/** Yields a folder and its ancestors, innermost first; '' is the archive itself. */
function* upwards(path: string): Generator<string> {
  for (let at = path; ; at = parentOf(at)) {
    yield at;
    if (at === '') return;
  }
}

/**
 * Unpacks an archive folder by folder, in the order of its entries. A folder with episodes is handed over
 * once the archive has moved on to another folder; the receiver removes it. A folder without episodes may
 * belong to an episode around it, and stays. If later entries belong to a folder that was already handed
 * over, the part was incomplete: the problem `scattered` is reported.
 */
class Unpacker {
  readonly #options: UnpackOptions;
  /** Folders that were handed over, and their ancestors. */
  readonly #given = new Set<string>();
  readonly #around = new Set<string>();
  /** The number of files directly in each folder. */
  readonly #files = new Map<string, number>();
  /** The number of files below each folder, at any depth. */
  readonly #below = new Map<string, number>();
  /** The number of files in folders that were not episodes, or contained none, when they were last checked. */
  readonly #plain = new Map<string, number>();
  readonly #barren = new Map<string, number>();
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

  /** Returns the path to unpack an entry to. Reports an entry that is not unpacked and returns undefined. */
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

  /** Hands over the outermost folder that the archive has left, if it contains episodes and is in none. */
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

  /** Whether a folder may be an episode. True if it was checked too recently to check again. */
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

  /** Throws if a folder turns out to be an episode after parts of it were handed over. */
  async #requireAlone(folder: string): Promise<void> {
    const count = this.#files.get(folder) ?? 0;
    if (count === 0 || !this.#around.has(folder) || isTooSoon(this.#plain.get(folder), count)) return;
    if (await this.#isEpisode(folder)) throw scattered(folder);
  }

  /** Whether a folder became an episode after it was last checked. */
  async #mayBeNew(folder: string): Promise<boolean> {
    const count = this.#files.get(folder) ?? 0;
    return count > 0 && this.#plain.get(folder) !== count && (await this.#isEpisode(folder));
  }

  #makeFolder(path: string): void {
    this.#explained(path, () => mkdirSync(join(this.#options.root, path), { recursive: true, mode: 0o700 }));
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
      const message = 'two entries have this name, and programs disagree about which one to unpack';
      return problem({ kind: 'duplicate-entry', message, entry: entry.name });
    }
    try {
      for await (const chunk of entry.content) {
        for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
      }
    } finally {
      closeSync(file);
    }
    this.#files.set(folder, (this.#files.get(folder) ?? 0) + 1);
    for (const around of upwards(folder)) this.#below.set(around, (this.#below.get(around) ?? 0) + 1);
  }

  /** Reports a name that cannot exist here, such as a path below a file. */
  #explained(path: string, work: () => unknown): void {
    try {
      work();
    } catch (error) {
      throw unwritable(path, error);
    }
  }
}

/**
 * Checking a folder reads everything in it. It is checked again only when it has twice as many files, because
 * an archive of interleaved files would take quadratic time otherwise. Until then the folders around and
 * below it are kept, which costs only disk space.
 */
const isTooSoon = (before: number | undefined, now: number): boolean =>
  before !== undefined && now < before * 2;

const scattered = (folder: string) =>
  new ArchiveFault('scattered', 'the files of a folder are not next to each other in the archive', folder);

/** The fault of an entry whose name cannot exist here. A failure of this machine is returned as it is. */
const unwritable = (path: string, error: unknown): unknown =>
  isOfTarget(error)
    ? new ArchiveFault('corrupt', `an entry cannot be unpacked (${reasonOf(error)})`, path)
    : error;

/**
 * Yields the parts of an archive that contain episodes. The last part is everything that is left, and may
 * contain none. Reports problems with single entries and goes on; throws {@link ArchiveFault} if the rest
 * cannot be read.
 */
export function unpackParts(
  entries: AsyncIterable<ArchiveEntry>,
  options: UnpackOptions,
): AsyncGenerator<UnpackedPart> {
  return new Unpacker(options).unpack(entries);
}
