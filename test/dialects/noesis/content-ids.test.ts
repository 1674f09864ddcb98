import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../../src/base/json/parse.ts';
import { StoredNumber } from '../../../src/base/json/stored-number.ts';
import { isObject, type JsonObject } from '../../../src/base/json/value.ts';
import { sixDecimals } from '../../../src/dialects/noesis/event/python-json.ts';
import {
  candidateId as candidateIdIn,
  candidateNamespace,
  candidateStateHash,
  contentHash,
  DECISION as DECISIONS,
  DIRECTIVE as DIRECTIVES,
  ulidOf,
} from '../../../src/dialects/noesis/governance/ids.ts';
import { realEpisodes } from '../../support/runtime-episodes.ts';

const governanceId = (payload: JsonObject) => contentHash(payload, DECISIONS).id;
const directiveId = (payload: JsonObject) => contentHash(payload, DIRECTIVES).id;

const candidateId = (payload: JsonObject, episodeId: string) =>
  candidateIdIn(payload, candidateNamespace(episodeId));

function exact(text: string): JsonObject {
  const value = parseExactJson(text);
  if (!isObject(value)) throw new Error('no object');
  return value;
}

function exactMember(event: JsonObject): JsonObject {
  const payload = event['payload'];
  if (!isObject(payload)) throw new Error('no payload');
  return payload;
}

const DECISION = `{"governance_id":"gov-","decision":"veto","details":{"goal":"Delete the caf\\u00e9","n":3,"share":0.25},
  "message":"naïve – blocked","policy_id":"policy:demo","policy_kind":"rules","policy_version":"1.0.0",
  "rule_id":"rules.veto.default","score":0.9,"enforced":true}`;

const DIRECTIVE = `{"applied":true,"diff":[{"after":"b","before":"a","key":"plan.steps[0].description"}],
  "policy_id":"planner.meta","policy_kind":"rules","policy_version":"1.0.0","reason":"heuristic-adjustment",
  "status":"applied","steps":["meta:start"]}`;

const CANDIDATE = `{"kind":"adapter","payload":{"adapter_label":"adapter:core.minimal","goal":"Rotate the café keys"},
  "redaction":{"field_rules":{},"mode":"hash_only","policy_id":"redact.default","policy_version":"1.0.0"},
  "schema_version":"action_candidate/1.0.0","state_hash":"sha256:${'0'.repeat(64)}","state_ref":"state.json"}`;

const EPISODE = 'ep_01KJPWD6M0GKJVH2GKEFTDNN55';

const START = '{"seed":7,"task":"Rotate the café keys","using":"core.minimal"}';
const PLAN =
  '{"step_records":[{"description":"rotate","id":"step-1","kind":"act","status":"pending"}],"steps":[]}';

const stateHash = (start: string, plan = PLAN, label = 'adapter:core.minimal') =>
  candidateStateHash({
    episodeId: EPISODE,
    start: exact(start),
    plan: exact(plan),
    label,
  });

describe('what the runtime wrote', () => {
  const lines = realEpisodes().flatMap(({ log }) => readFileSync(log, 'utf8').split('\n'));
  const payloads = lines.flatMap((line) => {
    const ofInterest = /"phase":"(?:governance|direction|action_candidate)"/.test(line);
    if (!ofInterest) return [];
    const event = exact(line);
    return [{ phase: event['phase'], episode: event['episode_id'], payload: exactMember(event) }];
  });

  test.each([
    ['governance', 'governance_id', governanceId, 41],
    ['direction', 'directive_id', directiveId, 9],
    ['action_candidate', 'action_candidate_id', candidateId, 42],
  ] as const)('has the ids of its %s events', (wanted, key, idOf, count) => {
    const found = payloads.filter(({ phase }) => phase === wanted);
    expect(found.length).toBeGreaterThanOrEqual(count);
    for (const { payload, episode } of found) expect(idOf(payload, String(episode))).toBe(payload[key]);
  });
});

describe('ids that are hashes of their content', () => {
  test('are those that the runtime makes', () => {
    expect(governanceId(exact(DECISION))).toBe('gov-59dce51062ffcbc3ec243f81');
    expect(directiveId(exact(DIRECTIVE))).toBe('dir-1439f8a255180698a21f9a5f');
    expect(candidateId(exact(CANDIDATE), EPISODE)).toBe('a227ba33-c240-519c-a8e7-9774862b0b0a');
    expect(stateHash(START)).toBe('sha256:8754ccb967381ca98b9967c22ed6f1572d8a012bc43e9b37a7cd03e4805325c3');
  });

  test('do not depend on the order of keys, white space, escapes, or what the emitter adds', () => {
    const added = CANDIDATE.replace('{', '{"action_candidate_id":"a","caused_by":"b","x-c":1e5, ');
    expect(candidateId(exact(added), EPISODE)).toBe('a227ba33-c240-519c-a8e7-9774862b0b0a');
    expect(governanceId(exact(DECISION.replace('naïve', 'na\\u00EFve')))).toBe(
      'gov-59dce51062ffcbc3ec243f81',
    );
  });

  test.each([
    ['"n":3', '"n":3.0'],
    ['"n":3', '"n":4'],
    ['"score":0.9', '"score":0.91'],
    ['"share":0.25', '"share":0.250001'],
    ['"decision":"veto"', '"decision":"allow"'],
    ['"message":"naïve – blocked",', ''],
  ])('change with their content: %s to %s', (from, to) => {
    const edited = governanceId(exact(DECISION.replace(from, to)));
    expect(edited).toMatch(/^gov-[0-9a-f]{24}$/);
    expect(edited).not.toBe('gov-59dce51062ffcbc3ec243f81');
  });

  test('accept numbers in any form if six decimals are hashed', () => {
    expect(governanceId(exact(DECISION.replace('0.25', '25e-2').replace('0.9', '9.0E-1')))).toBe(
      'gov-59dce51062ffcbc3ec243f81',
    );
    const empty = DECISION.replace(/\{"goal[^}]*\}/, '{}');
    expect(governanceId(exact(empty))).toBe(governanceId(exact(empty.replace('"details":{},', ''))));
  });

  test.each(['1e5', '1.50', '-0', '1E400', '1e-7', '9'.repeat(5000)])(
    'are not certain where Python prints a number otherwise: %s',
    (number) => {
      const changed = CANDIDATE.replace('"goal":', `"n":${number},"goal":`);
      expect(candidateId(exact(changed), EPISODE)).toBeUndefined();
    },
  );

  test.each(['1e-07', '1.5e+16', '0.30000000000000004', '-0.0', '12345678901234567890', '0.0001', '1e+100'])(
    'are certain where Python prints a number so: %s',
    (number) => {
      const changed = CANDIDATE.replace('"goal":', `"n":${number},"goal":`);
      expect(candidateId(exact(changed), EPISODE)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    },
  );

  test('sort keys by code point, as Python does', () => {
    const keys = exact('{"kind":"adapter","\u{1f600}":1,"\ufb01":2,"payload":{}}');
    expect(candidateId(keys, EPISODE)).toBe('ffd9ee1c-bd61-56b6-ba44-5a2825fd241d');
  });

  test.each(['1e400', '"\\ud800"'])(
    'of a decision and a directive are undefined if they contain %s',
    (value) => {
      expect(governanceId(exact(`{"policy_id":"p","score":${value}}`))).toBeUndefined();
      expect(governanceId(exact(`{"policy_id":"p","details":{"n":${value}}}`))).toBeUndefined();
      expect(directiveId(exact(`{"policy_id":"p","diff":[{"after":${value}}]}`))).toBeUndefined();
    },
  );

  test('need an episode with a ULID, and records of a plan', () => {
    expect(ulidOf(`${EPISODE}_s7`)).toBe('01KJPWD6M0GKJVH2GKEFTDNN55');
    for (const id of ['ep_20251104_155501_805857_c5f4_s0', 'demo', 'ep_01JGVETO00000000000000000O'])
      expect(candidateId(exact(CANDIDATE), id)).toBeUndefined();
    expect(stateHash(START, '{"steps":["act:rotate"]}')).toBeUndefined();
    expect(stateHash('{"seed":1e3,"task":"t"}')).toBeUndefined();
  });
});

test.each([
  ['0.95', '0.950000'],
  ['1', '1.000000'],
  ['1e-07', '0.000000'],
  ['-1e-07', '-0.000000'],
  ['-0.0', '-0.000000'],
  // In the middle: Python rounds to the even digit.
  ['0.0078125', '0.007812'],
  ['-0.0078125', '-0.007812'],
  ['0.0234375', '0.023438'],
  ['1e+22', '10000000000000000000000.000000'],
])('six decimals of %s are %s', (text, decimals) => {
  expect(sixDecimals(new StoredNumber(text))).toBe(decimals);
});

test('an infinity has no decimals', () => {
  expect(sixDecimals(new StoredNumber('1e999'))).toBeUndefined();
});
