import { mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { Budget } from '../base/archives/budget.ts';
import type { ArchiveEntry } from '../base/archives/entry.ts';
import { packedFormat, unpackedName } from '../base/archives/format.ts';
import { ArchiveFault, type ArchiveProblem } from '../base/archives/problem.ts';
import { unpackParts } from '../base/archives/unpack.ts';
import { whileTemporary } from '../base/errors.ts';
import { pushAll } from '../base/files/push-all.ts';
import { defined } from '../base/json/defined.ts';
import { byText } from '../base/text/order.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { partName } from '../dialects/registry.ts';
import { packedIn } from './compressed-log.ts';
import { type Episode, pathOf } from './episode.ts';
import { holdsEpisodes, searchFolder } from './find.ts';
import { episodesIn } from './folder-contents.ts';
import type { Mount } from './mount.ts';
import { type PrivateFolder, privateFolder, type UnpackSettings } from './private-folder.ts';
import { runsAt } from './run.ts';
import { DATABASE_NAME } from './stores.ts';

/** An archive of episodes. */
export interface ArchiveSource {
  /** The name for the user: its path, or `-`. */
  readonly label: string;
  /** Reads its entries from the start. */
  readonly entries: (budget: Budget) => AsyncIterable<ArchiveEntry>;
  /** The entries can be read again; not for a stream. */
  readonly again: boolean;
  /** The dialect that the user named. */
  readonly dialect?: DialectName | undefined;
}

/** Episodes of an archive on disk, until they are removed. */
interface EpisodePart {
  readonly episodes: readonly Episode[];
  remove(): void;
}

/**
 * The name of the folder in which an archive is unpacked. It becomes the name of an episode at the top of the
 * archive.
 */
function stemOf(label: string): string {
  const stem = unpackedName(basename(label));
  return stem === '' || stem === '-' || stem === '.' || stem === '..' ? 'archive' : stem;
}

/** Names of files, as opposed to folders. */
const isFileName = (name: string): boolean =>
  packedFormat(name) !== undefined ||
  DATABASE_NAME.test(name) ||
  /\.(?:jsonl|ndjson|json|log|eval|traj)$/i.test(name);

/** What to unpack for a path. A file is unpacked with its folder, because other files of its episode are there. */
function unpackedFor(path: string): string | undefined {
  const name = basename(path);
  // The name of a run in a file.
  if (!isFileName(name) && !name.includes('#')) return path;
  const folder = dirname(path);
  return folder === '.' ? undefined : folder;
}

/** Whether a run is in a store, so that its path is `<store>#<id>`. */
const isStored = ({ changed }: Episode): boolean => changed !== undefined;

const isAtOrBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder + sep);

/** Reads an archive like a folder. Its episodes are unpacked and removed one after the other. */
export class ArchiveReader {
  readonly label: string;
  readonly problems: ArchiveProblem[] = [];
  /** Files in the archive that may belong to episodes but are not in any. */
  readonly passedOver: string[] = [];
  /** For the compressed files in it: they use up its budget. */
  settings: UnpackSettings;
  readonly #source: ArchiveSource;
  readonly #stem: string;
  #folder: PrivateFolder | undefined;

  constructor(source: ArchiveSource, settings: UnpackSettings) {
    this.label = source.label;
    this.#stem = stemOf(source.label);
    this.#source = source;
    this.settings = settings;
  }

  /** Replaces paths of unpacked files in a text with paths in the archive. */
  shown(text: string): string {
    const base = this.#folder?.path;
    if (base === undefined || !text.includes(base)) return text;
    const [before, ...rest] = text.split(`${base}${sep}`);
    // The path of each part continues with a number and the name of the archive.
    const behind = `${sep}${this.#stem}`;
    const inside = rest.map((piece) => piece.replace(/^\d+/, '').slice(behind.length));
    return [before, ...inside].join(this.label);
  }

  /**
   * Yields the episodes part by part, including those before a fault; `problems` has the faults. If the
   * folders are not contiguous, calls `again` and unpacks everything; earlier results are then void. `only`:
   * the wanted path.
   */
  async *parts(again: () => void, only?: string): AsyncGenerator<EpisodePart> {
    for (const whole of [false, true]) {
      try {
        yield* this.#unpacked(whole, only);
        return;
      } catch (error) {
        if (!(error instanceof ArchiveFault)) throw whileTemporary(this.settings.place.tmpDir, error);
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

  /** All episodes at once, or those at or below a path, sorted as in a folder. */
  async whole(only?: string): Promise<Mount> {
    let found: readonly Episode[] = [];
    try {
      for await (const { episodes } of this.#unpacked(true, only)) found = episodes;
    } catch (error) {
      if (!(error instanceof ArchiveFault)) {
        this.dispose();
        throw whileTemporary(this.settings.place.tmpDir, error);
      }
      this.problems.push(error.problem);
    }
    const { problems } = this;
    return {
      episodes: found,
      problems,
      layers: [],
      shown: (text) => this.shown(text),
      dispose: () => this.dispose(),
    };
  }

  dispose(): void {
    this.#folder?.remove();
    this.#folder = undefined;
  }

  async *#unpacked(whole: boolean, only: string | undefined): AsyncGenerator<EpisodePart> {
    const { maxUnpacked } = this.settings.limits;
    const budget = new Budget({ maxUnpacked });
    this.settings = { ...this.settings, limits: { maxUnpacked, within: budget } };
    this.#folder ??= privateFolder(this.settings.place);
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
      only: only === undefined ? undefined : unpackedFor(only),
      holdsEpisode: holdsEpisodes,
      isEpisode: async (dir) => (await episodesIn(dir)).episodes.length > 0,
      problem: (problem) => this.problems.push(problem),
    });
    for await (const { dir, remove } of parts) {
      const { episodes, passedOver } = await searchFolder(dir, this.#source.dialect);
      const path = only === undefined ? this.label : join(this.label, only);
      pushAll(
        this.passedOver,
        passedOver
          .map((one) => this.shown(one))
          .filter((one) => only === undefined || isAtOrBelow(one, path)),
      );
      const wanted = only === undefined ? episodes : this.#at(path, episodes);
      yield { episodes: wanted.map((one) => ({ ...one, copy: true })), remove };
    }
  }

  /** The episodes at or below a path. A path without any is that of a run in a log, or of the beginning of its id. */
  #at(path: string, episodes: readonly Episode[]): readonly Episode[] {
    const { dialect } = this.#source;
    const pathsOf = (one: Episode): string[] => {
      const paths = [one.log ?? pathOf(one), pathOf(one)].map((own) => this.shown(own));
      return isStored(one) ? paths.flatMap((own) => [own, ...runsAt(own).map(({ log }) => log)]) : paths;
    };
    const found = episodes.filter((one) => pathsOf(one).some((own) => isAtOrBelow(own, path)));
    if (found.length > 0) return found;
    // A part of a run is also a log by itself.
    const part = episodes.flatMap(({ parts = [] }) => parts).find((log) => this.shown(log) === path);
    if (part !== undefined) return [{ name: partName(part), dir: undefined, log: part, ...packedIn(part) }];
    for (const { log, run } of runsAt(path)) {
      const ofLog = episodes.filter((one) => pathsOf(one).includes(log));
      if (ofLog.length === 0) continue;
      return ofLog.flatMap((one) => {
        if (!isStored(one)) return { ...one, name: `${basename(log)}#${run}`, run, ...defined({ dialect }) };
        return run !== '' && this.shown(pathOf(one)).startsWith(path) ? one : [];
      });
    }
    return [];
  }
}

/** Orders folders before their contents and by name, as a search of a folder does. */
export const compareFolders = (a: string, b: string): number =>
  // No name contains NUL, and it sorts before every other character.
  byText(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'));
