import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type JsonObject, spaced, stringify } from '../../test/support/simulator/canonical.ts';
import { EventLog, encodeCanonical } from '../../test/support/simulator/events.ts';
import { play } from '../../test/support/simulator/loop.ts';
import { createRun, type Run } from '../../test/support/simulator/run.ts';
import { type EpisodeShape, settleShape } from '../../test/support/simulator/shape.ts';
import { createText, type Text } from '../../test/support/simulator/text.ts';
import { type Extent, LineFile } from './lines.ts';

/** What an event is made into before it is written; the number counts from 1. */
export type Change = (event: JsonObject, number: number) => JsonObject;

/** The share of texts that hold characters beyond ASCII: most logs have some, few have many. */
const beyondAsciiShare = 0.05;

function mostlyAscii(run: Run): Text {
  const plain = createText(run.random, false);
  const rich = createText(run.random, true);
  return {
    words: (count) => (run.random.chance(beyondAsciiShare) ? rich : plain).words(count),
    prompt: () => plain.prompt(),
  };
}

/** Plays a run whose log goes to a file as it comes, or nowhere: the simulator's own log would hold gigabytes. */
function playTo(path: string | undefined, shape: EpisodeShape, change: Change) {
  const run = createRun(settleShape(shape));
  const file = new LineFile(path);
  // What the simulator's log keeps is an empty line per event, so that it knows the last event and the count.
  const log = new EventLog(run.id, run.random, run.clock, (event) => {
    const line = encodeCanonical(change(event, log.count + 1));
    if (line !== undefined) file.add(line);
    return line && '';
  });
  const streamed: Run = { ...run, text: mostlyAscii(run), log };
  play(streamed);
  return { run: streamed, extent: file.close() };
}

interface Manifest {
  readonly files: readonly { readonly name: string }[];
}

/** The manifest as the simulator made it, but with the log's real size and hash. */
function sealedManifest(bytes: Uint8Array, { bytes: size_bytes, sha256 }: Extent): string {
  const manifest = JSON.parse(Buffer.from(bytes).toString()) as Manifest;
  const files = manifest.files.map((file) =>
    file.name === 'events.jsonl' ? { ...file, size_bytes, sha256 } : { ...file },
  );
  return `${stringify({ ...manifest, files }, spaced)}\n`;
}

/** A written episode. */
export interface StreamedEpisode {
  readonly dir: string;
  readonly log: string;
  readonly bytes: number;
  readonly events: number;
  readonly acts: number;
  /** The acts and the roll-up act, which counts as none. */
  readonly actEvents: number;
  readonly stateBytes: number;
}

const asItIs: Change = (event) => event;

/** Writes an episode of that shape to `<folder>/<id>/`, its log through a buffer of some megabytes. */
export function writeStreamed(folder: string, shape: EpisodeShape, change = asItIs): StreamedEpisode {
  const { id } = createRun(settleShape(shape));
  const dir = join(folder, id);
  mkdirSync(dir, { recursive: true });
  const log = join(dir, 'events.jsonl');
  const { run, extent } = playTo(log, shape, change);
  for (const [name, content] of run.files) {
    if (name === 'events.jsonl') continue;
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), name === 'manifest.json' ? sealedManifest(content, extent) : content);
  }
  const stateBytes = statSync(join(dir, 'state.json')).size;
  const { acts } = run.counts;
  const actEvents = acts + (run.shape.synthetic ? 1 : 0);
  return { dir, log, bytes: extent.bytes, events: extent.lines, acts, actEvents, stateBytes };
}

/** The shape of which the log is about so long, of a family that grows with a number. */
export function shapeOfSize(bytes: number, shapeOf: (size: number) => EpisodeShape): EpisodeShape {
  const sample = 2000;
  const lengthOf = (size: number) => playTo(undefined, shapeOf(size), asItIs).extent.bytes;
  const base = lengthOf(0);
  const each = (lengthOf(sample) - base) / sample;
  return shapeOf(Math.max(0, Math.ceil((bytes - base) / each)));
}
