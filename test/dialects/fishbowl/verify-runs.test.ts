import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { verifyFishbowl } from '../../../src/dialects/fishbowl/verify.ts';
import { brief, verifyEvents } from '../verify-events.ts';
import { ledger, RUN, say, started, verdict, won } from './ledgers.ts';

const findings = async (events: readonly JsonObject[]) =>
  brief(await verifyEvents(verifyFishbowl, ledger(events)));
const end = (payload: JsonObject): JsonObject => ({ kind: 'run.finished', actor: 'conductor', payload });

describe('the course of a run', () => {
  test.each([
    [1, 'the run ended on line 4, but one event follows'],
    [3, 'the run ended on line 4, but 3 events follow'],
  ])('what comes after its end is counted: %i', async (count, message) => {
    const after = Array.from({ length: count }, () => say());
    const report = await verifyEvents(verifyFishbowl, ledger([...RUN, ...after]));
    expect(report.findings).toMatchObject([{ code: 'order/after-terminate', line: 5, message }]);
  });

  test.each<[string, JsonObject[], string[]]>([
    ['begins with speech', [say(), ...RUN.slice(2)], ['warn order/start-not-first 1']],
    [
      'starts at turn 3',
      [{ ...started('r'), turn: 3 }, say({ turn: 3 })],
      ['info order/terminate-missing 1', 'warn order/start-not-first 1'],
    ],
    [
      'starts twice',
      [started('r'), { ...started('r'), turn: 1 }, ...RUN.slice(1)],
      ['warn order/start-repeated 2'],
    ],
    [
      'goes back in turns',
      [started('r'), say({ turn: 4 }), verdict('r'), won('r')],
      ['warn sequence/backwards 3'],
    ],
    [
      'skips turns',
      [
        started('r'),
        say({ turn: 4 }),
        say({ turn: 9 }),
        { ...verdict('r'), turn: 9 },
        { ...won('r'), turn: 9 },
      ],
      ['info consistency/turns 5'],
    ],
    ['has no end', [started('r'), say()], ['info order/terminate-missing 1']],
    ['goes on after its end', [...RUN, say(), say()], ['warn order/after-terminate 5']],
    ['ends twice', [...RUN, won('r')], ['warn order/terminate-repeated 5']],
    [
      'is corrected by a verdict',
      [started('r'), end({ reason: 'budget', winner: null }), verdict('r'), won('r')],
      [],
    ],
    [
      'is corrected twice',
      [started('r'), end({ reason: 'budget', winner: null }), verdict('r'), won('r'), won('r')],
      ['warn order/terminate-repeated 5'],
    ],
    [
      'changes its session',
      [{ ...started('r'), session_id: 'a' }, say({ session_id: 'b' }), verdict('r'), won('r')],
      ['warn consistency/session 2'],
    ],
    [
      'loses its session in a restart',
      [{ ...started('r'), session_id: 'a' }, say({ session_id: null }), verdict('r'), won('r')],
      [],
    ],
  ])('that %s', async (_, events, expected) => expect(await findings(events)).toEqual(expected));
});

describe('the actors and the winner', () => {
  test.each<[string, JsonObject[], string[]]>([
    [
      'a stranger, reported once',
      [started('r'), say({ actor: 'eve' }), say({ actor: 'eve' }), verdict('r'), won('r')],
      ['warn consistency/actor 2'],
    ],
    [
      'the scenario and the visitor',
      [
        started('r'),
        say({ actor: 'duel' }),
        say({ kind: 'user.injected', actor: 'visitor' }),
        verdict('r'),
        won('r'),
      ],
      [],
    ],
    [
      'a winner nobody knows',
      [
        started('r'),
        verdict('r', { winner: 'eve' }),
        end({ winner: 'eve', winner_kind: null, winning_models: [] }),
      ],
      ['warn consistency/winner 2'],
    ],
    [
      'a team',
      [
        started('r'),
        verdict('r', { winner: 'red' }),
        end({ winner: 'red', winner_kind: 'team', winning_model: null, winning_models: ['m1'] }),
      ],
      [],
    ],
    [
      'a team taken for an agent',
      [
        started('r'),
        verdict('r', { winner: 'red' }),
        end({ winner: 'red', winner_kind: 'agent', winning_models: ['m1'] }),
      ],
      ['warn consistency/attribution 3'],
    ],
    [
      'another winner than the verdict',
      [
        started('r'),
        verdict('r'),
        end({ winner: 'bob', winner_kind: 'agent', winning_model: 'm2', winning_models: ['m2'] }),
      ],
      ['warn consistency/attribution 3'],
    ],
    [
      'another model than the seat',
      [
        started('r'),
        verdict('r'),
        end({ winner: 'ann', winner_kind: 'agent', winning_model: 'm9', winning_models: ['m9'] }),
      ],
      ['warn consistency/attribution 3', 'warn consistency/attribution 3'],
    ],
    [
      'a model that resolved',
      [
        started('r'),
        verdict('r', { winner: 'bob' }),
        end({ winner: 'bob', winner_kind: 'agent', winning_model: 'm2', winning_models: ['m2'] }),
      ],
      [],
    ],
    [
      'a winner without a verdict',
      [started('r'), end({ winner: 'ann' })],
      ['warn consistency/attribution 2'],
    ],
    [
      'a verdict without a winner',
      [
        started('r'),
        { ...verdict('r'), payload: { text: 'nobody' } },
        end({ winner: null, winner_kind: null, winning_models: [] }),
      ],
      [],
    ],
    ['the older, shorter end', [started('r'), verdict('r'), end({ winner: 'ann', winning_model: 'm1' })], []],
  ])('%s', async (_, events, expected) => expect(await findings(events)).toEqual(expected));
});
