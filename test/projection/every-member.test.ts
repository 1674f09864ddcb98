import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/base/json/parse.ts';
import { formatPath, type JsonPath, valueAt } from '../../src/base/json/path.ts';
import { isNumber } from '../../src/base/json/stored-number.ts';
import { isObject, type JsonValue } from '../../src/base/json/value.ts';
import { writeJson } from '../../src/base/json/write.ts';
import type { DialectName } from '../../src/dialects/dialect.ts';
import { dialectNamed } from '../../src/dialects/registry.ts';
import { projectLog } from '../../src/findings/projection/project-log.ts';
import type { Comparison } from '../../src/findings/projection/projector.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { realEpisodes } from '../support/runtime-episodes.ts';
import { tempDir } from '../support/temp.ts';

/** A log with its stored state, which a program wrote. */
interface Sample {
  readonly dialect: DialectName;
  readonly log: string;
}

const NOESIS = 'test/samples/noesis';
const OTHER_NOESIS = [
  'newest/.noesis/episodes/ep_01K9PABRJV2BRWE853BWE9ZTY4',
  'real/.noesis/episodes/ep_01JGFWGB80MKZPM3NVKA359B0C',
  'real/.noesis/episodes/ep_01JGVETO00000000000000000',
  'real/.noesis/episodes/ep_adr008_veto',
  'replay/run_a/ep_01JGFJJZ00CTSPE3DKFP348M8P',
].map((path) => join(NOESIS, path, 'events.jsonl'));

/** Its state has NaN and cannot be read. */
const UNREADABLE = 'produced/nan-tag';

const noesisLogs = realEpisodes()
  .filter(({ name, dir }) => name !== UNREADABLE && existsSync(join(dir, 'state.json')))
  .map(({ log }) => log)
  .concat(OTHER_NOESIS);

/** One line for each dialect that stores a state. */
const SAMPLES: readonly Sample[] = [...noesisLogs.map((log) => ({ dialect: 'noesis', log }) as const)];

/** Places where a state may leave out empty values. */
const MAY_BE_ABSENT = ['outcomes.metrics'];

/** A change of one member of a document. */
interface Change {
  readonly path: JsonPath;
  readonly kind: 'removed' | 'altered';
  readonly document: JsonValue;
}

const REMOVED = Symbol('removed');

/** The document with another value at a path, or without it. */
function withChange(value: JsonValue, path: JsonPath, to: JsonValue | typeof REMOVED): JsonValue {
  const [key, ...rest] = path;
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      index === key ? (rest.length > 0 ? withChange(item, rest, to) : to) : item,
    );
    return items.filter((item) => item !== REMOVED) as JsonValue[];
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (name !== key) return [[name, item]];
      if (rest.length > 0) return [[name, withChange(item, rest, to)]];
      return to === REMOVED ? [] : [[name, to]];
    }),
  ) as JsonValue;
}

/** A value of the same kind that says something else. */
function altered(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\dT/.test(value) ? '2031-05-06T07:08:09Z' : `${value}x`;
  if (isNumber(value)) return Number(value) + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, 'x'];
  return isObject(value) ? { ...value, 'x-added': 'x' } : 'x';
}

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

/** Every change of one member, at every level. */
function* changesOf(
  document: JsonValue,
  value: JsonValue = document,
  path: JsonPath = [],
): Generator<Change> {
  if (path.length > 0) {
    yield { path, kind: 'removed', document: withChange(document, path, REMOVED) };
    yield { path, kind: 'altered', document: withChange(document, path, altered(value)) };
  }
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  for (const [key, member] of members) yield* changesOf(document, member, [...path, key]);
}

const covers = (whole: string, path: string): boolean =>
  path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);

/** Whether an answer reports a change: it has more differences than before, or does not compare this member. */
function names(path: string, before: Comparison, after: Comparison): boolean {
  const said = new Set(before.differences.map((difference) => writeJson(difference)));
  if (after.differences.some((difference) => !said.has(writeJson(difference)))) return true;
  return [...before.not_compared, ...after.not_compared].some(
    (part) => covers(part.path, path) || covers(path, part.path),
  );
}

const findingsOf = async (log: string) =>
  (await verifyEpisode(dirname(log))).findings.map(({ code, path, message }) => `${code} ${path} ${message}`);

/** Whether verification of a copy with this state says more than before. Costly: asked only where the answer is silent. */
async function isFound(log: string, state: string, document: JsonValue): Promise<boolean> {
  const copy = join(tempDir(), basename(dirname(log)));
  cpSync(dirname(log), copy, { recursive: true });
  const changed = join(copy, basename(log));
  const before = new Set(await findingsOf(changed));
  writeFileSync(join(copy, basename(state)), writeJson(document));
  const found = await findingsOf(changed);
  // The manifest vouches for the bytes; whether anybody reads them is another question.
  return found.some((finding) => !before.has(finding) && !/^(manifest|seal|checkpoint)\//.test(finding));
}

describe('a stored state whose member is removed or altered', () => {
  test.each(SAMPLES)(
    'is never silently called equal: $dialect $log',
    { timeout: 300_000 },
    async ({ dialect: name, log }) => {
      const dialect = dialectNamed(name);
      if (dialect === undefined) throw new Error(`no dialect ${name}`);
      const state = dialect.stateFile(log) ?? '';
      const projector = await dialect.projector({ log });
      await projectLog(log, projector, dialect);
      const compare = (document: JsonValue) => projector.compare?.(document) as Comparison;
      const stored = parseJson(readFileSync(state, 'utf8'));
      const before = compare(stored);
      const silent: string[] = [];
      for (const { path, kind, document } of changesOf(stored)) {
        const text = formatPath(path);
        if (kind === 'removed' && isEmpty(valueAt(stored, path)) && MAY_BE_ABSENT.includes(text)) continue;
        if (names(text, before, compare(document))) continue;
        if (!(await isFound(log, state, document))) silent.push(`${kind} ${text}`);
      }
      expect(silent).toEqual([]);
    },
  );
});
