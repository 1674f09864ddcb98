import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { type BigEpisode, writeBigEpisode } from './big-episode.ts';
import { writeCauseless, writeGarbage, writeOversized } from './damaged-logs.ts';
import { writeRunningEpisode, writeSmallEpisode, writeSmallEpisodes } from './small-episodes.ts';

/** A little above the 270 MB, as a log's size is estimated before it is written. */
const mainLogBytes = 272_000_000;
const hugeLogBytes = 2_000_000_000;
const smallEpisodes = 10_000;
/** Fewer would not keep two workers busy. */
const fewestSmallEpisodes = 40;
const eventsPerSmallEpisode = 20;

/** The data that the rows measure on: made when first asked for, and kept for the next run. */
export class Store {
  readonly #folder: string;
  readonly #scale: number;
  readonly #fresh: boolean;
  readonly #say: (text: string) => void;
  /** What this run has made or looked at. */
  readonly #seen = new Set<string>();

  constructor(folder: string, scale: number, fresh: boolean, say: (text: string) => void) {
    this.#folder = folder;
    this.#scale = scale;
    this.#fresh = fresh;
    this.#say = say;
    mkdirSync(folder, { recursive: true });
    // The folder keeps itself out of the repository, wherever it is put.
    writeFileSync(join(folder, '.gitignore'), '*\n');
  }

  /** The folder of that name, made anew where it is missing, was left half-made, or `--fresh` asks for it. */
  #folderOf(name: string, make: (folder: string) => void): string {
    const folder = join(this.#folder, name);
    const stale = this.#fresh && !this.#seen.has(name);
    this.#seen.add(name);
    if (existsSync(folder) && !stale) return folder;
    this.#say(`making ${name} ...`);
    const unfinished = `${folder}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(unfinished);
    make(unfinished);
    renameSync(unfinished, folder);
    return folder;
  }

  #bigEpisode(name: string, bytes: number): BigEpisode {
    const folder = this.#folderOf(name, (into) => {
      const episode = writeBigEpisode(into, Math.ceil(bytes * this.#scale));
      writeFileSync(join(into, 'facts.txt'), JSON.stringify(episode));
    });
    const facts = JSON.parse(readFileSync(join(folder, 'facts.txt'), 'utf8')) as BigEpisode;
    const dir = join(folder, basename(facts.dir));
    return { ...facts, dir, log: join(dir, 'events.jsonl') };
  }

  /** The episode with the 270 MB log. */
  mainLog(): BigEpisode {
    return this.#bigEpisode(`log-270mb-x${this.#scale}`, mainLogBytes);
  }

  /** The episode with the 2 GB log. */
  hugeLog(): BigEpisode {
    return this.#bigEpisode(`log-2gb-x${this.#scale}`, hugeLogBytes);
  }

  /** Takes the 2 GB log away again. */
  dropHugeLog(): void {
    rmSync(join(this.#folder, `log-2gb-x${this.#scale}`), { recursive: true, force: true });
  }

  /** A folder with the episode of the 270 MB log so many times. The copies are hard links: no more disk, all cached. */
  copiesOfMainLog(copies: number): string {
    const { dir } = this.mainLog();
    return this.#folderOf(`log-270mb-x${this.#scale}-${copies}-times`, (into) => {
      for (let copy = 1; copy <= copies; copy++) {
        const target = join(into, String(copy).padStart(2, '0'), basename(dir));
        mkdirSync(target, { recursive: true });
        for (const name of readdirSync(dir)) {
          try {
            linkSync(join(dir, name), join(target, name));
          } catch {
            copyFileSync(join(dir, name), join(target, name));
          }
        }
      }
    });
  }

  /** How many small episodes there are, and where. */
  smallEpisodes(): { readonly folder: string; readonly count: number } {
    const count = Math.max(fewestSmallEpisodes, Math.ceil(smallEpisodes * this.#scale));
    const folder = this.#folderOf(`small-${count}`, (into) =>
      writeSmallEpisodes(into, count, eventsPerSmallEpisode),
    );
    return { folder, count };
  }

  /** Logs with a million faults each, and how many these are. */
  damagedLogs(): { readonly garbage: string; readonly causeless: string; readonly faults: number } {
    const faults = Math.max(1, Math.round(1_000_000 * this.#scale));
    const folder = this.#folderOf(`damaged-${faults}`, (into) => {
      writeGarbage(join(into, 'garbage.jsonl'), faults);
      writeCauseless(join(into, 'causeless.jsonl'), faults);
    });
    return { garbage: join(folder, 'garbage.jsonl'), causeless: join(folder, 'causeless.jsonl'), faults };
  }

  /** A log with a line of a gigabyte, and one that nests 100,000 deep. */
  oversizedLog(): { readonly log: string; readonly bytes: number } {
    const bytes = Math.round(1e9 * this.#scale);
    const folder = this.#folderOf(`oversized-${bytes}`, (into) =>
      writeOversized(join(into, 'oversized.jsonl'), bytes, 100_000),
    );
    return { log: join(folder, 'oversized.jsonl'), bytes };
  }

  /** One episode with so many events. */
  episodeOf(events: number): string {
    const folder = this.#folderOf(`events-${events}`, (into) => writeSmallEpisode(into, events));
    return join(folder, readdirSync(folder)[0] ?? '');
  }

  /** An episode that is still running, made anew each time, because the rows write to it. */
  runningEpisode(): string {
    const folder = join(this.#folder, 'running');
    rmSync(folder, { recursive: true, force: true });
    return writeRunningEpisode(folder);
  }

  /** A path for output that a row needs as a file. */
  output(name: string): string {
    return join(this.#folder, name);
  }
}
