import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { fishbowl } from '../../../src/dialects/fishbowl/index.ts';
import { accountOf } from '../account-of.ts';
import { ledger, RUN, say, started, verdict, won } from './ledgers.ts';

const told = (...events: JsonObject[]) => accountOf(fishbowl, ledger(events));

test('shows the cast, the verdict and the end of a run that somebody won', async () => {
  expect(await told(...RUN.slice(0, 2), say({ kind: 'agent.thought' }), ...RUN.slice(2))).toEqual({
    task: 'a lighthouse',
    status: 'verdict',
    tone: 'good',
    isOver: true,
    why: [
      {
        kind: 'verdict',
        text: 'ann it is',
        tone: 'good',
        line: 4,
        facts: [
          ['winner', 'ann'],
          ['judge', 'judge'],
        ],
      },
      {
        kind: 'run.finished',
        text: 'ann won',
        tone: 'good',
        line: 5,
        facts: [
          ['models', ['m1']],
          ['turns', 1],
          ['tokens', undefined],
        ],
      },
    ],
    steps: [],
    facts: {
      cast: [
        { name: 'ann', said: 2, model: 'm1' },
        { name: 'bob', said: 0, model: 'm2' },
        { name: 'judge', said: 0 },
      ],
    },
    sections: [
      {
        title: 'Cast',
        table: {
          columns: ['NAME', 'SAID', 'MODEL'],
          rows: [
            [{ text: 'ann', tone: 'name' }, { text: '2' }, { text: 'm1' }],
            [{ text: 'bob', tone: 'name' }, { text: '0' }, { text: 'm2' }],
            [{ text: 'judge', tone: 'name' }, { text: '0' }, { text: '' }],
          ],
        },
      },
    ],
  });
});

test.each<[string, JsonObject[], object]>([
  ['goes on', [started('r')], { status: 'running', tone: undefined, isOver: false, why: [] }],
  ['never started', [say()], { status: 'running', task: undefined, sections: [] }],
  [
    'has an odd cast',
    [{ ...started('r'), payload: { goal: 'win', seed: 's', cast: { ann: 'm1' } } }],
    {
      task: 'win',
      sections: [{ table: { rows: [[{ text: 'ann', tone: 'name' }, { text: '0' }, { text: '' }]] } }],
    },
  ],
  [
    'is over for no reason, and nobody won',
    [started('r'), verdict('r', { text: '' }), { ...won('r'), payload: {} }],
    {
      status: 'finished',
      tone: 'doubtful',
      isOver: true,
      why: [
        { kind: 'verdict', text: 'no text' },
        { text: 'nobody won', tone: 'doubtful' },
      ],
    },
  ],
  [
    'is one of two',
    [started('r'), started('s')],
    { status: 'several runs', isOver: undefined, steps: [], why: [] },
  ],
])('a run that %s', async (_, events, expected) => {
  expect(await told(...events)).toMatchObject(expected);
});
