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
import { writeGoverned, writeHalfActs, writePadded, writeVetoed } from './big-episode.ts';
import { writeCauseless, writeGarbage, writeOversized } from './damaged-logs.ts';
import { type FaultyEpisode, writeFaulty } from './faulty-episode.ts';
import { type HomeOfSessions, writeHomeOfSessions } from './home-of-sessions.ts';
import { type LongSession, writeLongSession } from './long-session.ts';
import { type MixedEpisodes, writeMixedEpisodes } from './mixed-episodes.ts';
import {
  type OtherLog,
  writeChained,
  writeCoordinator,
  writeExarchos,
  writeFishbowl,
  writeLinkedLines,
} from './other-dialects.ts';
import { writeRunningEpisode, writeSmallEpisode, writeSmallEpisodes } from './small-episodes.ts';
import type { StreamedEpisode } from './streamed-episode.ts';

const paddedBytes = 109_000_000;
/** A little more than a hundred thousand events. */
const viewedBytes = 62_000_000;
const halfActsBytes = 172_000_000;
const governedBytes = 60_000_000;
const faultyBytes = 60_000_000;
const vetoedBytes = 100_000_000;
const vetoedEpisodes = 20;
const hugeLogBytes = 2_000_000_000;
const smallEpisodes = 10_000;
const mixedEpisodes = 100_000;
const rootedEpisodes = 2_000;
/** With fewer, two workers would not be busy. */
const fewestSmallEpisodes = 40;
/** The number of episodes that one command searches. */
export const SEARCHED_EPISODES = 2000;
const eventsPerSmallEpisode = 20;
const sessionsAtHome = 1300;
const bytesPerSession = 1_240_000;
const longSessionBytes = 60_000_000;

/** The other dialects, with the size of their logs. */
const otherDialects = {
  exarchos: [writeExarchos, 100_000_000],
  fishbowl: [writeFishbowl, 60_000_000],
  coordinator: [writeCoordinator, 100_000_000],
  chained: [writeChained, 60_000_000],
  'chained-lines': [writeLinkedLines, 60_000_000],
} as const;

/** Several episodes in a folder. */
export interface Episodes {
  readonly folder: string;
  readonly count: number;
  readonly bytes: number;
  readonly events: number;
}

/** A log without an episode. */
export interface LogFile {
  readonly path: string;
  readonly bytes: number;
  readonly events: number;
}

/** The data of all rows. It is made on first use and kept for the next run. */
export class Store {
  readonly #folder: string;
  readonly #scale: number;
  readonly #fresh: boolean;
  readonly #say: (text: string) => void;
  /** The folders that this run has made or used. */
  readonly #seen = new Set<string>();

  constructor(folder: string, scale: number, fresh: boolean, say: (text: string) => void) {
    this.#folder = folder;
    this.#scale = scale;
    this.#fresh = fresh;
    this.#say = say;
    mkdirSync(folder, { recursive: true });
    // Keeps git from tracking the folder, wherever it is.
    writeFileSync(join(folder, '.gitignore'), '*\n');
  }

  /** The folder with that name, made again if it is missing or incomplete, or with `--fresh`. */
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

  /** A folder, and the facts that its maker returned. */
  #made<Facts>(name: string, make: (folder: string) => Facts): { folder: string; facts: Facts } {
    const folder = this.#folderOf(name, (into) =>
      writeFileSync(join(into, 'facts.txt'), JSON.stringify(make(into))),
    );
    return { folder, facts: JSON.parse(readFileSync(join(folder, 'facts.txt'), 'utf8')) as Facts };
  }

  #episode<Facts extends StreamedEpisode>(
    name: string,
    bytes: number,
    write: (into: string, bytes: number) => Facts,
  ): Facts {
    const { folder, facts } = this.#made(`${name}-x${this.#scale}`, (into) =>
      write(into, Math.ceil(bytes * this.#scale)),
    );
    // The folder had another name when it was written.
    const dir = join(folder, basename(facts.dir));
    return { ...facts, dir, log: join(dir, 'events.jsonl') };
  }

  /** The episode with few acts and many other events. */
  padded(): StreamedEpisode {
    return this.#episode('padded', paddedBytes, writePadded);
  }

  /** The episode that is opened in a browser. */
  viewed(): StreamedEpisode {
    return this.#episode('viewed', viewedBytes, writePadded);
  }

  /** The episode in which half of the events are acts. */
  halfActs(): StreamedEpisode {
    return this.#episode('half-acts', halfActsBytes, writeHalfActs);
  }

  /** The episode in which every act has a candidate and a decision. */
  governed(): StreamedEpisode {
    return this.#episode('governed', governedBytes, writeGoverned);
  }

  /** The episode in which every tenth record has a fault. */
  faulty(): FaultyEpisode {
    return this.#episode('faulty', faultyBytes, writeFaulty);
  }

  /** The episode with the 2 GB log. */
  hugeLog(): StreamedEpisode {
    return this.#episode('log-2gb', hugeLogBytes, writePadded);
  }

  /** Episodes that ended at a veto, or were resumed after one. */
  vetoed(): Episodes {
    const { folder, facts } = this.#made(`vetoed-x${this.#scale}`, (into) => {
      const written = writeVetoed(into, vetoedEpisodes, Math.ceil(vetoedBytes * this.#scale));
      const sum = (of: (episode: StreamedEpisode) => number) =>
        written.reduce((total, episode) => total + of(episode), 0);
      return {
        count: written.length,
        bytes: sum(({ bytes }) => bytes),
        events: sum(({ events }) => events),
      };
    });
    return { folder, ...facts };
  }

  /** A log of another dialect. */
  otherDialect(name: keyof typeof otherDialects): LogFile {
    const [write, bytes] = otherDialects[name];
    return this.#log(name, bytes, write);
  }

  /** One long session of a coding agent. */
  longSession(program: LongSession): LogFile {
    return this.#log(`long-${program}`, longSessionBytes, (into, bytes) =>
      writeLongSession(program, into, bytes),
    );
  }

  #log(name: string, bytes: number, write: (into: string, bytes: number) => OtherLog): LogFile {
    const { folder, facts } = this.#made(`${name}-x${this.#scale}`, (into) =>
      write(into, Math.ceil(bytes * this.#scale)),
    );
    return { ...facts, path: join(folder, basename(facts.log)) };
  }

  /** Removes the 2 GB log. */
  dropHugeLog(): void {
    rmSync(join(this.#folder, `log-2gb-x${this.#scale}`), { recursive: true, force: true });
  }

  /** A folder with copies of the padded episode. They are hard links, so they use no more disk and are all cached. */
  copiesOfPadded(copies: number): string {
    const { dir } = this.padded();
    return this.#folderOf(`padded-x${this.#scale}-${copies}-times`, (into) => {
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

  /** The number of small episodes, and their folder. */
  smallEpisodes(full = smallEpisodes): { readonly folder: string; readonly count: number } {
    const count = Math.max(fewestSmallEpisodes, Math.ceil(full * this.#scale));
    const folder = this.#folderOf(`small-${count}`, (into) =>
      writeSmallEpisodes(into, count, eventsPerSmallEpisode),
    );
    return { folder, count };
  }

  /** Episodes of many shapes and sizes, with the faults of some of them. */
  mixedEpisodes(): MixedEpisodes & { readonly folder: string } {
    const { folder, facts } = this.#made(`mixed-x${this.#scale}`, (into) =>
      writeMixedEpisodes(into, Math.ceil(mixedEpisodes * this.#scale)),
    );
    return { folder, ...facts };
  }

  /** A root with this number of episodes, as an agent fills it. */
  rootOfEpisodes(): { readonly root: string; readonly count: number } {
    const count = Math.max(fewestSmallEpisodes, Math.ceil(rootedEpisodes * this.#scale));
    const root = this.#folderOf(`root-${count}`, (into) =>
      writeSmallEpisodes(join(into, 'episodes'), count, eventsPerSmallEpisode),
    );
    return { root, count };
  }

  /** A home folder as after years of work with coding agents. */
  homeOfSessions(): HomeOfSessions & { readonly folder: string } {
    const { folder, facts } = this.#made(`sessions-x${this.#scale}`, (into) =>
      writeHomeOfSessions(into, Math.ceil(sessionsAtHome * this.#scale), bytesPerSession),
    );
    return { folder, ...facts };
  }

  /** Logs with a million faults each, and the number of faults. */
  damagedLogs(): { readonly garbage: string; readonly causeless: string; readonly faults: number } {
    const faults = Math.max(1, Math.round(1_000_000 * this.#scale));
    const folder = this.#folderOf(`damaged-${faults}`, (into) => {
      writeGarbage(join(into, 'garbage.jsonl'), faults);
      writeCauseless(join(into, 'causeless.jsonl'), faults);
    });
    return { garbage: join(folder, 'garbage.jsonl'), causeless: join(folder, 'causeless.jsonl'), faults };
  }

  /** A log with a line of a gigabyte, and a line that is nested 100,000 levels deep. */
  oversizedLog(): { readonly log: string; readonly bytes: number } {
    const bytes = Math.round(1e9 * this.#scale);
    const folder = this.#folderOf(`oversized-${bytes}`, (into) =>
      writeOversized(join(into, 'oversized.jsonl'), bytes, 100_000),
    );
    return { log: join(folder, 'oversized.jsonl'), bytes };
  }

  /** One episode with this number of events. */
  episodeOf(events: number): string {
    const folder = this.#folderOf(`events-${events}`, (into) => writeSmallEpisode(into, events));
    return join(folder, readdirSync(folder)[0] ?? '');
  }

  /** An episode that is still running, made again each time, because the rows write to it. */
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
