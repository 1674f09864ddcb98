import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { Budget, type UnpackLimits } from '../archives/budget.ts';
import type { ArchiveEntry } from '../archives/entry.ts';
import { unpackedName } from '../archives/format.ts';
import { ArchiveFault, type ArchiveProblem } from '../archives/problem.ts';
import { unpackParts } from '../archives/unpack.ts';
import { byText } from '../text/order.ts';
import { type Episode, episodesIn, holdsEpisodes, searchFolder } from './find.ts';

/** Where archives are unpacked to. */
export interface UnpackPlace {
  readonly tmpDir: string;
  /** Removes what is left when the process ends, however it does. */
  readonly leftovers: Set<() => void>;
}

/** How much may be unpacked, and where. */
export interface UnpackSettings {
  readonly place: UnpackPlace;
  readonly limits: UnpackLimits;
}

/** A private folder that is removed in any case. */
export interface PrivateFolder {
  readonly path: string;
  remove(): void;
}

/** Makes a folder that only this user can look into. */
export function privateFolder({ tmpDir, leftovers }: UnpackPlace): PrivateFolder {
  const path = mkdtempSync(join(tmpDir, 'noesis-'));
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

/** An archive of episodes. */
export interface ArchiveSource {
  /** What the user knows it by: its path, or `-`. */
  readonly label: string;
  /** Its entries from the start. */
  readonly entries: (budget: Budget) => AsyncIterable<ArchiveEntry>;
  /** The entries can be had again: of a stream they cannot. */
  readonly again: boolean;
}

/** Episodes of an archive that lie on the disk until they are removed. */
export interface EpisodePart {
  readonly episodes: readonly Episode[];
  remove(): void;
}

/** The name of the folder that stands for an archive: an archive of one episode is named after it. */
function stemOf(label: string): string {
  const stem = unpackedName(basename(label));
  return stem === '' || stem === '-' || stem === '.' || stem === '..' ? 'archive' : stem;
}

/** An archive that is read as if it were a folder: its episodes come one after the other, and are removed again. */
export class ArchiveReader {
  readonly label: string;
  readonly problems: ArchiveProblem[] = [];
  /** The paths of files in it that may hold episodes and were not taken for any. */
  readonly passedOver: string[] = [];
  readonly #source: ArchiveSource;
  readonly #settings: UnpackSettings;
  readonly #stem: string;
  #folder: PrivateFolder | undefined;

  constructor(source: ArchiveSource, settings: UnpackSettings) {
    this.label = source.label;
    this.#stem = stemOf(source.label);
    this.#source = source;
    this.#settings = settings;
  }

  /** A text about what was unpacked, as one about the archive. */
  shown(text: string): string {
    const base = this.#folder?.path;
    if (base === undefined || !text.includes(base)) return text;
    const [before, ...rest] = text.split(`${base}${sep}`);
    // Each part lies below a number and the folder that stands for the archive.
    const behind = `${sep}${this.#stem}`;
    const inside = rest.map((piece) => piece.replace(/^\d+/, '').slice(behind.length));
    return [before, ...inside].join(this.label);
  }

  /**
   * Its episodes part by part, those before a fault as well; what is wrong is then in `problems`. Where its folders do
   * not stand together all is unpacked at once, which `again` tells: what was given before does not count. `only`: the
   * path of what is wanted.
   */
  async *parts(again: () => void, only?: string): AsyncGenerator<EpisodePart> {
    for (const whole of [false, true]) {
      try {
        yield* this.#unpacked(whole, only);
        return;
      } catch (error) {
        if (!(error instanceof ArchiveFault)) throw error;
        if (error.problem.kind !== 'scattered' || whole || !this.#source.again) {
          this.problems.push(error.problem);
          return;
        }
        this.dispose();
        this.problems.length = 0;
        this.passedOver.length = 0;
        again();
      }
    }
  }

  /** All its episodes at once, or those at a path and below it, in the order of a folder; what is wrong is in `problems`. */
  async whole(only?: string): Promise<readonly Episode[]> {
    let found: readonly Episode[] = [];
    try {
      for await (const { episodes } of this.#unpacked(true, only)) found = episodes;
    } catch (error) {
      if (!(error instanceof ArchiveFault)) throw error;
      this.problems.push(error.problem);
    }
    return found;
  }

  /** Removes all that is left of it. */
  dispose(): void {
    this.#folder?.remove();
    this.#folder = undefined;
  }

  async *#unpacked(whole: boolean, only: string | undefined): AsyncGenerator<EpisodePart> {
    const budget = new Budget(this.#settings.limits);
    this.#folder ??= privateFolder(this.#settings.place);
    const { path } = this.#folder;
    let made = 0;
    const anotherRoot = () => {
      const part = join(path, String(made++));
      const root = join(part, this.#stem);
      mkdirSync(root, { recursive: true, mode: 0o700 });
      return { root, remove: () => rmSync(part, { recursive: true, force: true }) };
    };
    const { root } = anotherRoot();
    const parts = unpackParts(this.#source.entries(budget), {
      root,
      anotherRoot,
      budget,
      whole,
      only,
      holdsEpisode: holdsEpisodes,
      isEpisode: async (dir) => (await episodesIn(dir)).episodes.length > 0,
      problem: (problem) => this.problems.push(problem),
    });
    for await (const { dir, remove } of parts) {
      const { episodes, passedOver } = await searchFolder(dir);
      this.passedOver.push(...passedOver.map((path) => this.shown(path)));
      yield { episodes, remove };
    }
  }
}

/** Folders before what lies in them, and their folders by name: the order in which episodes below a folder are found. */
export const compareFolders = (a: string, b: string): number =>
  // No name has this character, and every other comes after it.
  byText(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'));
