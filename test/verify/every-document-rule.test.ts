import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { formatPath } from '../../src/base/json/path.ts';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { stateSchema as coordinatorState } from '../../src/dialects/coordinator/schema/state.ts';
import { stateSchema as exarchosState } from '../../src/dialects/exarchos/schema/artifacts.ts';
import { checkpointSchema } from '../../src/dialects/noesis/checkpoint/schema.ts';
import { learnSchema, promptSchema, summarySchema } from '../../src/dialects/noesis/files/schemas.ts';
import { finalSchema } from '../../src/dialects/noesis/seal/final-schema.ts';
import { manifestSchema } from '../../src/dialects/noesis/seal/manifest-schema.ts';
import { stateSchema } from '../../src/dialects/noesis/state/schema.ts';
import { type Finding, verifyEpisode } from '../../src/library/index.ts';
import { breakagesOf, isAbout, merged, sampleOf } from '../support/breakages.ts';
import { episodeIn, GOOD, PAUSED } from '../support/episodes.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/other-dialects');

/** A document with its schema, and the codes that report where it does not fit. */
interface Case {
  readonly schema: z.ZodType;
  /** Makes an episode, and returns the target. */
  readonly make: () => string;
  /** Below it; of a file of lines the first record is meant. */
  readonly file: string;
  readonly codes: readonly string[];
}

const good = () => episodeIn(tempDir(), GOOD).dir;

function paused(): string {
  const { dir, events } = episodeIn(tempDir(), PAUSED);
  const path = events.flatMap(({ payload }) => payload['checkpoint_path'] ?? [])[0];
  mkdirSync(join(dir, 'checkpoints/one'), { recursive: true });
  cpSync(join(dir, String(path)), join(dir, 'checkpoints/one/checkpoint.json'));
  return dir;
}

function copyOf(folder: string): string {
  const dir = tempDir();
  cpSync(join(EXAMPLES, folder), dir, { recursive: true });
  return dir;
}

const CASES: Readonly<Record<string, Case>> = {
  'state.json': {
    schema: stateSchema,
    make: good,
    file: 'state.json',
    codes: ['state/schema', 'state/vocabulary', 'state/links'],
  },
  'summary.json': { schema: summarySchema, make: good, file: 'summary.json', codes: ['artifact/schema'] },
  'final.json': { schema: finalSchema, make: good, file: 'final.json', codes: ['artifact/schema'] },
  'manifest.json': {
    schema: manifestSchema,
    make: good,
    file: 'manifest.json',
    codes: ['manifest/invalid', 'manifest/empty'],
  },
  'learn.jsonl': { schema: learnSchema, make: good, file: 'learn.jsonl', codes: ['artifact/schema'] },
  'prompts.jsonl': { schema: promptSchema, make: good, file: 'prompts.jsonl', codes: ['artifact/schema'] },
  'checkpoint.json': {
    schema: checkpointSchema,
    make: paused,
    file: 'checkpoints/one/checkpoint.json',
    codes: ['artifact/schema'],
  },
  'the state of a workflow': {
    schema: exarchosState,
    make: () => copyOf('exarchos'),
    file: 'checkout.state.json',
    codes: ['state/schema', 'state/vocabulary'],
  },
  'the state of a coordinator': {
    schema: coordinatorState,
    make: () => join(copyOf('coordinator'), '.claude/bonfire/search-index'),
    file: 'state.json',
    codes: ['state/schema'],
  },
};

const first = (path: string): JsonValue => {
  const text = readFileSync(path, 'utf8');
  return JSON.parse(path.endsWith('.jsonl') ? (text.split('\n')[0] ?? '') : text) as JsonValue;
};

const asObject = (value: JsonValue): JsonObject => (isObject(value) ? value : {});

/** The document of an episode with every member that its schema names. */
function wholeDocument(schema: z.ZodType, path: string): JsonObject {
  // An episode need not have learned anything, nor recorded prompts.
  const isThere = existsSync(path) && statSync(path).size > 0;
  const whole = merged(asObject(sampleOf(schema)), isThere ? asObject(first(path)) : {});
  return schema.safeParse(whole).success ? whole : asObject(sampleOf(schema));
}

describe('breaking any rule of a document gives a finding', () => {
  test.each(Object.entries(CASES))(
    '%s',
    async (_, { schema, make, file, codes }) => {
      const dir = make();
      const path = join(dir, file);
      const whole = wholeDocument(schema, path);
      const told = async (document: JsonObject): Promise<readonly Finding[]> => {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, `${JSON.stringify(document)}\n`);
        const { findings } = await verifyEpisode(dir, { maxFindings: 0 });
        return findings.filter((one) => codes.includes(one.code) && one.file?.endsWith(file));
      };
      const before = new Set((await told(whole)).map(({ message }) => message));
      const breakages = breakagesOf(schema, whole);
      const silent: string[] = [];
      for (const { path: at, value, broken } of sampled(breakages, 20)) {
        const place = formatPath(at);
        const said = await told(broken);
        if (said.some((one) => isAbout(one, place) && !before.has(one.message))) continue;
        silent.push(`${place} = ${JSON.stringify(value)?.slice(0, 40)}`);
      }
      rmSync(dir, { recursive: true });
      expect(silent).toEqual([]);
      expect(breakages.length).toBeGreaterThan(5);
    },
    300_000,
  );
});
