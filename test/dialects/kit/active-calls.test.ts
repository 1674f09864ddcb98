import { expect, test } from 'vitest';
import { ActiveCalls } from '../../../src/dialects/sessions/kit/active-calls.ts';
import { SessionCalls } from '../../../src/dialects/sessions/kit/calls.ts';
import { Earliest } from '../../../src/dialects/sessions/kit/earliest.ts';
import type { SessionTurn } from '../../../src/dialects/sessions/kit/session.ts';
import { SessionWaits } from '../../../src/dialects/sessions/kit/waits.ts';
import { seed } from '../../support/length.ts';
import { createRandom } from '../../support/simulator/random.ts';

const COUNT = 1000;

test('calls that were taken are not looked at again, however often a line is damaged', () => {
  let looks = 0;
  const calls = new ActiveCalls();
  for (let line = 1; line <= COUNT; line += 1) {
    const call = {
      line,
      get status() {
        looks += 1;
        return 'open';
      },
    };
    calls.add({ call, turn: undefined });
    expect(calls.takeAll()).toHaveLength(1);
  }
  expect(looks).toBe(COUNT);
});

test('calls before a line are left where they are', () => {
  const calls = new ActiveCalls();
  for (const line of [1, 5, 3]) calls.add({ call: { line, status: 'open' }, turn: undefined });
  expect(calls.take(undefined, 3).map(({ call }) => call.line)).toEqual([5, 3]);
  expect(calls.take(undefined).map(({ call }) => call.line)).toEqual([1]);
});

test('the earliest of many is found with a few looks at each', () => {
  const random = createRandom(seed);
  let looks = 0;
  const gone = new Set<number>();
  const times = Array.from({ length: COUNT }, () => random.int(COUNT * COUNT));
  const earliest = new Earliest<number>((item) => {
    looks += 1;
    return !gone.has(item);
  });
  for (const [item, time] of times.entries()) earliest.add(item, time);
  for (let item = 0; item < COUNT; item += 1) {
    expect(earliest.least()).toBe(times.slice(item).sort((a, b) => a - b)[0]);
    gone.add(item);
  }
  expect(earliest.least()).toBeUndefined();
  expect(looks).toBeLessThanOrEqual(2 * COUNT);
});

test('a damaged line names the earliest call that waits, of the turn that is worked on', () => {
  const calls = new SessionCalls(new SessionWaits(), undefined);
  const turns = ['a', 'b'].map((prompt): SessionTurn => {
    return { line: 1, prompt, calls: 0, failed: 0, status: 'open' };
  });
  const at = (second: number) => new Date(second * 1000).toISOString();
  const call = (id: string, turn: SessionTurn | undefined, second: number) =>
    calls.call(
      { id, tool: 'Bash', input: '', given: undefined },
      { turn, isSure: true, isCopy: false },
      { line: second, time: at(second) },
    );
  call('one', turns[0], 1);
  call('two', turns[1], 3);
  call('three', turns[1], 2);
  expect(calls.lost(turns[1])).toBe(2000);
  expect(calls.lost(undefined)).toBe(1000);
  calls.result('one', { status: 'ok' }, { line: 9, time: at(9) });
  expect(calls.lost(undefined)).toBe(2000);
});
