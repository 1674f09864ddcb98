import { describe, expect, test } from 'vitest';
import type { ComparedEvent, StoredDifference } from '../../src/read/compare/run-difference.ts';
import { renderComparison } from '../../src/show/render/comparison-view.ts';
import { DifferenceView } from '../../src/show/render/difference-view.ts';
import { plain } from '../../src/show/render/style.ts';

describe('what a projection and a stored state differ in', () => {
  const options = { style: plain, width: 80, log: 'events.jsonl', stored: 'state.json' };
  const difference = (evidence?: { line: number; eventId?: string }) => ({
    path: 'plan.status',
    stored: 'done',
    projected: 'failed',
    ...(evidence && { evidence }),
  });

  test('is shown with the event behind it, if there is one', () => {
    const differences = [
      difference({ line: 7, eventId: 'evt\n7' }),
      difference({ line: 8 }),
      { path: 'a', stored: 1 },
      { path: 'b', projected: { c: 1 } },
    ];
    expect(
      renderComparison(
        {
          compared: ['plan', 'a', 'b'],
          differences,
          not_compared: [
            { path: 'links', reason: 'the evidence is too old', line: 6 },
            { path: 'x\n', reason: 'no event tells of it' },
            { path: 'metrics', reason: 'the evidence is too old', line: 6 },
          ],
          underivable: ['links', 'metrics'],
        },
        options,
      ),
    ).toBe(
      `plan.status
  - stored      "done"
  + rebuilt     "failed"
  evidence      events.jsonl:7 (event evt\\n7)
plan.status
  - stored      "done"
  + rebuilt     "failed"
  evidence      events.jsonl:8
a
  - stored      1
  + rebuilt     nothing
  evidence      no event of the log contains it
b
  - stored      nothing
  + rebuilt     {"c":1}
  evidence      no event of the log contains it
not compared here: links, metrics (the evidence is too old, events.jsonl:6)
not compared here: x\\n (no event tells of it)
4 differences between the log and state.json
`,
    );
  });

  test('prints no control characters of the name of a log', () => {
    const evidence = { line: 7 };
    const shown = renderComparison(
      {
        compared: [],
        differences: [{ ...difference(evidence), named_by: evidence }],
        not_compared: [{ path: 'links', reason: 'the evidence is too old', line: 6 }],
        underivable: [],
      },
      { ...options, log: 'a[31m‮.jsonl' },
    );
    expect(shown.split('a\\x1b[31m\\u{202e}.jsonl:')).toHaveLength(4);
    expect(shown).not.toMatch(/[‮]/);
  });

  const nothing = { compared: [], differences: [], not_compared: [], underivable: [] };

  test('is called equal only for the compared parts', () => {
    const some = { ...nothing, compared: ['plan'], not_compared: [{ path: 'goal', reason: 'why' }] };
    expect(renderComparison(some, options)).toBe(
      'not compared here: goal (why)\nno differences in the parts that could be compared\n',
    );
  });

  test('has nothing, or one entry', () => {
    expect(renderComparison({ ...nothing, compared: ['plan'] }, options)).toBe(
      'equal: state.json matches the log\n',
    );
    expect(renderComparison({ ...nothing, differences: [difference()] }, options)).toMatch(
      /\n1 difference between the log and state\.json\n$/,
    );
  });
});

describe('what two runs did differently', () => {
  const view = new DifferenceView({ style: plain, width: 60, cutWidth: Infinity });
  const event = (line: number, name: string, phase?: string): ComparedEvent => ({
    line,
    name,
    text: `says ${name}`,
    ...(phase !== undefined && { phase }),
  });
  const run = (episode: string) => ({ episode, path: `/${episode}`, dialect: 'noesis', events: 2, why: [] });
  const head: StoredDifference = {
    equal: false,
    a: run('a'),
    b: { ...run('b'), status: 'ok', durationMs: 1500, task: 'count' },
    counts: { same: 0, changed: 0, missing: 0, added: 1 },
    outcome: [],
    state: [],
    moreState: 0,
    metrics: [],
  };

  test('begins with the event that differs first', () => {
    const first = { kind: 'added', b: event(3, 'act', 'act') } as const;
    expect(view.runs({ ...head, first }) + view.head({ ...head, first }, false)).toBe(
      'A  a  2 events\nB  b  ok, 2 events, 1.50 s, count\n\nFirst difference: act is in B only (line 3 of B)\n\nEvents: 1 only in B\n',
    );
    expect(view.head({ ...head, first: { kind: 'missing', a: event(2, 'ls', 'tool') } }, false)).toContain(
      'First difference: tool ls is in A only (line 2 of A)',
    );
    expect(view.head({ ...head, counts: { same: 0, changed: 0, missing: 0, added: 0 } }, false)).toContain(
      'Events: none\n',
    );
  });

  test('then lists each event that differs', () => {
    expect(view.event({ kind: 'added', b: event(3, 'act') })).toBe('  +         B:3     act  says act\n');
    const fields = [
      { path: 'a', b: 1 },
      { path: 'a.long.path', a: 'x'.repeat(60), b: 'y' },
    ];
    expect(view.event({ kind: 'changed', a: event(1, 'act'), b: event(2, 'act'), fields })).toBe(
      `  ~ A:1     B:2     act
      a: nothing → 1
      a.long.path
        - "${'x'.repeat(49)}
          ${'x'.repeat(11)}"
        + "y"
`,
    );
  });

  test('ends with a limited number of differences per part of the state, and counts the others', () => {
    const state = [
      { path: 'plan.a', a: 1, b: 2 },
      { path: 'plan.b', a: 1, b: 2 },
      { path: '[0]', a: 1, b: 2 },
    ];
    expect(view.rest({ ...head, state, moreState: 2 }, 4)).toBe(
      `  and 4 more events: --limit, or -j
  and 2 more differences in the state

State: plan
  plan.a: 1 → 2
  plan.b: 1 → 2

State:${' '}
  [0]: 1 → 2
`,
    );
    const path = `plan.${'deep.'.repeat(20)}end`;
    const long = view.rest({ ...head, state: [{ path, a: 1, b: 2 }] }, 0).split('\n');
    expect([
      long
        .slice(2, -3)
        .map((line) => line.trim())
        .join(''),
      ...long.slice(-3),
    ]).toEqual([path, '    - 1', '    + 2', '']);
    const metrics = Array.from({ length: 31 }, (_, at) => ({ path: `phases.m${at}`, a: 1, b: 2 }));
    expect(view.rest({ ...head, metrics }, 0)).toMatch(
      /\n {2}events of the phase m29: 1 → 2\n {2}and 1 more difference: -j\n$/,
    );
    expect(view.rest(head, 0)).toBe('');
    expect(view.rest({ ...head, equal: true }, 0)).toBe('no difference in what the runs did\n');
  });
});
