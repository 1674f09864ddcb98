import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { fishbowl } from '../../../src/dialects/fishbowl/index.ts';
import { FishbowlProjector } from '../../../src/dialects/fishbowl/projection.ts';
import { CORE_KINDS } from '../../../src/dialects/fishbowl/schema/payloads.ts';
import { verifyFishbowl } from '../../../src/dialects/fishbowl/verify.ts';
import { brief, verifyEvents } from '../verify-events.ts';
import { ledger, project, RUN, say, started, verdict, won } from './ledgers.ts';

// The statements of the documents about a ledger of runs.

const findings = async (events: readonly JsonObject[]) =>
  brief(await verifyEvents(verifyFishbowl, ledger(events)));

/** The findings of a run in which one event is as given. */
const ofEvent = (change: JsonObject) => findings([started('r'), say(change), verdict('r'), won('r')]);
const ofVerdict = (payload: JsonObject) => findings([started('r'), verdict('r', payload)]);
const end = (payload: JsonObject): JsonObject => ({
  kind: 'run.finished',
  actor: 'conductor',
  payload: { reason: 'verdict', ...payload },
});
const worse = (found: readonly string[]) => found.filter((text) => !text.startsWith('info'));

describe('the envelope', () => {
  const members = ['id', 'run_id', 'turn', 'kind', 'actor', 'payload', 'created_at', 'schema_version'];

  test('RL-001: has eight members; a missing one is reported, and any other one refused', async () => {
    const events = ledger(RUN);
    expect(Object.keys(events[1] ?? {}).sort()).toEqual([...members].sort());
    expect(brief(await verifyEvents(verifyFishbowl, events))).toEqual([]);
    for (const name of members) {
      const { [name]: _, ...rest } = events[1] ?? {};
      const found = brief(await verifyEvents(verifyFishbowl, events.with(1, rest)));
      expect(
        found.filter((text) => text.includes('event/missing-field 2')),
        name,
      ).toHaveLength(1);
    }
    expect(await ofEvent({ mood: 'calm' })).toEqual(['error event/unknown-key 2']);
  });

  test('RL-002: an id counts once, whatever repeats it', async () => {
    const [first, second, ...rest] = ledger(RUN) as [JsonObject, JsonObject, ...JsonObject[]];
    const again = [first, second, second, ...rest];
    expect(brief(await verifyEvents(verifyFishbowl, again))).toEqual(['info event/duplicate-id 3']);
    expect(project(again).value).toEqual(project([first, second, ...rest]).value);
    const other = { ...second, payload: { text: 'changed' } };
    expect(brief(await verifyEvents(verifyFishbowl, [first, second, other, ...rest]))).toEqual([
      'error event/duplicate-id 3',
    ]);
  });

  test('RL-003: a run has all its events and no others', async () => {
    const events = ledger([started('a'), started('b'), say({ run_id: 'a' }), say({ run_id: 'b' })]);
    const filter = fishbowl.filters?.find(({ name }) => name === 'run');
    expect(filter).toBeDefined();
    const target = { name: 'l', dir: undefined };
    const report = await verifyEvents(
      (given, options) => verifyFishbowl({ ...given, ...target, run: 'a' }, options),
      events,
    );
    expect(report.events).toBe(2);
    expect(project(events, { runId: 'a' }).value['runs']).toMatchObject([{ run_id: 'a' }]);
  });

  test('RL-004: the turn is a separate counter, and never decreases in a run', async () => {
    expect(await findings([started('r'), say({ turn: 1 }), say({ turn: 9 }), say({ turn: 9 })])).toEqual([
      'info order/terminate-missing 1',
    ]);
    expect(await findings([started('r'), say({ turn: 2 }), say({ turn: 1 })])).toContain(
      'warn sequence/backwards 3',
    );
    // The clock may go back during a turn.
    expect(worse(await ofEvent({ created_at: '2026-05-01T00:00:00Z' }))).toEqual([]);
  });

  test.each(['ann', 'duel', 'visitor', 'system', 'conductor'])(
    'RL-005: an agent, the scenario, a visitor or the system may act: %s',
    async (actor) => expect(await ofEvent({ actor })).toEqual([]),
  );

  test('RL-005: an unknown actor is a warning, and a payload is any JSON data', async () => {
    expect(await ofEvent({ actor: 'mallory' })).toEqual(['warn consistency/actor 2']);
    expect(await ofEvent({ kind: 'clue.found', payload: { where: { x: [1, null, 'y'] } } })).toEqual([]);
    expect(await ofEvent({ payload: 'text' })).toEqual(['error event/wrong-type 2']);
  });

  test('RL-006: a time is in UTC', async () => {
    expect(await ofEvent({ created_at: '2026-06-01T00:00:01.5Z' })).toEqual([]);
    expect(await ofEvent({ created_at: '2026-06-01T02:00:01+02:00' })).toEqual(['info event/timestamp 2']);
    expect(await ofEvent({ created_at: 'soon' })).toEqual(['error event/timestamp 2']);
  });

  test('RL-007: the version is 1, with the keys of verdicts and runs as well', async () => {
    expect(await findings(RUN)).toEqual([]);
    expect(await ofEvent({ schema_version: 2 })).toEqual(['warn event/schema-version 2']);
  });
});

describe('kinds', () => {
  const refused = 'error event/type-format 2';

  test.each(['agent.spoke', 'clue.found', 'episode.published', 'a.b.c'])(
    'RL-008, RL-010, RL-028: %s is accepted, known or not, under the same version',
    async (kind) => expect(await ofEvent({ kind })).toEqual([]),
  );

  test.each(['spoke', 'Agent.spoke', 'agent-x.spoke', 'agent_x.spoke', 'a..b', 'a.1b', 'agent.spoke\n'])(
    'RL-009: %j is refused',
    async (kind) => expect(await ofEvent({ kind })).toEqual([refused]),
  );

  test('RL-011: any actor may emit any kind', async () => {
    expect(await ofEvent({ kind: 'agent.thought', actor: 'visitor' })).toEqual([]);
    expect(await findings([started('r'), { ...verdict('r'), actor: 'bob' }, won('r')])).toEqual([]);
  });

  test('RL-012: eight kinds are the core, but other kinds are allowed', async () => {
    expect([...CORE_KINDS].sort()).toEqual(
      [
        'run.started',
        'run.finished',
        'world.observed',
        'agent.thought',
        'agent.spoke',
        'agent.reflected',
        'judge.verdict',
        'user.injected',
      ].sort(),
    );
    const types = (await fishbowl.eventTypes?.()) ?? [];
    expect(types.filter(({ group }) => group === 'core').map(({ type }) => type)).toEqual([...CORE_KINDS]);
    expect(await ofEvent({ kind: 'weather.changed', payload: {} })).toEqual([]);
  });

  test('RL-013: any other kind with a text is shown', () => {
    const shown = (kind: string) =>
      project(ledger([started('r'), { kind, actor: 'bob', payload: { text: 'hear ye' } }])).value['stage'];
    for (const kind of ['oracle.spoke', 'crier.announced']) {
      expect(shown(kind)).toMatchObject({ r: { agent_notes: [`bob [${kind}]: hear ye`] } });
    }
  });
});

describe('judge.verdict', () => {
  const quiet = ['info order/terminate-missing 1'];

  test('RL-014, RL-021: the keys of a competition may all be absent', async () => {
    const bare = { ...verdict('r'), payload: { text: 'done' } };
    expect(await findings([started('r'), bare])).toEqual(quiet);
    expect(await findings([started('r'), bare, end({})])).toEqual([]);
  });

  test('RL-015: the spoken text comes with extras such as a mood', async () => {
    expect(await ofVerdict({ mood: 'grave', thought: 'hm' })).toEqual(quiet);
    expect(await findings([started('r'), { ...verdict('r'), payload: { winner: 'ann' } }])).toContain(
      'warn event/payload 2',
    );
  });

  test('RL-016: the winner is an agent, a team label or null', async () => {
    for (const winner of ['ann', 'red', null]) expect(await ofVerdict({ winner })).toEqual(quiet);
    expect(worse(await ofVerdict({ winner: 'eve' }))).toEqual(['warn consistency/winner 2']);
    expect(worse(await ofVerdict({ winner: 7 }))).toEqual(['warn event/field-type 2']);
  });

  test("RL-017: the judge's own pick is kept with the winner, and whether it was right", async () => {
    expect(worse(await ofVerdict({ winner: 'red', accused: 'bob', correct: false }))).toEqual([]);
    expect(worse(await ofVerdict({ accused: 3 }))).toEqual(['warn event/field-type 2']);
    expect(worse(await ofVerdict({ correct: 'yes' }))).toEqual(['warn event/field-type 2']);
  });

  test('RL-018: scores are numbers from 0 to 10 for members of the cast', async () => {
    expect(await ofVerdict({ scores: { ann: 10, bob: 0 } })).toEqual(quiet);
    expect(worse(await ofVerdict({ scores: { ann: 11 } }))).toEqual(['warn event/range 2']);
    expect(worse(await ofVerdict({ scores: { ann: -0.5 } }))).toEqual(['warn event/range 2']);
    expect(worse(await ofVerdict({ scores: { ann: 'high' } }))).toEqual(['warn event/field-type 2']);
    expect(worse(await ofVerdict({ scores: { eve: 3 } }))).toEqual(['warn event/vocabulary 2']);
  });

  test('RL-019: no_contest is only ever true, and then nobody has won', async () => {
    const none = (payload: JsonObject) =>
      findings([started('r'), { ...verdict('r'), payload: { text: 'nobody', ...payload } }]);
    expect(await none({ no_contest: true })).toEqual(quiet);
    expect(worse(await none({ no_contest: false }))).toEqual(['warn event/field-type 2']);
    expect(worse(await none({ no_contest: true, winner: 'ann' }))).toEqual(['warn consistency/winner 2']);
  });

  test('RL-020: the use of tokens is one total for the run', () => {
    const events = ledger([started('r'), verdict('r'), end({ winner: 'ann', tokens: 1840 })]);
    expect(project(events).value['runs']).toMatchObject([{ tokens: 1840 }]);
  });
});

describe('run.finished', () => {
  const ended = (payload: JsonObject, winner: string | null = 'ann') =>
    findings([started('r'), verdict('r', { winner }), end({ winner, ...payload })]);
  const wrong = 'warn consistency/attribution 3';

  test('RL-022: the winner is a text or null', async () => {
    expect(await ended({ winner_kind: 'agent' })).toEqual([]);
    expect(await ended({ winner_kind: null }, null)).toEqual([]);
    expect(await ended({ winner: 7 })).toContain('warn event/field-type 3');
  });

  test('RL-023: a name in the cast is an agent, before it is a team', async () => {
    const both = {
      ...started('r'),
      payload: {
        seed: 's',
        cast: { red: {}, judge: {} },
        competition: { kind: 'versus', teams: { red: ['red'] } },
      },
    };
    const finish = (kind: string) =>
      findings([both, verdict('r', { winner: 'red' }), end({ winner: 'red', winner_kind: kind })]);
    expect(await finish('agent')).toEqual([]);
    expect(await finish('team')).toEqual([wrong]);
    expect(await ended({ winner_kind: 'team' }, 'red')).toEqual([]);
    expect(await ended({ winner_kind: 'agent' }, 'red')).toEqual([wrong]);
    expect(await ended({ winner_kind: 'bot' })).toContain('warn event/field-type 3');
  });

  test('RL-024: the winning model is the endpoint of one agent, null for a team', async () => {
    expect(await ended({ winning_model: 'm1' })).toEqual([]);
    expect(await ended({ winning_model: 'm2' })).toEqual([wrong]);
    expect(await ended({ winning_model: null }, 'red')).toEqual([]);
    expect(await ended({ winning_model: 'm1' }, 'red')).toEqual([wrong]);
  });

  test('RL-024, RL-025: a seat without an endpoint gets no credit, or that of the model it resolved to', async () => {
    expect(await ended({ winning_model: null, winning_models: [] }, 'bob')).toEqual([]);
    expect(await ended({ winning_model: 'm2', winning_models: ['m2'] }, 'bob')).toEqual([]);
    // One key by each rule is neither.
    expect(await ended({ winning_model: null, winning_models: ['m2'] }, 'bob')).toEqual([wrong]);
  });

  test('RL-025: the winning models are those of the agent, or of the team without those that have none', async () => {
    expect(await ended({ winning_models: ['m1'] })).toEqual([]);
    expect(await ended({ winning_models: ['m1'] }, 'red')).toEqual([]);
    expect(await ended({ winning_models: [] }, 'blue')).toEqual([]);
    expect(await ended({ winning_models: ['m1', 'm1'] })).toEqual([wrong]);
    expect(await ended({ winning_models: 'm1' })).toContain('warn event/field-type 3');
  });

  test('RL-026: the summary of a run mirrors them', () => {
    const keys = { winner: 'red', winner_kind: 'team', winning_model: null, winning_models: ['m1'] };
    const events = ledger([started('r'), verdict('r', { winner: 'red' }), end(keys)]);
    expect(project(events).value['runs']).toMatchObject([keys]);
  });
});

describe('evolution', () => {
  test('RL-027: added keys give no findings, and reading changes no stored line', async () => {
    expect(await ofEvent({ payload: { text: 'hi', added_later: { a: 1 } } })).toEqual([]);
    const events = ledger(RUN);
    const before = structuredClone(events);
    project(events);
    await verifyEvents(verifyFishbowl, events);
    expect(events).toEqual(before);
  });

  test('RL-030: an older record is read in the present shape, and its bytes stay', async () => {
    const upcasts = [{ dialect: 'fishbowl', from: 0, to: 1, rename: { what: 'kind' } }];
    const settings = { fishbowl: { upcast: upcasts } };
    const [first, { kind, ...second } = {}, ...rest] = ledger(RUN);
    const old = { ...second, what: kind ?? null, schema_version: 0 };
    const stored = structuredClone(old);
    const events = [first ?? {}, old, ...rest];
    const report = await verifyEvents(
      (target, options) => verifyFishbowl(target, { ...options, settings }),
      events,
    );
    expect(brief(report)).toEqual([]);
    const projector = new FishbowlProjector({ upcasts });
    events.forEach((event, index) => {
      projector.addEvent(event, index + 1);
    });
    expect(projector.result().value['stage']).toMatchObject({ r: { agent_notes: ['ann: hi'] } });
    expect(old).toEqual(stored);
  });

  test('the real ledger matches them', async () => {
    const log = join(import.meta.dirname, '../../samples/fishbowl/ledger-10-runs.scrubbed.jsonl');
    const { DEFAULT_VERIFY_OPTIONS } = await import('../../../src/findings/options.ts');
    const report = await verifyFishbowl({ name: 'l', log, dir: undefined }, DEFAULT_VERIFY_OPTIONS);
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});
