import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { type DialectName, diffRuns, type RunDifference } from '../../src/library/index.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

const LOGS: readonly (readonly [dialect: DialectName, path: string])[] = [
  ['claude-code', 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl'],
  [
    'codex',
    'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl',
  ],
  [
    'codex',
    'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-41-01a20265-94b7-76a3-be39-f4c28319c6fc.jsonl',
  ],
  ['copilot', 'copilot/session-state/6450a846-75cb-4923-8463-392f5c935b8a/events.jsonl'],
  ['gemini', 'gemini/resumed-0.61.0.jsonl'],
  ['gemini', 'gemini/cancel-compress-rewind-0.61.0.jsonl'],
  ['gemini', 'gemini/document-failed-tools-0.21.3.json'],
  ['copilot', 'copilot/session-state/bf0ec435-cfef-42de-9f40-b66bedb9d877/events.jsonl'],
  ['atif', 'atif/images-v1.6.json'],
  ['atif', 'atif/unnamed-results-v1.5.json'],
  ['atif', 'atif/continued-v1.5.cont-1.json'],
  ['opencode', 'opencode/export/two-writers-1.18.33.json'],
  ['pi', 'pi/v3-compaction-0.87.1.jsonl'],
  ['qwen', 'qwen/cancelled-tool-0.24.4.jsonl'],
  ['noesis', 'noesis/replay/run_a/ep_01JGFJJZ00CTSPE3DKFP348M8P/events.jsonl'],
  ['exarchos', 'exarchos/demo-feature.events.jsonl'],
  ['coordinator', 'coordinator/nested-two-sessions.jsonl'],
];

/** Names of ids, times and durations, which do not count (docs/commands.md). */
const NOT_COUNTED =
  /^(?:id|.*(?:Id|ID|_id|Uuid|uuid)|caused_by|sequence|idempotency_?[kK]ey|timestamp|ts|.*_(?:at|time)|.*Time|.*(?:duration|Duration|latency|Latency).*)$/;

/** Inputs of calls, and the model of an answer. A change in them is always a difference. */
const ASKED =
  /^(?:message\.content\.\*\.(?:input|arguments)\.|message\.parts\.\*\.functionCall\.args\.|payload\.arguments$|data\.arguments\.|message\.model$|(?:steps\.\*\.tool_calls\.\*\.arguments|(?:messages\.\*\.)?toolCalls\.\*\.args|messages\.\*\.parts\.\*\.state\.input)\.)/;

/** The place of a value in a log. */
interface Leaf {
  readonly line: number;
  readonly path: readonly (string | number)[];
  readonly value: JsonValue;
}

function* leavesOf(value: JsonValue, line: number, path: readonly (string | number)[] = []): Generator<Leaf> {
  if (Array.isArray(value))
    for (const [at, item] of value.entries()) yield* leavesOf(item, line, [...path, at]);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) yield* leavesOf(item, line, [...path, key]);
  else yield { line, path, value };
}

const patternOf = ({ path }: Leaf): string =>
  path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');

/** Another value of the same kind. */
function altered(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (/^\s*\{/.test(value)) {
      try {
        const parsed = JSON.parse(value) as JsonObject;
        return JSON.stringify({ ...parsed, altered: 'altered' });
      } catch {}
    }
    return `${value} altered`;
  }
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : 'altered';
}

function put(value: JsonValue, [first, ...rest]: readonly (string | number)[], leaf: JsonValue): JsonValue {
  if (first === undefined) return leaf;
  if (Array.isArray(value)) return value.map((item, at) => (at === first ? put(item, rest, leaf) : item));
  const object = value as JsonObject;
  return { ...object, [first]: put(object[first] ?? null, rest, leaf) };
}

const nameOf = ({ path }: Leaf): string => `${path.findLast((part) => typeof part === 'string')}`;

/** Whether a comparison says that something differs, or names it as left out. */
const isSaid = ({ equal, stored }: RunDifference): boolean =>
  !equal || (stored !== undefined && stored.fields.length + stored.only.length > 0);

describe('diff shows each altered member, or names it as left out', () => {
  test.each(LOGS)('%s %s', async (dialect, path) => {
    const text = readFileSync(join(SAMPLES, path), 'utf8');
    // Some programs write one document.
    const isDocument = path.endsWith('.json');
    const records = (isDocument ? [text] : text.trimEnd().split('\n')).map(
      (record) => JSON.parse(record) as JsonObject,
    );
    const leaves = new Map<string, Leaf>();
    for (const [line, record] of records.entries())
      for (const leaf of leavesOf(record, line)) {
        const kind = `${record['type']} ${isObject(record['payload']) ? record['payload']['type'] : ''} ${patternOf(leaf)}`;
        if (!leaves.has(kind)) leaves.set(kind, leaf);
      }
    const original = tempFile(text, basename(path));
    const silent: string[] = [];
    const ignored: string[] = [];
    for (const [kind, leaf] of sampled([...leaves], 12)) {
      const { line, path: place, value } = leaf;
      const changed = records.map((record, at) =>
        at === line ? put(record, place, altered(value)) : record,
      );
      const other = tempFile(changed.map((record) => `${JSON.stringify(record)}\n`).join(''), basename(path));
      const difference = isDocument
        ? (JSON.parse((await runHere(['diff', original, other, '-j'])).stdout) as RunDifference)
        : await diffRuns(original, other, { dialect, limit: 0 });
      const isCounted = !NOT_COUNTED.test(nameOf(leaf));
      if (isCounted && !isSaid(difference)) silent.push(kind);
      if (isCounted && ASKED.test(patternOf(leaf)) && difference.equal) ignored.push(kind);
    }
    expect(ignored).toEqual([]);
    expect(silent).toEqual([]);
  });
});
