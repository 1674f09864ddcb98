import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Digest, type Disk, MemoryDisk } from '../../test/support/simulator/disk.ts';
import { play } from '../../test/support/simulator/loop.ts';
import { createRandom } from '../../test/support/simulator/random.ts';
import { createRun, type Run } from '../../test/support/simulator/run.ts';
import { type EpisodeShape, settleShape } from '../../test/support/simulator/shape.ts';
import { createText, type Text } from '../../test/support/simulator/text.ts';
import { LineFile } from './lines.ts';

/** Changes a line of the log before it is written. Numbers count from 1. */
export type Change = (line: string, number: number) => string;

/** The share of texts with non-ASCII characters: most logs have some, few have many. */
const beyondAsciiShare = 0.05;

function mostlyAscii(run: Run): Text {
  const plain = createText(run.random, false);
  const rich = createText(run.random, true);
  return {
    words: (count) => (run.random.chance(beyondAsciiShare) ? rich : plain).words(count),
    prompt: () => plain.prompt(),
  };
}

/** A disk that writes the log to a file, or only counts it: in memory it would take gigabytes. */
class StreamedDisk implements Disk {
  readonly log: LineFile;
  readonly #change: Change;
  readonly #small = new MemoryDisk(createRandom(0));
  /** Files that are replaced often are made only on request. */
  readonly #waiting = new Map<string, () => Uint8Array>();

  constructor(path: string | undefined, change: Change) {
    this.log = new LineFile(path);
    this.#change = change;
  }

  get names(): readonly string[] {
    return ['events.jsonl', ...new Set([...this.#small.names, ...this.#waiting.keys()])];
  }

  append(name: string, text: string): void {
    if (name !== 'events.jsonl') this.#small.append(name, text);
    else this.log.add(this.#change(text.slice(0, -1), this.log.lines + 1));
  }

  replace(name: string, make: () => Uint8Array): void {
    this.#waiting.set(name, make);
  }

  digest(name: string): Digest | undefined {
    if (name === 'events.jsonl') {
      const { sha256, bytes } = this.log.extent();
      return { sha256, size_bytes: bytes };
    }
    this.#settle(name);
    return this.#small.digest(name);
  }

  files(): Map<string, Uint8Array> {
    for (const name of this.#waiting.keys()) this.#settle(name);
    return this.#small.files();
  }

  #settle(name: string): void {
    const make = this.#waiting.get(name);
    this.#waiting.delete(name);
    if (make) this.#small.replace(name, make);
  }
}

function playTo(path: string | undefined, shape: EpisodeShape, change: Change) {
  const disk = new StreamedDisk(path, change);
  const run = createRun(settleShape(shape), disk);
  const streamed: Run = { ...run, text: mostlyAscii(run) };
  play(streamed);
  return { run: streamed, disk, extent: disk.log.close() };
}

/** A written episode. */
export interface StreamedEpisode {
  readonly dir: string;
  readonly log: string;
  readonly bytes: number;
  readonly events: number;
  readonly acts: number;
  /** The acts without the roll-up act. */
  readonly actEvents: number;
  readonly stateBytes: number;
}

const asItIs: Change = (line) => line;

/** Writes an episode to `<folder>/<id>/`, its log through a buffer of some megabytes. */
export function writeStreamed(folder: string, shape: EpisodeShape, change = asItIs): StreamedEpisode {
  const { id } = createRun(settleShape(shape));
  const dir = join(folder, id);
  mkdirSync(dir, { recursive: true });
  const log = join(dir, 'events.jsonl');
  const { run, disk, extent } = playTo(log, shape, change);
  for (const [name, content] of disk.files()) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  const stateBytes = statSync(join(dir, 'state.json')).size;
  const { acts } = run.counts;
  const actEvents = acts + (run.shape.synthetic ? 1 : 0);
  return { dir, log, bytes: extent.bytes, events: extent.lines, acts, actEvents, stateBytes };
}

/** The shape whose log has about this size. `shapeOf` makes shapes that grow with a number. */
export function shapeOfSize(bytes: number, shapeOf: (size: number) => EpisodeShape): EpisodeShape {
  const sample = 2000;
  const lengthOf = (size: number) => playTo(undefined, shapeOf(size), asItIs).extent.bytes;
  const base = lengthOf(0);
  const each = (lengthOf(sample) - base) / sample;
  return shapeOf(Math.max(0, Math.ceil((bytes - base) / each)));
}
