import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoredNumber } from '../../src/base/json/stored-number.ts';
import { appendEvent } from '../../src/library/write.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';
import { EPISODE } from './support/writers.ts';

const TEAM = { type: 'team.disbanded', data: { totalDurationMs: 1, tasksCompleted: 1, tasksFailed: 0 } };
const STARTED = { phase: 'start', payload: {} };

test('in a folder without a log a stream is made under its name, and appended to from then on', async () => {
  const dir = tempDir();
  const options = { stream: 'demo', dialect: 'exarchos' };
  expect(await appendEvent(dir, TEAM, options)).toMatchObject({ sequence: 1 });
  expect(await appendEvent(dir, TEAM, options)).toMatchObject({ sequence: 2 });
  expect(readdirSync(dir).filter((name) => name.endsWith('.jsonl'))).toEqual(['demo.events.jsonl']);
});

test('an episode that has documents and no log gets its log', async () => {
  const dir = join(tempDir(), EPISODE);
  mkdirSync(dir);
  writeFileSync(join(dir, 'state.json'), '{}');
  const { events } = await appendEvent(dir, STARTED);
  expect(readFileSync(join(dir, 'events.jsonl'), 'utf8')).toBe(`${events[0]?.text}\n`);
});

test('standard input cannot be written to', async () => {
  const { code, stderr } = await runHere(['append', '-', '--event', JSON.stringify(STARTED)]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('standard input cannot be written to')]);
});

test.each([
  ['two events', '{"phase":"start"}{"phase":"start"}'],
  ['a list', '[{"phase":"start"}]'],
  ['nothing', ' '],
  ['a key twice', '{"phase":"start","phase":"start"}'],
])('an event that is %s is refused', async (_, text) => {
  const dir = tempDir();
  const { code, stderr } = await runHere(['append', dir, '--dialect', 'noesis', '--event', text]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('error: ')]);
  expect(readdirSync(dir)).toEqual([]);
});

test('the first line that is not an event is reported, after the valid events before it were appended', async () => {
  const dir = join(tempDir(), EPISODE);
  mkdirSync(dir);
  const input = `${JSON.stringify(STARTED)}\nnot JSON\n{"a":1,"a":2}\n{}\n`;
  const { code, stderr } = await runHere(['append', dir, '--dialect', 'noesis'], { input });
  expect(code).toBe(1);
  expect(stderr).toMatch(/line 2/);
});

test.each([
  ['no object', 7, /it is not an object/],
  ['undefined', undefined, /it is not an object/],
  ['a function', () => {}, /it is not an object/],
  ['a circle', circle(), /circular/],
  ['an integer that JSON cannot store', { n: 7n }, /BigInt/],
  ['a Map', { m: new Map([['a', 1]]) }, /m: JSON cannot store a Map/],
  ['a Map itself', new Map([['phase', 'start']]), /a Map/],
  ['a Set', { a: [new Set([1])] }, /a\[0\]: JSON cannot store a Set/],
  ['a typed array', { a: { b: new Uint8Array(2) } }, /a\.b: JSON cannot store a Uint8Array/],
  ['a Buffer', { b: Buffer.from('x') }, /a Uint8Array/],
  ['bytes', { b: new ArrayBuffer(2) }, /an? ArrayBuffer/],
  ['a member that is a function', { f: () => 1 }, /f: JSON cannot store a function/],
  ['a symbol', { s: Symbol('s') }, /a symbol/],
  ['a key that is a symbol', { [Symbol('s')]: 1 }, /a key that is a symbol/],
  ['minus zero', { n: -0 }, /n: JSON stores -0 as 0/],
  ['no number', { n: [Number.NaN] }, /n\[0\]: JSON cannot store NaN/],
  ['a list with a hole', { l: Array(2) }, /a list with holes/],
  ['a list with undefined', { l: [undefined] }, /l\[0\]: JSON cannot store undefined/],
  ['a list with a name', { l: Object.assign([1], { a: 1 }) }, /holes or with names/],
  ['a RegExp', { r: /x/ }, /a RegExp/],
  ['an error', { e: new Error('x') }, /an? Error/],
  ['a promise', { p: Promise.resolve(1) }, /a Promise/],
  ['a boxed number', { n: Object(5) }, /a Number/],
  ['an invalid date', { d: new Date(Number.NaN) }, /this Date/],
  [
    'something that throws a value that is not an error',
    {
      toJSON: () => {
        throw 'a text';
      },
    },
    /a text/,
  ],
])('a value that is %s is not an event', async (_, value, message) => {
  const dir = tempDir();
  const failure = await appendEvent(dir, value as object, { dialect: 'noesis' }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 'event-invalid', message: expect.stringMatching(message) });
  expect(readdirSync(dir)).toEqual([]);
});

test('a date is stored as its text, a member that is undefined is not there, and numbers are as they are stored', async () => {
  const dir = join(tempDir(), EPISODE);
  mkdirSync(dir);
  class Payload {
    task = 'x';
    at = new Date(0);
    nothing = undefined;
  }
  const number = new StoredNumber('12345678901234567890');
  const event = {
    ...STARTED,
    payload: Object.assign(new Payload(), { number, null: null, flag: true, list: [1.5] }),
  };
  const { events } = await appendEvent(dir, event, { dialect: 'noesis' });
  expect(events[0]?.text).toContain(
    '{"at":"1970-01-01T00:00:00.000Z","flag":true,"list":[1.5],"null":null,"number":12345678901234567890,"task":"x"}',
  );
});

function circle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}
