import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spaced, stringify } from '../../test/support/simulator/canonical.ts';
import { play } from '../../test/support/simulator/loop.ts';
import { createRun, type Run } from '../../test/support/simulator/run.ts';
import { settleShape } from '../../test/support/simulator/shape.ts';
import { createText, type Text } from '../../test/support/simulator/text.ts';
import { type Extent, streamedLog } from './streamed-log.ts';

/** An episode with one big log. */
export interface BigEpisode {
  readonly dir: string;
  readonly log: string;
  readonly bytes: number;
  readonly events: number;
  readonly acts: number;
  readonly stateBytes: number;
}

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

/** Every phase that the simulator knows; the acts are few, because each of them is mirrored in state.json. */
const shapeOf = (acts: number, extraEvents: number) =>
  settleShape({
    seed: 270,
    acts,
    plans: 3,
    governed: 'allow',
    direction: true,
    synthetic: true,
    failures: true,
    verification: 'passed',
    learnProposals: 2,
    extraEvents,
  });

function playTo(path: string | undefined, acts: number, extraEvents: number) {
  const run = createRun(shapeOf(acts, extraEvents));
  const { log, close } = streamedLog(run, path);
  const streamed: Run = { ...run, text: mostlyAscii(run), log };
  play(streamed);
  return { run: streamed, events: log.count, extent: close() };
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

/** Writes a sealed episode of the newest form into `<folder>/<id>/`, its log about `bytes` long. */
export function writeBigEpisode(folder: string, bytes: number): BigEpisode {
  const acts = Math.max(5, Math.min(300, Math.floor(bytes / 900_000)));
  const sample = 2000;
  const base = playTo(undefined, acts, 0).extent.bytes;
  const perEvent = (playTo(undefined, acts, sample).extent.bytes - base) / sample;
  const extraEvents = Math.max(0, Math.ceil((bytes - base) / perEvent));

  const dir = join(folder, createRun(shapeOf(acts, extraEvents)).id);
  mkdirSync(dir, { recursive: true });
  const log = join(dir, 'events.jsonl');
  const { run, events, extent } = playTo(log, acts, extraEvents);
  for (const [name, content] of run.files) {
    if (name === 'events.jsonl') continue;
    writeFileSync(join(dir, name), name === 'manifest.json' ? sealedManifest(content, extent) : content);
  }
  const stateBytes = statSync(join(dir, 'state.json')).size;
  return { dir, log, bytes: extent.bytes, events, acts, stateBytes };
}
