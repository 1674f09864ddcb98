import { describe, expect, test } from 'vitest';
import {
  appendEvent,
  EventLogIntegrityError,
  iterEvents,
  readEvents,
  verifyEpisode,
} from '../../../src/library/index.ts';
import { noesis } from '../../support/cli.ts';
import { GOOD, rootWith } from '../../support/episodes.ts';
import { enveloped, event, observe, start, terminate, textOf, writeLog } from './logs.ts';

const { cwd, episodes } = rootWith(GOOD);
const [{ id, events, lines, dir }] = episodes;

const text = textOf([start, observe, terminate]);
const [one = '', two = '', three = ''] = text.split('\n');

/** The three kinds of corruption in the middle of a log, as the bytes of its second line. */
const CORRUPT: readonly (readonly [kind: string, line: Buffer])[] = [
  ['EV-007: bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['EV-008: a line that is not JSON', Buffer.from('{"id":')],
  ...['[]', '"text"', '7', 'true', 'null'].map(
    (json) => [`EV-009: JSON that is no object, ${json}`, Buffer.from(json)] as const,
  ),
];

const around = (bad: Buffer, before: readonly string[], after: readonly string[]): Buffer =>
  Buffer.concat([
    Buffer.from(before.map((line) => `${line}\n`).join('')),
    bad,
    Buffer.from(`\n${after.map((line) => `${line}\n`).join('')}`),
  ]);

async function failureOf(reading: Promise<unknown>): Promise<EventLogIntegrityError> {
  const reason: unknown = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(EventLogIntegrityError);
  return reason as EventLogIntegrityError;
}

async function iterate(path: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const item of iterEvents(path)) seen.push(item);
  return seen;
}

describe('a log', () => {
  test('EV-001, EV-002: has one record per line, read in the order of the file', async () => {
    const written = enveloped([start, observe, observe, terminate]);
    const log = writeLog(textOf([start, observe, observe, terminate]));
    expect(await readEvents(log)).toEqual(written);
    expect(await readEvents(dir)).toHaveLength(lines.length);
  });

  test('EV-003: has a schema of a version, as JSON Schema', async () => {
    const { stdout } = await noesis(['schema', 'event']);
    expect(stdout).toContain('1.3.0');
    const { anyOf } = JSON.parse(stdout) as { anyOf: { required: string[] }[] };
    for (const { required } of anyOf)
      expect(required).toEqual(expect.arrayContaining(['id', 'phase', 'payload']));
    const report = JSON.parse((await noesis(['verify', id, '-j'], { cwd })).stdout) as object;
    expect(report).toMatchObject({
      tool: { schemas: { noesis: { event: ['1.3.0'], state: ['1.0.0'] } } },
    });
  });

  test('EV-073: schema types lists each field once, of run events too', async () => {
    const { stdout: text } = await noesis(['schema', 'types', '-j']);
    const types = JSON.parse(text) as { type: string; fields?: string[] }[];
    for (const { type, fields = [] } of types) {
      const names = fields.map((name) => name.replace('?', ''));
      expect(names, type).toEqual([...new Set(names)]);
    }
    const projection = types.find(({ type }) => type === 'run.state_projection');
    expect(projection?.fields).toEqual(['status', 'outcomes', 'links']);
  });

  test('EV-086: an option with a dash of another kind is named', async () => {
    for (const dash of ['—', '–']) {
      const { code, stderr } = await noesis(['events', id, `${dash}phase`, 'insight'], { cwd });
      expect(code).not.toBe(0);
      expect(stderr).toContain('did you mean --phase?');
    }
  });

  test('EV-007: the bytes FF FE before UTF-8 are damage to line 1, and not UTF-16', async () => {
    const text = textOf([start, observe, terminate]);
    const log = writeLog(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text)]));
    const { code, stderr } = await noesis(['events', log]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('line 1') as unknown]);
    const corruption = { lineNumber: 1 };
    await expect(readEvents(log)).rejects.toMatchObject({ name: 'EventLogIntegrityError', corruption });
    await expect(appendEvent(log, { phase: 'reason', payload: {} })).rejects.toMatchObject({
      name: 'EventLogIntegrityError',
      corruption,
    });
    const { findings } = await verifyEpisode(log);
    expect(findings[0]).toMatchObject({ code: 'log/invalid-utf8', line: 1 });
    for (const order of ['LE', 'BE'] as const) {
      const units = Buffer.from(`\ufeff${text}`, 'utf16le');
      const wide = writeLog(order === 'LE' ? units : units.swap16());
      expect((await noesis(['events', wide])).stderr).toContain('iconv');
    }
  });

  test('EV-029: has a separate view of insight events', async () => {
    const view = await noesis(['insight', id, '-j'], { cwd });
    const listed = await noesis(['events', id, '--phase', 'insight', '-j'], { cwd });
    expect(view.stdout).toBe(listed.stdout);
    expect(view.stdout).not.toBe('');
  });

  test('EV-086, EV-088: is listed by the id of its episode, as the records that are stored', async () => {
    const { stdout, code } = await noesis(['events', id, '-j'], { cwd });
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(events);
  });

  test('EV-019, EV-087: is filtered by phase, also by one of an extension', async () => {
    const { stdout } = await noesis(['events', id, '--phase', 'act', '-j'], { cwd });
    expect(stdout.trimEnd().split('\n')).toEqual(lines.filter((line) => line.includes('"phase":"act"')));
    const log = writeLog(textOf([start, event('deliberate', {}), terminate]));
    const own = await noesis(['events', log, '--phase', 'deliberate', '-j']);
    expect(JSON.parse(own.stdout)).toMatchObject({ id: 'e2', phase: 'deliberate' });
  });

  test('EV-089: is read by the library as records with their keys', async () => {
    const acts = (await readEvents(dir)).filter(({ phase }) => phase === 'act');
    expect(acts).toEqual(events.filter(({ phase }) => phase === 'act'));
  });

  test('EV-025, EV-090, EV-091: shows the lineage of an event, and ends at a cycle and at an unknown cause', async () => {
    const chained = textOf([
      start,
      { ...observe, caused_by: 'e1' },
      event('reason', {}, { caused_by: 'e2' }),
      event('reason', {}, { id: 'a', caused_by: 'b' }),
      event('reason', {}, { id: 'b', caused_by: 'a' }),
      event('reason', {}, { id: 'c', caused_by: 'gone' }),
    ]);
    const log = writeLog(chained);
    const chainOf = async (from: string) => {
      const { stdout } = await noesis(['events', log, '--chain', from, '-j']);
      return stdout === ''
        ? []
        : stdout
            .trimEnd()
            .split('\n')
            .map((line) => (JSON.parse(line) as { id: string }).id);
    };
    expect(await chainOf('e3')).toEqual(['e3', 'e2', 'e1']);
    expect(await chainOf('b')).toEqual(['b', 'a']);
    expect(await chainOf('c')).toEqual(['c']);
    expect(await chainOf('nobody')).toEqual([]);
  });
});

describe('corruption', () => {
  test.each(CORRUPT)('EV-005, EV-006, EV-010: %s fails both lazy and complete reading', async (_, bad) => {
    const log = writeLog(around(bad, [one], [two, three]));
    const whole = await failureOf(readEvents(log));
    const lazy = await failureOf(iterate(log));
    expect(lazy.message).toBe(whole.message);
    expect((await noesis(['verify', log])).code).toBe(1);
    const { code, stdout } = await noesis(['events', log, '-j']);
    expect([code, stdout]).not.toEqual([0, expect.anything()]);
  });

  test.each(CORRUPT)('EV-014, EV-015: %s is reported on any line', async (_, bad) => {
    for (const before of [[], [one], [one, two]]) {
      const log = writeLog(around(bad, before, [three]));
      const { corruption } = await failureOf(readEvents(log));
      expect(corruption.lineNumber).toBe(before.length + 1);
      expect(corruption.reason).not.toBe('');
    }
  });

  test('EV-013: a torn last line fails, the same way each time', async () => {
    const log = writeLog(`${one}\n${two.slice(0, -5)}`);
    const messages = await Promise.all([1, 2, 3].map(async () => (await failureOf(readEvents(log))).message));
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain('line 2');
  });

  test('EV-016: a corrupt log is not projected, traced or sealed', async () => {
    const log = writeLog(`${one}\nnull\n${three}\n`);
    for (const command of [
      ['project', log],
      ['events', log, '--chain', 'e3', '-j'],
      ['verify', log],
    ]) {
      const { code, stdout } = await noesis(command);
      expect(code, command.join(' ')).not.toBe(0);
      if (command[0] !== 'verify') expect(stdout).toBe('');
    }
  });
});
