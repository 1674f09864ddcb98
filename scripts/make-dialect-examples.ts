import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  coordinatorExample,
  damagedCoordinatorExample,
} from '../test/support/dialect-examples/coordinator.ts';
import { damagedExarchosExample, exarchosExample } from '../test/support/dialect-examples/exarchos.ts';
import { type ExampleFiles, jsonLines } from '../test/support/dialect-examples/files.ts';
import { damagedFishbowlExample, fishbowlExample } from '../test/support/dialect-examples/fishbowl.ts';

/** A log in an unknown format. */
const plain: ExampleFiles = new Map([
  [
    'steps.jsonl',
    jsonLines([
      { ts: '2026-03-06T08:00:00Z', type: 'step.begin', step: 1 },
      { ts: '2026-03-06T08:00:02Z', type: 'step.end', step: 1, ok: true },
    ]),
  ],
]);

const EXAMPLES: Readonly<Record<string, () => ExampleFiles>> = {
  exarchos: exarchosExample,
  fishbowl: fishbowlExample,
  'coordinator/.claude/bonfire/search-index': coordinatorExample,
  plain: () => plain,
  'damaged/exarchos': damagedExarchosExample,
  'damaged/fishbowl': damagedFishbowlExample,
  'damaged/coordinator/.claude/bonfire/search-index': damagedCoordinatorExample,
};

/** Empties a folder and writes the examples of the other dialects to it. The bytes are the same every time. */
export function makeDialectExamples(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, make] of Object.entries(EXAMPLES)) {
    for (const [file, content] of make()) {
      const path = join(folder, name, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  }
}
