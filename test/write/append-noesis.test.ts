import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NoesisError } from '../../src/base/errors.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { appendEvent, openWriter } from '../../src/library/write.ts';
import { EventLogIntegrityError } from '../../src/log/integrity-error.ts';
import { runHere } from '../support/in-process.ts';
import { realEpisodes } from '../support/runtime-episodes.ts';
import { tempDir } from '../support/temp.ts';
import { EPISODE, eventsIn, reason, START } from './support/writers.ts';

/** A fresh episode that has begun. */
function begun(content: string | Uint8Array = START): { dir: string; log: string } {
  const dir = join(tempDir(), EPISODE);
  mkdirSync(dir);
  const log = join(dir, 'events.jsonl');
  writeFileSync(log, content);
  return { dir, log };
}

/** An array of arrays, nested to this depth. */
const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an append to the log of an episode', () => {
  test('EV-004: leaves every byte before it as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }), async (texts) => {
        const { dir, log } = begun();
        for (const text of texts) {
          const before = readFileSync(log);
          await appendEvent(dir, { phase: 'reason', payload: { text } });
          const after = readFileSync(log);
          expect(after.subarray(0, before.length).equals(before)).toBe(true);
          expect(eventsIn(after).at(-1)).toMatchObject({ payload: { text } });
        }
      }),
      { numRuns: 10 },
    );
  });

  test('EV-011: reads the whole log before it writes', async () => {
    const { dir, log } = begun(
      `${START}${START.replace('start-1', 'x').replace('start', 'reason')}not json\n${START}`,
    );
    const before = readFileSync(log);
    expect(await failureOf(appendEvent(dir, reason('a')))).toMatchObject({
      name: 'EventLogIntegrityError',
      corruption: { lineNumber: 3 },
    });
    expect(readFileSync(log).equals(before)).toBe(true);
  });

  test.each(readdirSync('test/fixtures').filter((name) => name.startsWith('log-')))(
    'EV-012: onto a log that is corrupt is refused, and the file stays byte for byte: %s',
    async (name) => {
      const folder = join('test/fixtures', name);
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const source = files.find((file) => basename(file) === 'events.jsonl');
      if (source === undefined) return;
      const { dir, log } = begun();
      copyFileSync(join(folder, source), log);
      const before = readFileSync(log);
      const report = await verifyEpisode(log);
      const isCorrupt = report.findings.some(
        ({ code, severity }) => code.startsWith('log/') && severity === 'error',
      );
      const failure = await failureOf(
        appendEvent(dir, { ...reason('a'), phase: before.length < 3 ? 'start' : 'reason' }),
      );
      if (isCorrupt) {
        expect(failure).toBeInstanceOf(EventLogIntegrityError);
        expect(readFileSync(log).equals(before)).toBe(true);
      } else expect(readFileSync(log).subarray(0, before.length).equals(before)).toBe(true);
      expect(readdirSync(dir)).toEqual(['events.jsonl']);
    },
  );

  test('fills in the same members as the runtime, in its canonical form', async () => {
    const { dir, log } = begun();
    const { events } = await appendEvent(dir, [
      { phase: 'insight', payload: { z: 1, ä: '→', a: { y: 2, b: 1.5 } }, agent_id: null },
      { phase: 'reason', payload: {}, metrics: metricsAt('2099-01-01T00:00:00.5+00:00') },
      { phase: 'reason', payload: {} },
    ]);
    expect(readFileSync(log, 'utf8')).toBe(START + events.map(({ text }) => `${text}\n`).join(''));
    const [insight, timed, raised] = events.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
    expect(events[0]?.text).toContain('"payload":{"a":{"b":1.5,"y":2},"z":1,"ä":"→"}');
    expect(insight).toMatchObject({ faculty: 'insight', episode_id: EPISODE, evidence_ids: [] });
    expect(insight?.['id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(insight?.['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/);
    expect(insight).not.toHaveProperty('agent_id');
    // The time of completion is that of the event; a clock that goes back is raised to the event before.
    expect(timed?.['timestamp']).toBe('2099-01-01T00:00:00.5+00:00');
    expect(raised?.['timestamp']).toBe('2099-01-01T00:00:00.5+00:00');
    expect(events.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  test('keeps a given time in its form', async () => {
    const { dir } = begun();
    const given = [
      { id: 'a', phase: 'reason', payload: {}, timestamp: '2099-01-01T02:00:00+02:00' },
      {
        id: 'b',
        phase: 'reason',
        payload: {},
        timestamp: '2099-01-01T00:00:01Z',
        metrics: metricsAt('2099-01-01T01:00:01+01:00'),
      },
    ];
    const { events } = await appendEvent(dir, given);
    expect(events.map(({ text }) => JSON.parse(text).timestamp)).toEqual(
      given.map(({ timestamp }) => timestamp),
    );
    expect((await appendEvent(dir, given)).events.map(({ isNew }) => isNew)).toEqual([false, false]);
    const moved = { ...given[0], timestamp: '2099-01-01T03:00:00+02:00' };
    expect(await failureOf(appendEvent(dir, moved))).toMatchObject({ code: 'event-invalid' });
  });

  const refused: readonly (readonly [string, object, RegExp])[] = [
    [
      'an act of a candidate that nobody proposed',
      { phase: 'act', payload: { input_excerpt: 'x', outcome: 'ok', tool: 't', action_candidate_id: 'c' } },
      /a candidate that no earlier event proposed/,
    ],
    ['a runtime event without a type', { phase: 'runtime', payload: { status: 'ok' } }, /event_type/],
    ['a second start', { phase: 'start', payload: {} }, /already started/],
    ['a plan without steps', { phase: 'plan', payload: {} }, /payload.steps/],
    [
      'a time that goes back',
      { phase: 'reason', payload: {}, metrics: metricsAt('2020-01-01T00:00:00+00:00') },
      /before that of line \d/,
    ],
    [
      'a given time that goes back',
      { phase: 'reason', payload: {}, timestamp: '2020-01-01T00:00:00+00:00' },
      /the time is .* before that of line \d/,
    ],
    [
      'an act whose time is not when it was completed',
      {
        phase: 'act',
        payload: { input_excerpt: 'x', outcome: 'ok', action_id: 'a' },
        timestamp: '2099-01-01T00:00:00Z',
        metrics: metricsAt('2099-01-01T00:00:01Z'),
      },
      /stamped 2099-01-01T00:00:00Z, but completed at 2099-01-01T00:00:01Z/,
    ],
    ['an invalid time', { phase: 'reason', payload: {}, timestamp: 'yesterday' }, /ISO 8601/],
    [
      'a cause that is not there',
      { phase: 'reason', payload: {}, caused_by: 'nobody' },
      /caused_by names no event of this log/,
    ],
    [
      'another episode',
      { phase: 'reason', payload: {}, episode_id: 'ep_other' },
      /belongs to another episode/,
    ],
    ['an id that is taken', { id: 'start-1', phase: 'reason', payload: {} }, /is a different one/],
    [
      'an id that another event of the batch has',
      { id: 'fine', phase: 'reason', payload: {} },
      /the id is already on line 2/,
    ],
    [
      'a time that is not a text',
      { phase: 'reason', payload: {}, timestamp: 7 },
      /timestamp must be a string/,
    ],
    [
      'an act whose two results differ',
      { phase: 'act', payload: { input_excerpt: 'x', tool: 't', outcome: 'ok', result_status: 'error' } },
      /they must have the same value/,
    ],
    ['what is nested too deep', { phase: 'reason', payload: { a: nested(900) } }, /deeper than 900 levels/],
    ['no payload', { phase: 'reason' }, /payload is missing/],
    ['no phase', { payload: {} }, /phase is missing/],
    ['an infinity', { phase: 'reason', payload: { x: Number.POSITIVE_INFINITY } }, /cannot store Infinity/],
  ];

  /** Those that a rule forbids; the others cannot be stored, or their id is taken. */
  const refusedByRule = refused.filter(
    ([, , message]) =>
      !/(different one|900 levels|Infinity|already on line 2|on line 2)/.test(message.source),
  );

  test.each(refused)('refuses %s, and with it the whole batch', async (_name, event, message) => {
    const { dir, log } = begun();
    const failure = await failureOf(appendEvent(dir, [reason('fine'), event]));
    expect(failure).toBeInstanceOf(NoesisError);
    expect(failure).toMatchObject({ code: 'event-invalid' });
    expect(String(failure)).toMatch(message);
    expect(readFileSync(log, 'utf8')).toBe(START);
  });

  test('refuses an integer that Python cannot read, and accepts others', async () => {
    const { dir, log } = begun();
    const append = (digits: number) =>
      runHere(['append', dir, '--event', `{"phase":"reason","payload":{"n":-${'9'.repeat(digits)}}}`]);
    expect(await append(4300)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it has an integer of more than 4300 digits'),
    });
    expect(readFileSync(log, 'utf8')).toBe(START);
    expect(await append(4299)).toMatchObject({ code: 0 });
    expect(readFileSync(log, 'utf8')).toContain(`"n":-${'9'.repeat(4299)}}`);
  });

  test('refuses events after the end of the run, except those that may follow', async () => {
    const { dir } = begun();
    const end = { id: 'end', phase: 'terminate', payload: { status: 'ok' } };
    await appendEvent(dir, end);
    for (const [event, message] of [
      [{ ...end, id: 'again' }, /the episode already ended on line 2/],
      [{ phase: 'reason', payload: {} }, /reason comes after terminate on line 2; only/],
    ] as const) {
      const failure = await failureOf(appendEvent(dir, event));
      expect(String(failure)).toMatch(message);
    }
    await appendEvent(dir, { phase: 'insight', payload: {} });
    expect(eventsIn(readFileSync(join(dir, 'events.jsonl'))).map(({ phase }) => phase)).toEqual([
      'start',
      'terminate',
      'insight',
    ]);
  });

  test.each<[string, object]>([
    ['an act without tool or adapter', { phase: 'act', payload: { input_excerpt: 'x', outcome: 'ok' } }],
    ['a runtime event without a status', { phase: 'runtime', event_type: 'run.odd', payload: {} }],
    [
      'an observe without tags',
      { phase: 'observe', payload: { task: 't', timestamp: '2026-03-02T09:00:00Z' } },
    ],
    ['a candidate without members', { phase: 'action_candidate', payload: {} }],
    ['an interrupt without members', { phase: 'runtime', event_type: 'run.interrupt', payload: {} }],
    [
      'metrics without their end',
      { phase: 'reason', payload: {}, metrics: { started_at: '2026-03-02T09:00:00Z' } },
    ],
  ])('appends %s, as verify accepts it', async (_name, event) => {
    const { dir } = begun();
    const before = await faultsOf(dir);
    expect((await appendEvent(dir, event)).events).toHaveLength(1);
    expect(await faultsOf(dir)).toEqual(before);
  });

  test.each(refusedByRule)('appends %s with a reason, which is printed', async (_name, event, message) => {
    const { dir } = begun();
    const before = await faultsOf(dir);
    const { remarks } = await appendEvent(dir, event, { force: 'a test' });
    expect(remarks.join()).toMatch(message);
    expect(remarks.at(-1)).toMatch(/^event 1 is appended anyway \(a test\): /);
    expect(await faultsOf(dir)).not.toEqual(before);
  });

  test('goes on after it has refused an event', async () => {
    const { dir } = begun();
    const writer = await openWriter(dir);
    const orphan = { phase: 'reason', payload: {}, caused_by: 'later' };
    expect(await failureOf(writer.append([reason('later'), { phase: 'start', payload: {} }]))).toBeDefined();
    expect(await failureOf(writer.append(orphan))).toMatchObject({ code: 'event-invalid' });
    await writer.append(reason('later'));
    expect(await writer.append(orphan)).toMatchObject({ sequence: 3 });
  });

  test('appends to a log whose records and folder name no episode', async () => {
    const dir = join(tempDir(), 'run');
    mkdirSync(dir);
    writeFileSync(join(dir, 'events.jsonl'), '{"id":"a","phase":"start","payload":{"task":"t"}}\n');
    await appendEvent(dir, reason('b'));
    expect(eventsIn(readFileSync(join(dir, 'events.jsonl')))).toHaveLength(2);
  });

  test('accepts an act of a candidate with its cause, and reports an unknown phase', async () => {
    const { dir } = begun();
    await appendEvent(dir, { phase: 'action_candidate', payload: { action_candidate_id: 'c' } });
    const payload = {
      input_excerpt: 'x',
      outcome: 'ok',
      result_status: 'ok',
      tool: 't',
      action_candidate_id: 'c',
    };
    expect((await appendEvent(dir, { phase: 'act', caused_by: 'start-1', payload })).remarks).toEqual([]);
    const { remarks, events } = await appendEvent(dir, [reason('a'), { phase: 'Odd', payload: {} }]);
    expect(events).toHaveLength(2);
    expect(remarks).toEqual(['event 2 has the phase "Odd", which is not known']);
  });

  test('reports corruption before the seal, and the seal before an invalid event', async () => {
    const { dir, log } = begun(`${START}torn`);
    writeFileSync(join(dir, 'final.json'), '{}');
    expect(await failureOf(appendEvent(dir, { phase: 5 }))).toBeInstanceOf(EventLogIntegrityError);
    writeFileSync(log, START);
    for (const event of [{ phase: 5 }, reason('a'), { phase: 'act', payload: {} }])
      expect(await failureOf(appendEvent(dir, event))).toMatchObject({ code: 'log-sealed' });
    expect(readdirSync(dir).sort()).toEqual(['events.jsonl', 'final.json']);
    expect(readFileSync(log, 'utf8')).toBe(START);
  });

  test('of an existing event adds nothing: by its key, and by its id if it is equal', async () => {
    const { dir, log } = begun();
    const event = { ...reason('a'), idempotencyKey: 'k' };
    const first = await appendEvent(dir, event);
    const before = readFileSync(log, 'utf8');
    const again = await appendEvent(dir, [{ ...event, id: 'other' }, reason('a')]);
    expect(again.events.map(({ text, isNew }) => [text, isNew])).toEqual(
      Array.from({ length: 2 }, () => [first.events[0]?.text, false]),
    );
    expect(readFileSync(log, 'utf8')).toBe(before);
    const twice = await appendEvent(
      dir,
      [1, 2].map(() => ({ phase: 'reason', payload: {}, idempotencyKey: 'n' })),
    );
    expect(twice.events.map(({ line, isNew }) => [line, isNew])).toEqual([
      [3, true],
      [3, false],
    ]);
  });

  test('waits for a number where one is expected', async () => {
    const { dir } = begun();
    expect(await appendEvent(dir, reason('a'), { expectSequence: 1 })).toMatchObject({ sequence: 2 });
    expect(await failureOf(appendEvent(dir, reason('b'), { expectSequence: 1 }))).toMatchObject({
      code: 'log-moved-on',
    });
  });

  test('adds the missing newline of a complete last record', async () => {
    const { dir, log } = begun(START.trimEnd());
    const { events } = await appendEvent(dir, reason('a'));
    expect(events[0]?.line).toBe(2);
    expect(readFileSync(log, 'utf8')).toBe(`${START}${events[0]?.text}\n`);
  });

  test('makes the log of a new episode, which begins with its start', async () => {
    const dir = join(tempDir(), EPISODE);
    mkdirSync(dir);
    expect(await failureOf(appendEvent(dir, reason('a')))).toMatchObject({ code: 'event-invalid' });
    expect(readdirSync(dir)).toEqual([]);
    await appendEvent(dir, { phase: 'start', payload: { task: 't', seed: 1 } });
    expect(eventsIn(readFileSync(join(dir, 'events.jsonl')))).toMatchObject([{ episode_id: EPISODE }]);
  });

  // Linux counts the bytes that a process has read.
  test.skipIf(!existsSync('/proc/self/io'))(
    'reads no more as the log grows, while nobody else touches it',
    async () => {
      const { dir } = begun();
      const writer = await openWriter(dir);
      const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);
      const readFor20 = async (from: number) => {
        const before = bytesRead();
        for (let index = 0; index < 20; index += 1) await writer.append(reason(`${from}-${index}`));
        return bytesRead() - before;
      };
      await readFor20(0);
      const large = Array.from({ length: 4000 }, (_, index) => reason(`many-${index}`, 'x'.repeat(4000)));
      await writer.append(large);
      // The log has 16 MB by now.
      expect(await readFor20(2)).toBeLessThan(1_000_000);
    },
  );

  test('notices what another program has written in between', async () => {
    const { dir, log } = begun();
    const writer = await openWriter(dir);
    await writer.append(reason('a'));
    writeFileSync(log, `${readFileSync(log, 'utf8')}{"torn`);
    expect(await failureOf(writer.append(reason('b')))).toBeInstanceOf(EventLogIntegrityError);
    writeFileSync(log, START);
    expect(await writer.append(reason('c'))).toMatchObject({ sequence: 2 });
  });
});

function metricsAt(completed: string): object {
  return { started_at: completed, completed_at: completed, duration_ms: 0 };
}

/** The errors and warnings about an episode. */
const faultsOf = async (dir: string) =>
  (await verifyEpisode(dir)).findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, line }) => `${code} ${line}`);

describe('what is appended to episodes that the runtime wrote', () => {
  const open = realEpisodes().filter(
    ({ dir, log }) => !existsSync(join(dir, 'final.json')) && readFileSync(log).length > 0,
  );

  test.each(open.map(({ name, dir }) => [name, dir] as const))(
    '%s: verify reports the same as before',
    async (_name, source) => {
      const dir = join(tempDir(), basename(source));
      cpSync(source, dir, { recursive: true });
      const errors = async () =>
        (await verifyEpisode(dir)).findings
          .filter(({ severity }) => severity === 'error')
          .map(({ code, line }) => `${code} ${line}`);
      const before = await errors();
      const event = {
        phase: 'memory',
        payload: { status: 'skipped', reason: 'port_missing', capability: 'x' },
        agent_id: 'memory',
      };
      const outcome = await failureOf(appendEvent(dir, event));
      if (before.some((error) => error.startsWith('log/')))
        expect(outcome).toBeInstanceOf(EventLogIntegrityError);
      else expect(outcome).toBeUndefined();
      expect(await errors()).toEqual(before);
    },
  );
});

describe('noesis append', () => {
  test('prints the events as they are stored, with the given numbers', async () => {
    const { dir, log } = begun();
    const input = '{"phase":"reason","payload":{"a":1.0,"b":12345678901234567890,"c":1e400}}\n';
    const { code, stdout, stderr } = await runHere(['append', dir], { input });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"payload":{"a":1.0,"b":12345678901234567890,"c":1e400}');
    expect(readFileSync(log, 'utf8')).toBe(START + stdout);
  });

  test.each([
    ['{"phase":"reason","payload":{}}\nnope\n', /line 2 of standard input is not an event/],
    ['{"phase":"reason","phase":"act","payload":{}}\n', /occurs twice/],
    ['[1]\n', /line 1 of standard input is not an event/],
  ])('refuses input that is not an event: %j', async (input, message) => {
    const { dir, log } = begun();
    const { code, stdout, stderr } = await runHere(['append', dir], { input });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(readFileSync(log, 'utf8')).toBe(START);
  });

  test('shows where a log is corrupt, and what to do', async () => {
    const { dir } = begun(`${START}{"a`);
    const { code, stderr } = await runHere(['append', dir, '--event', '{"phase":"reason","payload":{}}']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/line 2 of events.jsonl is damaged/);
    expect(stderr).toMatch(/noesis salvage/);
    const json = await runHere(['append', dir, '-j', '--event', '{"phase":"reason","payload":{}}']);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'log-corrupt', line: 2 } });
  });

  test('with --each appends the events before a bad one', async () => {
    const { dir } = begun();
    const input = '{"phase":"reason","payload":{}}\n{"phase":"start","payload":{}}\n';
    const { code, stdout, stderr } = await runHere(['append', dir, '--each'], { input });
    expect(code).toBe(1);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/already started/);
  });

  test.each([
    [['append', 'nowhere'], 3],
    [['append', 'nowhere.jsonl', '--event', '{}'], 2],
    [['append', '-', '--event', '{}'], 2],
    [['append', '.', '--each', '--event', '{}'], 2],
    [['append', '.', '--expect-sequence', 'x'], 2],
    [['append'], 2],
  ])('%j ends with %i', async (args, expected) => {
    const cwd = tempDir();
    const { code, stdout } = await runHere(args, { cwd });
    expect([code, stdout]).toEqual([expected, '']);
    expect(readdirSync(cwd)).toEqual([]);
  });
});
