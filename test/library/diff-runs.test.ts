import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { diffRuns, EventLogIntegrityError, NoesisError } from '../../src/library/index.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const REPLAY = join(SAMPLES, 'noesis/replay');
const EPISODE = 'ep_01JGFJJZ00CTSPE3DKFP348M8P';
const [A, B] = [join(REPLAY, 'run_a', EPISODE), join(REPLAY, 'run_b', EPISODE)];

const SESSION = join(
  SAMPLES,
  'claude-code/projects/-home-usr-project/03eb5929-52b3-4b13-ada3-b93ae35806b8.jsonl',
);

/** A copy in which every UUID is another one: stored otherwise, and with the same steps. */
const otherIds = (path: string): string =>
  tempFile(
    readFileSync(path, 'utf8').replaceAll(/\b[0-9a-f]{8}-(?=[0-9a-f]{4}-)/g, '00000000-'),
    'other.jsonl',
  );

/** A log like that of a run, its events passed through a function. */
function edited(edit: (event: JsonObject, index: number) => (JsonObject | string)[]): string {
  const lines = readFileSync(join(B, 'events.jsonl'), 'utf8').trimEnd().split('\n');
  const events = lines.flatMap((line, index) => edit(JSON.parse(line) as JsonObject, index));
  const texts = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  return tempFile(`${texts.join('\n')}\n`);
}

describe('two runs', () => {
  test('of a deterministic replay do not differ', async () => {
    const { equal, counts, events, blocks } = await diffRuns(A, B);
    expect({ equal, counts, events }).toEqual({
      equal: true,
      counts: { same: 13, changed: 0, missing: 0, added: 0 },
      events: [],
    });
    expect(blocks).toEqual([{ kind: 'same', a: 1, b: 1, count: 13 }]);
  });

  test('differ in ids and times on request', async () => {
    expect((await diffRuns(A, B, { exact: true })).counts.changed).toBeGreaterThan(0);
  });

  test('differ in a field, with the event, its lines and the field', async () => {
    const other = edited((event, index) =>
      index === 2
        ? [{ ...event, payload: { ...(event['payload'] as JsonObject), advice: 'another' } }]
        : [event],
    );
    const { equal, counts, first, events } = await diffRuns(A, other);
    expect(equal).toBe(false);
    expect(counts).toEqual({ same: 12, changed: 1, missing: 0, added: 0 });
    expect(events).toEqual([first]);
    expect(first).toMatchObject({
      kind: 'changed',
      a: { line: 3 },
      b: { line: 3 },
      fields: [{ path: 'payload.advice', b: 'another' }],
    });
  });

  test('differ if an event is missing or was added, ignoring blank lines', async () => {
    const other = edited((event, index) =>
      index === 4 ? [] : index === 6 ? ['', event, { ...event, id: 'x' }] : [event],
    );
    const { counts, events, blocks } = await diffRuns(A, other);
    expect(counts).toEqual({ same: 12, changed: 0, missing: 1, added: 1 });
    expect(events).toMatchObject([
      { kind: 'missing', a: { line: 5 } },
      { kind: 'added', b: { line: 8 } },
    ]);
    expect(blocks).toEqual([
      { kind: 'same', a: 1, b: 1, count: 4 },
      { kind: 'missing', a: 5, count: 1 },
      { kind: 'same', a: 6, b: 5, count: 1 },
      { kind: 'same', a: 7, b: 7, count: 1 },
      { kind: 'added', b: 8, count: 1 },
      { kind: 'same', a: 8, b: 9, count: 6 },
    ]);
  });

  test('return the requested number of differing events, and count the others', async () => {
    const other = edited((event) => [{ ...event, note: 'another' }]);
    const { events, moreEvents, first } = await diffRuns(A, other, { limit: 3 });
    expect([events.length, moreEvents, events[0]]).toEqual([3, 10, first]);
    expect((await diffRuns(A, other, { ignore: ['note'] })).equal).toBe(true);
    expect((await diffRuns(A, other, { only: ['plan', 'refl*'] })).a.events).toBe(2);
  });

  test('of two formats are compared only by what they did, and a corrupt log is not compared at all', async () => {
    const coordinator = join(SAMPLES, 'coordinator/nested-two-sessions.jsonl');
    expect((await diffRuns(A, coordinator, { exact: false })).counts).toMatchObject({ missing: 0, added: 0 });
    await expect(diffRuns(A, coordinator, { exact: true })).rejects.toThrow(NoesisError);
    await expect(
      diffRuns(
        A,
        edited((event) => [event, '{"torn']),
      ),
    ).rejects.toThrow(EventLogIntegrityError);
  });

  test.each([
    ['a replay', A, B],
    ['sessions of Claude Code', SESSION, otherIds(SESSION)],
    [
      'sessions that did other things',
      SESSION,
      tempFile(readFileSync(SESSION, 'utf8').split('\n').slice(0, 12).join('\n'), 'x.jsonl'),
    ],
  ])('%s have the difference that diff -j prints', async (_, a, b) => {
    const { stdout } = await runHere(['diff', a, b, '-j'], { cwd: tempDir() });
    expect(JSON.parse(JSON.stringify(await diffRuns(a, b)))).toEqual(outputIn(stdout));
  });

  test('may be runs of one log', async () => {
    const ledger = join(EXAMPLES, 'other-dialects/fishbowl/ledger.jsonl');
    const runs = [
      ...new Set(
        readFileSync(ledger, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { run_id: string }).run_id),
      ),
    ];
    const [first = '', second = ''] = runs;
    const itself = await diffRuns(`${ledger}#${first}`, `${ledger}#${first}`);
    expect([itself.equal, itself.a.events > 0]).toEqual([true, true]);
    expect((await diffRuns(`${ledger}#${first}`, `${ledger}#${second}`)).equal).toBe(false);
  });
});
