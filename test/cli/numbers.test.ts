import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GOOD, rootWith } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';

/** Numbers that a double rounds, or prints in another way. */
const NUMBERS = ['12345678901234567890', '9007199254740993', '1e400', '1.0', '-0.0', '0.10', '1E+2'];

/** The good episode, each act's `x-note` the numbers; `stored` are those of the first act in state.json. */
function episodeWith(stored: readonly string[]) {
  const { cwd, episodes } = rootWith({ ...GOOD, direction: false });
  const [{ id, dir, log, lines }] = episodes;
  const note = `"x-note":[${NUMBERS.join(',')}]`;
  const marked = lines.map((line) => {
    const { phase, payload } = JSON.parse(line) as { phase: string; payload: Record<string, unknown> };
    return phase === 'act' && !payload['synthetic'] ? line.replace(/"payload": ?\{/, `$&${note},`) : line;
  });
  writeFileSync(log, `${marked.join('\n')}\n`);
  const state = join(dir, 'state.json');
  let first = true;
  const actions = /("actions": ?\[)([\s\S]*)(\])/;
  writeFileSync(
    state,
    readFileSync(state, 'utf8').replace(actions, (_, open: string, inside: string, close: string) => {
      const marks = inside.replace(/\{(?=\s*"id": ?"act)/g, (brace) => {
        const numbers = first ? stored : NUMBERS;
        first = false;
        return `${brace}"x-note":[${numbers.join(',')}],`;
      });
      return open + marks + close;
    }),
  );
  const act = marked.findIndex((line) => line.includes(note)) + 1;
  return { cwd, id, state, act: `${act}` };
}

const compact = (text: string) => text.replace(/\s/g, '');

describe('numbers are printed as they are stored', () => {
  const { cwd, id, state, act } = episodeWith(NUMBERS);
  const stored = `[${NUMBERS.join(',')}]`;

  test.each([
    ['events', id, '-p', 'act', '-j', '--fields', 'payload.x-note'],
    ['tail', id, '-j', '--fields', 'payload.x-note'],
    ['project', id, '-j'],
    ['state', id, '-j'],
    ['state', id, 'outcomes.actions[0].x-note'],
    ['show', id, act, '-j'],
  ])('%j', async (...args) => {
    const { code, stdout } = await runHere(args, { cwd });
    expect(code).toBe(0);
    expect(compact(stdout)).toContain(stored);
  });

  test('events - --partial -j --fields', async () => {
    const input = `{"id":"a","phase":"act","n":${stored}}\n`;
    const { stdout } = await runHere(['events', '-', '--partial', '-j', '--fields', 'n'], { input });
    expect(stdout).toBe(`{"n":${stored}}\n`);
  });

  test('a table', async () => {
    const input = `{"type":"x","payload":{"n":${stored}}}\n`;
    const { stdout } = await runHere(['events', '-'], { input, env: { COLUMNS: '200' } });
    expect(stdout).toContain(`n=${stored}`);
  });

  test('an event that is shown', async () => {
    const { code, stdout } = await runHere(['show', id, act], { cwd });
    expect(code).toBe(0);
    for (const number of NUMBERS) expect(stdout).toContain(` - ${number}\n`);
  });

  test('the state for people', async () => {
    const text = readFileSync(state, 'utf8');
    writeFileSync(
      state,
      text.replace(
        /"facts": ?\[/,
        `$&{"key":"big","value":${stored}}${/"facts": ?\[\s*\]/.test(text) ? '' : ','}`,
      ),
    );
    const { stdout } = await runHere(['state', id], { cwd });
    expect(stdout).toMatch(new RegExp(`big +${stored.replace(/[[\].+]/g, '\\$&')}`));
    writeFileSync(state, text);
  });
});

describe('numbers are compared as they are stored', () => {
  test('1 is 1.0', async () => {
    const { cwd, id } = episodeWith([
      '12345678901234567890',
      '9007199254740993',
      '1e400',
      '1',
      '0',
      '0.1',
      '100',
    ]);
    const { code, stdout } = await runHere(['project', id, '--diff'], { cwd });
    expect([code, stdout.includes('x-note')]).toEqual([0, false]);
  });

  test.each([
    [0, '12345678901234567899'],
    [1, '9007199254740992'],
    [2, '1e401'],
    [3, '1.5'],
  ])('number %i is not %s', async (index, other) => {
    const { cwd, id } = episodeWith(NUMBERS.with(index, other));
    const path = `outcomes.actions[0].x-note[${index}]`;
    const { code, stdout } = await runHere(['project', id, '--diff', '-j'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain(`"path": "${path}"`);
    expect(stdout).toContain(`"projected": ${NUMBERS[index]},`);
    expect(stdout).toContain(`"stored": ${other}`);
    const verified = await runHere(['verify', id, '--rule', 'manifest/*=off'], {
      cwd,
      env: { COLUMNS: '300' },
    });
    expect(verified.stdout).toContain(`${path} is ${other}, but the event on line`);
    expect(verified.stdout).toContain(`gives ${NUMBERS[index]}`);
  });
});

test('counts have separators of thousands in show, stats and diff, as tokens have; numbers of lines have none', async () => {
  const { cwd } = rootWith(GOOD);
  const log = join(cwd, 'many.jsonl');
  const line = (n: number) => `{"id":"${n}","time":"2026-03-02T09:00:00Z","type":"step.end","error":"no"}\n`;
  writeFileSync(log, Array.from({ length: 1234 }, (_, n) => line(n)).join(''));
  const printed = async (...args: string[]) =>
    (await runHere([...args, '--map', 'id=id,time=time,type=type'], { cwd })).stdout;
  expect(await printed('show', log)).toMatch(/^Events +1,234: step\.end 1,234$[\s\S]*, line 1234$/m);
  const stats = await printed('stats', log);
  expect(stats).toMatch(/^Events +1,234$/m);
  expect(stats).toMatch(/^ +1,234 +step\.end .*many\.jsonl 1234/m);
  expect(stats).toMatch(/^ +1,234 +step\.end$/m);
  expect(await printed('diff', log, log)).toMatch(/^Events +1,234 same;/m);
});
