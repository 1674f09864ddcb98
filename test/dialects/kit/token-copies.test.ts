import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import type { SessionDocument } from '../../../src/dialects/sessions/kit/session.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempFile } from '../../support/temp.ts';

const recordsOf = (path: string): JsonObject[] =>
  readFileSync(join(SAMPLES, path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

const logOf = (records: readonly JsonObject[]): string =>
  tempFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''), 'session.jsonl');

interface VerifyOutput {
  readonly episodes: readonly {
    readonly findings: readonly { readonly code: string; readonly severity: string }[];
  }[];
}

async function codesOf(records: readonly JsonObject[]): Promise<string[]> {
  const { stdout } = await runHere(['verify', logOf(records), '-j']);
  const { episodes } = JSON.parse(stdout) as VerifyOutput;
  return episodes.flatMap(({ findings }) => findings).map(({ code, severity }) => `${severity} ${code}`);
}

async function tokensOf(records: readonly JsonObject[]): Promise<number> {
  const { stdout } = await runHere(['project', logOf(records), '-j']);
  return (JSON.parse(stdout) as SessionDocument).total_tokens ?? 0;
}

const objectAt = (record: JsonObject, path: readonly string[]): JsonObject | undefined =>
  path.reduce<JsonObject | undefined>((object, name) => object?.[name] as JsonObject | undefined, record);

/** The records, one of which has more of some tokens. */
function altered(
  records: readonly JsonObject[],
  at: number,
  path: readonly string[],
  name: string,
  more: number,
) {
  const copy = structuredClone(records) as JsonObject[];
  const counts = objectAt(copy[at] ?? {}, path);
  if (counts) counts[name] = Number(counts[name]) + more;
  return copy;
}

interface Place {
  readonly at: number;
  readonly path: readonly string[];
  readonly name: string;
}

/** All numbers of tokens that the records have in the members at a path. */
const placesIn = (
  records: readonly JsonObject[],
  path: readonly string[],
  names: readonly string[],
): Place[] =>
  records.flatMap((record, at) => {
    const counts = objectAt(record, path);
    return names.filter((name) => typeof counts?.[name] === 'number').map((name) => ({ at, path, name }));
  });

describe('a number of tokens that two records have', () => {
  const qwen = recordsOf('qwen/resumed-0.24.4.jsonl');
  const inRequest = placesIn(
    qwen,
    ['systemPayload', 'uiEvent'],
    ['input_token_count', 'cached_content_token_count', 'output_token_count', 'thoughts_token_count'],
  );
  const inAnswer = placesIn(
    qwen,
    ['usageMetadata'],
    ['promptTokenCount', 'cachedContentTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'],
  );
  const gemini = recordsOf('gemini/resumed-0.61.0.jsonl');
  const ids = gemini.map(({ id, tokens }) => (tokens === undefined ? undefined : id));
  const again = placesIn(gemini, ['tokens'], ['input', 'cached', 'output', 'thoughts']).filter(
    ({ at }) => ids.filter((id) => id !== undefined && id === ids[at]).length > 1,
  );

  test.each([
    ['the request of an answer in Qwen Code', qwen, inRequest],
    ['an answer in Qwen Code', qwen, inAnswer],
    ['an answer in Gemini CLI that is written again', gemini, again],
  ])('is compared: %s', async (_, records, places) => {
    expect(places.length).toBeGreaterThan(10);
    for (const { at, path, name } of places)
      expect(await codesOf(altered(records, at, path, name, 1000)), `${at + 1} ${name}`).toContain(
        'warn session/copy-differs',
      );
  });

  test('counts once, whichever of the two is altered', async () => {
    const total = await tokensOf(qwen);
    for (const { at, path, name } of inRequest)
      expect(await tokensOf(altered(qwen, at, path, name, 1000)), `${at + 1} ${name}`).toBe(total);
    for (const { at, path, name } of inAnswer) {
      const counted = await tokensOf(altered(qwen, at, path, name, 1000));
      expect(counted, `${at + 1} ${name}`).toBeLessThanOrEqual(total + 1000);
    }
  });
});
