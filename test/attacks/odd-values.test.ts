import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

/** Values that no document allows: an object without a text form, alone and in a list, and a name that every object has. */
const ODD: readonly JsonValue[] = [{ toString: 0 }, [{ toString: 0 }], null, 'constructor', -1.5];

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

type Path = readonly (string | number)[];

/** Every place of a value, containers before their contents; the first element of a list represents all. */
function* placesIn(value: JsonValue, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (!isContainer(value)) return;
  const entries = Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value);
  for (const [key, inner] of entries) yield* placesIn(inner as JsonValue, [...path, key]);
}

function replaced(value: JsonValue, [key, ...rest]: Path, by: JsonValue): JsonValue {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, JsonValue>;
  copy[key] = replaced(copy[key] ?? null, rest, by);
  return copy as JsonValue;
}

/** The key by which records are alike: one of each kind is changed. */
const kindOf = (record: JsonObject): string =>
  JSON.stringify(['phase', 'type', 'kind', 'event_type'].map((name) => record[name])) +
  JSON.stringify([...placesIn(record)].map((path) => path.join('.')));

/** The records of a log, and after them each kind of record with each of its values made odd, one at a time. */
function oddLog(text: string): string {
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, 60)
    .map((line) => JSON.parse(line) as JsonObject);
  const kinds = new Map(records.map((record) => [kindOf(record), record]));
  const changed = [...kinds.values()].flatMap((record) =>
    [...placesIn(record)].flatMap((path) => ODD.map((by) => replaced(record, path, by))),
  );
  return [...records, ...changed].map((record) => `${JSON.stringify(record)}\n`).join('');
}

const LOGS: Readonly<Record<string, string>> = {
  noesis: join(EXAMPLES, '.noesis/episodes/ep_01KJPWD6M0GKJVH2GKEFTDNN55/events.jsonl'),
  exarchos: join(EXAMPLES, 'other-dialects/exarchos/checkout.events.jsonl'),
  fishbowl: join(EXAMPLES, 'other-dialects/fishbowl/ledger.jsonl'),
  coordinator: join(EXAMPLES, 'other-dialects/coordinator/.claude/bonfire/search-index/event-log.jsonl'),
  'claude-code': join(
    SAMPLES,
    'claude-code/projects/-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl',
  ),
  codex: join(
    SAMPLES,
    'codex/sessions/2026/11/22/rollout-2026-11-22T08-37-29-01a20267-3b5a-7330-8e90-645a845357cd.jsonl',
  ),
  copilot: join(SAMPLES, 'copilot/session-state/4e847a81-138a-4613-9f96-49673e91c9c3/events.jsonl'),
  gemini: join(SAMPLES, 'gemini/cancel-compress-rewind-0.61.0.jsonl'),
  pi: join(SAMPLES, 'pi/v3-compaction-0.87.1.jsonl'),
  generic: join(SAMPLES, 'chains/hermes/intact/hermes.jsonl'),
  qwen: join(SAMPLES, 'qwen/interrupts-compress-0.24.4.jsonl'),
};

/** The internal errors of a command: the message of exit code 70, or findings of `verify/internal`. */
async function faultsOf(args: readonly string[], cwd: string): Promise<string[]> {
  const { code, stdout, stderr } = await runHere(args, { cwd });
  return [
    ...(code === 70 ? [stderr] : []),
    ...[...stdout.matchAll(/"verify\/internal",\s*"message": (".*")/g)].map(([, message]) => message ?? ''),
  ];
}

const COMMANDS: readonly (readonly string[])[] = [
  ['verify', '-j'],
  ['list'],
  ['read', '--all'],
  ['doctor'],
  ['doctor', '--fix', '-o', 'repaired'],
  ['events'],
  ['events', '-j'],
  ['events', '--tree'],
  ['show'],
  ['show', '5'],
  ['timeline'],
  ['stats'],
  ['project'],
  ['tail', '-n', '5'],
  ['diff', 'other.jsonl'],
  ['view', '-o', 'page.html'],
  ['export', '--format', 'ndjson', '-o', 'tables', '--force'],
  ['export', '--format', 'otlp', '-o', 'trace.json'],
  ['redact', '-o', 'redacted'],
];

describe('odd values in a log', () => {
  const cases = Object.entries(LOGS).flatMap(([dialect, from]) => {
    const cwd = tempDir();
    const text = readFileSync(from, 'utf8');
    writeFileSync(join(cwd, 'odd.jsonl'), oddLog(text));
    writeFileSync(join(cwd, 'other.jsonl'), text);
    return COMMANDS.map((args) => [dialect, args.join(' '), cwd, args] as const);
  });

  test.each(sampled(cases, 5))('of %s do not make noesis %s fail', async (dialect, _, cwd, args) => {
    const [command = '', ...rest] = args;
    const all = [command, 'odd.jsonl', ...rest, '--dialect', dialect];
    expect(await faultsOf(all, cwd)).toEqual([]);
  });
});

describe('odd values in the documents of an episode', () => {
  const from = join(EXAMPLES, '.noesis/episodes/ep_01KJPWD6M0GKJVH2GKEFTDNN55');

  test.each(['state.json', 'summary.json', 'final.json', 'manifest.json'])('%s', async (name) => {
    const root = tempDir();
    const document = JSON.parse(readFileSync(join(from, name), 'utf8')) as JsonValue;
    const episodes = [...placesIn(document)].flatMap((path) =>
      [{ toString: 0 }, [{ toString: 0 }]].map((by) => replaced(document, path, by)),
    );
    for (const [index, episode] of sampled(episodes, 6).entries()) {
      const dir = join(root, `ep_${index}`);
      mkdirSync(dir);
      cpSync(from, dir, { recursive: true });
      writeFileSync(join(dir, name), JSON.stringify(episode));
    }
    for (const args of [
      ['verify', root, '-j', '--jobs', '1'],
      ['list', '--root', root],
      ['stats', root],
    ]) {
      expect(await faultsOf(args, root)).toEqual([]);
    }
  });
});
