import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { NoesisProjector } from '../../../src/dialects/noesis/state/projection.ts';
import { states } from '../../../src/dialects/noesis/states.ts';
import { realEpisodes } from '../../support/runtime-episodes.ts';
import { act, done, event, persisted, plan } from './events.ts';

/** The table of a section as its texts. */
const rowsOf = (state: object, title: string) =>
  states
    .view(state)
    .find((section) => section.title === title)
    ?.table?.rows.map((row) => row.map(({ text }) => text));

describe('a state as people read it', () => {
  const state = {
    plan: { steps: [{ id: 's', kind: 'act', description: 'd', status: 'odd' }, { id: 't' }] },
    beliefs: [
      { statement: 'it is so', confidence: 0.5, provenance: { source: 'reflect' } },
      { statement: 'it is not', confidence: 1, provenance: 'a guess' },
    ],
    memory: { facts: [{ key: 'colour', value: 'red' }], scratchpad: 'a note' },
  };

  test('has its beliefs with their source, and what is remembered', () => {
    expect(rowsOf(state, 'Beliefs')).toEqual([
      ['0.5', 'reflect', 'it is so'],
      ['1', 'a guess', 'it is not'],
    ]);
    expect(rowsOf(state, 'Facts')).toEqual([['colour', 'red']]);
    const notes = states.view(state).find(({ title }) => title === 'Scratchpad');
    expect(notes?.lines).toEqual([{ text: 'a note' }]);
  });

  test('marks a step with an unknown status', () => {
    expect(rowsOf(state, 'Plan (source unknown)')).toEqual([
      ['?', 's', 'act', 'odd', 'd'],
      ['?', 't', '', 'unknown', ''],
    ]);
  });
});

describe('the state of parsed events', () => {
  const resultOf = (fold: ReturnType<typeof states.fold>, events: readonly JsonObject[]) => {
    for (const [index, one] of events.entries()) fold.addEvent(one, index + 1);
    const { value, underivable } = fold.result();
    return { value, underivable };
  };

  const whole = realEpisodes().filter(({ name }) => /^(?:newest|life-core)\//.test(name));

  test.each(whole.map(({ name, log }) => [name, log] as const))('is that of a projection: %s', (_, log) => {
    const events = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JsonObject);
    expect(resultOf(states.fold(), events)).toEqual(resultOf(new NoesisProjector(), events));
  });

  test('shows the status of an act for a step of labels', () => {
    const { value } = resultOf(states.fold(), [
      event('start', {}),
      plan({ steps: ['act:x', 'act:y'] }),
      done('step-1'),
      act({ action_id: 'a' }),
      persisted(),
    ]);
    expect(value).toMatchObject({
      plan: {
        steps: [
          { id: 'step-1', kind: 'act', description: 'x', status: 'done' },
          { id: 'step-2', kind: 'act', description: 'y' },
        ],
      },
      outcomes: { actions: [{ id: 'a' }] },
    });
  });
});
