import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempFile } from '../../support/temp.ts';

const textOf = (path: string): string => readFileSync(join(SAMPLES, path), 'utf8');

interface VerifyOutput {
  readonly episodes: readonly {
    readonly findings: readonly { readonly code: string; readonly severity: string }[];
  }[];
}

/** The warnings about facts that a log has twice. */
async function warningsOf(text: string): Promise<string[]> {
  const { stdout } = await runHere(['verify', tempFile(text, 'session.jsonl'), '-j']);
  const { episodes } = JSON.parse(stdout) as VerifyOutput;
  return episodes
    .flatMap(({ findings }) => findings)
    .filter(({ severity, code }) => severity === 'warn' && /^(?:session\/copy|usage\/)/.test(code))
    .map(({ code }) => code);
}

/** All objects in a value. */
const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  isObject(value)
    ? [value, ...Object.values(value).flatMap(objectsIn)]
    : Array.isArray(value)
      ? value.flatMap(objectsIn)
      : [];

/** The log once for each object that a change applies to, with that object changed. */
function edits(text: string, change: (object: JsonObject) => boolean): string[] {
  const lines = text.trimEnd().split('\n');
  return lines.flatMap((line, at) =>
    objectsIn(JSON.parse(line) as JsonObject).flatMap((_, nth) => {
      const record = JSON.parse(line) as JsonObject;
      const object = objectsIn(record)[nth];
      if (object === undefined || !change(object)) return [];
      return [`${lines.with(at, JSON.stringify(record)).join('\n')}\n`];
    }),
  );
}

/** Sets a member of objects that have another member. */
const setting =
  (has: string, member: string, to: (value: JsonValue | undefined) => JsonValue | undefined) =>
  (object: JsonObject): boolean => {
    const value = to(object[member]);
    if (object[has] === undefined || value === undefined) return false;
    object[member] = value;
    return true;
  };

const otherStatus = (value: JsonValue | undefined): JsonValue | undefined =>
  value === 'success' ? 'error' : value === 'error' ? 'success' : undefined;

const QWEN = textOf('qwen/resumed-0.24.4.jsonl');
const GEMINI = textOf('gemini/resumed-0.61.0.jsonl');
const PI = textOf('pi/v3-plain-resumed-0.87.1.jsonl');

describe('a fact that a log has twice is compared', () => {
  test.each<[string, string, string, (object: JsonObject) => boolean]>([
    [
      'the status of a call in Qwen Code',
      QWEN,
      'session/copy-differs',
      setting('callId', 'status', otherStatus),
    ],
    [
      'the input of a call in the telemetry of Qwen Code',
      QWEN,
      'session/copy-differs',
      setting('call_id', 'function_args', (args) => args && { command: 'rm -rf /' }),
    ],
    [
      'the tool of a call in the telemetry of Qwen Code',
      QWEN,
      'session/copy-differs',
      setting('call_id', 'function_name', (name) => name && 'another'),
    ],
    [
      'the status of a call in Gemini CLI',
      GEMINI,
      'session/copy-differs',
      setting('args', 'status', otherStatus),
    ],
    ['the cost of an answer in pi', PI, 'usage/total', setting('cacheRead', 'total', (cost) => cost && 99)],
  ])('%s', async (_, text, code, change) => {
    expect(await warningsOf(text)).toEqual([]);
    const edited = edits(text, change);
    expect(edited.length).toBeGreaterThan(0);
    for (const one of edited) expect(await warningsOf(one)).toContain(code);
  });

  test('but not the input of a call that the user changed', async () => {
    const change = setting('call_id', 'function_args', (args) => args && { command: 'ls' });
    const changed = edits(QWEN, (object) => {
      object['decision'] = 'modify';
      return change(object);
    });
    expect(changed.length).toBeGreaterThan(0);
    for (const one of changed) expect(await warningsOf(one)).toEqual([]);
  });
});
