import { describe, expect, test } from 'vitest';
import { describeEvent } from '../../../src/dialects/noesis/show/describe.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { observe, start } from '../../statements/events/logs.ts';
import { acted, planned, STATE, withOutcomes, writeState } from '../../statements/state/states.ts';

const said = async (state: unknown, events?: readonly Readonly<Record<string, unknown>>[]) =>
  (await verifyEpisode(writeState(state, events))).findings.map(({ message }) => message);

describe('messages about a state', () => {
  test('names a place in the same form as elsewhere', async () => {
    const beliefs = [{ statement: 's', confidence: 0.5, provenance: 'p' }];
    expect(await said({ ...STATE, beliefs })).toContain(
      'beliefs[0].timestamp is missing: it is optional, but the runtime always writes it',
    );
  });

  test('distinguishes a number that is too large from an invalid one', async () => {
    const text = JSON.stringify(STATE).replace('"confidence":0.5', '"confidence":1e999');
    expect(await said(text)).toContain(
      'beliefs[0].confidence must be a number, is a number that is too large',
    );
  });

  test('does not call a running run old', async () => {
    expect(await said({ ...STATE, links: {} }, [start, observe, planned, acted])).toContain(
      'the run has not ended: its log has no evidence yet for outcomes, links',
    );
    const made = { ...STATE.outcomes.actions[0], id: 'act-9' };
    expect(await said(withOutcomes({ actions: [STATE.outcomes.actions[0], made] }))).toContain(
      `outcomes.actions[1] is ${JSON.stringify(made)}, but no event of the log contains it`,
    );
  });
});

test('an insight without a metric says so', () => {
  const insight = (payload: Record<string, never>) => describeEvent({ phase: 'insight', payload });
  expect(insight({})).toBe('success ?, acts ?, vetoes ?');
});
