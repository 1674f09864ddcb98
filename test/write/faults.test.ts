import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/base/errors.ts';
import type { FileSystem } from '../../src/base/files/port.ts';
import type { JsonObject } from '../../src/base/json/value.ts';
import { exarchos } from '../../src/dialects/exarchos/index.ts';
import type { EventWriter } from '../../src/write/event-writer.ts';
import { intentBytes, lockOf, ownerLine } from '../../src/write/lock-file.ts';
import { fileError, MemoryFiles } from './support/memory-files.ts';
import { type Call, watchedFiles } from './support/watched-files.ts';
import { eventsIn, LOG, reason, START, systemOf, writerOf } from './support/writers.ts';

/** The replacement of a call; undefined: the call is made. */
type Fault = (call: Call, number: number) => NodeJS.ErrnoException | 'short' | undefined;

/** A file system that fails on request; `calls` counts the calls. */
function failing(files: MemoryFiles, fault: Fault): { readonly port: FileSystem; calls: number } {
  const counter = { calls: 0 };
  const port = watchedFiles(files, async (call, make) => {
    counter.calls += 1;
    const wanted = fault(call, counter.calls);
    if (wanted instanceof Error) throw wanted;
    if (wanted === 'short' && call.bytes && call.bytes.length > 1) {
      // Half of it gets there: as much as there was room for.
      const file = await files.open(call.path, 'append');
      return (await file.write(call.bytes.subarray(0, call.bytes.length >> 1))) as Awaited<
        ReturnType<typeof make>
      >;
    }
    return make();
  });
  return Object.assign(counter, { port });
}

async function attempt(port: FileSystem): Promise<unknown> {
  try {
    return await writerOf(systemOf({ files: port })).append([reason('a'), reason('b')], { waitMs: 100 });
  } catch (error) {
    return error;
  }
}

/** The next writer can append to the log. */
async function goesOn(files: MemoryFiles, expected: readonly string[]): Promise<void> {
  await writerOf(systemOf({ files, pid: 2, isAlive: ({ pid }) => pid === 2 })).append([reason('last')]);
  expect(eventsIn(files.peek(LOG)).map(({ id }) => id)).toEqual(['start-1', ...expected, 'last']);
  expect(files.peek(lockOf(LOG))).toBeUndefined();
}

const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE', 'EDQUOT'];

/** Where an event is appended, and the earlier content of the log. */
interface Scenario {
  readonly start: Readonly<Record<string, string | Uint8Array>>;
  readonly log: string;
  readonly writer: (files: FileSystem, pid?: number) => EventWriter;
  readonly event: (name: string, isFirst: boolean) => JsonObject;
  /** The names of the events that the log has. */
  readonly kept: readonly string[];
}

const TORN = Buffer.from('{"id":"torn","phase":"reason"}\n');
const DEAD = { noesis: 'lock/1' as const, token: 'dead', host: 'here', pid: 99, start: '1' };
const exarchosWriting = await exarchos.writing?.();
/** A process that is the only one that lives. */
const alone = (files: FileSystem, pid = 1) => systemOf({ files, pid, isAlive: (other) => other.pid === pid });
const DISBANDED = { totalDurationMs: 1, tasksCompleted: 1, tasksFailed: 0 };
const STREAM = '/runs/demo.events.jsonl';
const ofNoesis = {
  log: LOG,
  writer: (files: FileSystem, pid?: number) => writerOf(alone(files, pid)),
  event: (id: string) => reason(id),
};

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a log that is still to come': {
    ...ofNoesis,
    start: {},
    event: (id, isFirst) => ({ id, phase: isFirst ? 'start' : 'reason', payload: {} }),
    kept: [],
  },
  'the log of a writer that died in its write': {
    ...ofNoesis,
    start: {
      [LOG]: START + TORN.toString().slice(0, 9),
      [lockOf(LOG)]: Buffer.concat([
        ownerLine(DEAD),
        intentBytes({ length: START.length, batch: TORN, created: false }),
      ]),
      [`${lockOf(LOG)}.gone`]: ownerLine({ ...DEAD, token: 'gone' }),
    },
    kept: ['start-1'],
  },
  'a log whose program has a lock and a file of its own': {
    start: { '/runs/.event-store.lock': String(DEAD.pid) },
    log: STREAM,
    writer: (files, pid) => writerOf(alone(files, pid), exarchosWriting, { log: STREAM }),
    event: (name) => ({ type: 'team.disbanded', correlationId: name, data: DISBANDED }),
    kept: [],
  },
};

/** Which kinds of call a fault was put at. */
const CALLS = new Set<string>();

describe('a fault of the file system', () => {
  const healthy = failing(new MemoryFiles({ [LOG]: START }), () => undefined);

  test.each(CODES)(
    '%s at any call: the batch is written whole or not at all, and an error is clear',
    async (code) => {
      await attempt(healthy.port);
      const calls = healthy.calls;
      expect(calls).toBeGreaterThan(15);
      for (let at = 1; at <= calls; at += 1) {
        const files = new MemoryFiles({ [LOG]: START });
        let failed = '';
        const { port } = failing(files, ({ name }, number) => {
          if (number !== at) return undefined;
          failed = name;
          return fileError(code, name);
        });
        const outcome = await attempt(port);
        expect(files.opened, `left open after ${code} at ${failed}`).toBe(failed === 'close' ? 1 : 0);
        const after = eventsIn(files.peek(LOG)).map(({ id }) => id);
        if (outcome instanceof Error) {
          expect(outcome, failed).toBeInstanceOf(FileError);
          expect(outcome.message).toMatch(/cannot append to .*: the log is as it was/);
          expect(files.peek(LOG)?.toString(), `after ${code} at ${failed}`).toBe(START);
          await goesOn(files, []);
        } else {
          expect(after, `after ${code} at ${failed}`).toEqual(['start-1', 'a', 'b']);
          await goesOn(files, ['a', 'b']);
        }
      }
    },
  );

  test('EINTR at each call, and at many in a row: the batch is written once', async () => {
    for (const times of [1, 5]) {
      for (let at = 1; at <= healthy.calls; at += 1) {
        const files = new MemoryFiles({ [LOG]: START });
        const { port } = failing(files, ({ name, changes }, number) =>
          changes && number >= at && number < at + times ? fileError('EINTR', name) : undefined,
        );
        await attempt(port);
        const ids = eventsIn(files.peek(LOG)).map(({ id }) => id);
        expect([['start-1'], ['start-1', 'a', 'b']]).toContainEqual(ids);
      }
    }
    const files = new MemoryFiles({ [LOG]: START });
    let interrupted = 0;
    const { port } = failing(files, ({ name, path }) =>
      path === LOG && (name === 'write' || name === 'sync') && interrupted++ < 3
        ? fileError('EINTR', name)
        : undefined,
    );
    expect(await attempt(port)).toMatchObject({ sequence: 3 });
  });

  test('short writes at any place: the rest is written after them', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    const { port } = failing(files, ({ name, path }) =>
      name === 'write' && path === LOG ? 'short' : undefined,
    );
    expect(await attempt(port)).toMatchObject({ sequence: 3 });
    await goesOn(files, ['a', 'b']);
  });

  test('a disk that is full after half of the batch: the half is removed', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    let writes = 0;
    const { port } = failing(files, ({ name, path }) => {
      if (name !== 'write' || path !== LOG) return undefined;
      writes += 1;
      return writes === 1 ? 'short' : fileError('ENOSPC', 'write');
    });
    const outcome = await attempt(port);
    expect(outcome).toMatchObject({ code: 'unwritable' });
    expect(String(outcome)).toContain('no space left');
    expect(files.peek(LOG)?.toString()).toBe(START);
    await goesOn(files, []);
  });

  test('a disk that fails permanently in the middle: the lock stays, and the next writer removes the tail', async () => {
    for (let at = 1; at <= healthy.calls; at += 1) {
      const files = new MemoryFiles({ [LOG]: START });
      const { port } = failing(files, ({ name }, number) =>
        number >= at ? fileError('EIO', name) : undefined,
      );
      const outcome = await attempt(port);
      const written = !(outcome instanceof Error);
      await goesOn(files, written ? ['a', 'b'] : []);
    }
  });

  test('without links: the lock is created under its name at once', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    const { port } = failing(files, ({ name }) => (name === 'link' ? fileError('EPERM', 'link') : undefined));
    expect(await attempt(port)).toMatchObject({ sequence: 3 });
    await goesOn(files, ['a', 'b']);
  });

  test('a file next to the log that can never be written: the batch is removed, and the lock released', async () => {
    const { start, writer, event } = SCENARIOS[
      'a log whose program has a lock and a file of its own'
    ] as Scenario;
    const files = new MemoryFiles(start);
    const { port } = failing(files, ({ path }) =>
      path.startsWith('/runs/tmp') ? fileError('ENOSPC', 'open') : undefined,
    );
    await expect(writer(port).append([event('first', true)])).rejects.toThrow(
      /cannot append to .*: the log is as it was$/,
    );
    expect(eventsIn(files.peek(STREAM))).toEqual([]);
    expect(files.peek(lockOf(STREAM))).toBeUndefined();
    await writer(files, 2).append([event('last', true)]);
    expect(eventsIn(files.peek(STREAM)).map(({ correlationId }) => correlationId)).toEqual(['last']);
  });

  describe.each(Object.entries(SCENARIOS))('at any one call, where there is %s', (_name, scenario) => {
    const { start, log, writer, event, kept } = scenario;
    const made: Call[] = [];
    const append = (port: FileSystem, seen: (call: Call) => void = () => {}) =>
      writer(
        watchedFiles(port, async (call, make) => {
          seen(call);
          return make();
        }),
      ).append([event('first', kept.length === 0)], { waitMs: 100 });

    test.each(CODES)('%s: no error or a clear one, and the whole batch or nothing', async (code) => {
      made.length = 0;
      await append(new MemoryFiles(start), (call) => made.push(call));
      for (const at of made.keys()) {
        const files = new MemoryFiles(start);
        const { port } = failing(files, ({ name }, number) =>
          number === at + 1 ? fileError(code, name) : undefined,
        );
        const outcome = await append(port).catch((error: unknown) => error);
        const where = `${code} at ${made[at]?.name} ${made[at]?.path}`;
        if (outcome instanceof Error) expect(outcome, where).toBeInstanceOf(FileError);
        // The next writer removes what a failed call left behind.
        await writer(files, 2).append([event('last', (files.peek(log)?.length ?? 0) === 0)], {
          waitMs: 100,
        });
        const names = eventsIn(files.peek(log)).map(({ id, correlationId }) => correlationId ?? id);
        expect(names, where).toEqual([...kept, ...(outcome instanceof Error ? [] : ['first']), 'last']);
        expect(
          files.paths.filter((path) => path.includes('.lock')),
          where,
        ).toEqual([]);
      }
    });

    test('is met at each of its calls', () => {
      for (const { name } of made) CALLS.add(name);
      expect(made.length).toBeGreaterThan(15);
    });
  });

  test('was tried at every kind of call of the port', () => {
    const { port } = healthy;
    const file = ['read', 'write', 'truncate', 'sync', 'touch', 'status', 'close'];
    const wanted = new Set([...Object.keys(port), ...file, 'openRead']);
    // The lock is renewed only after a second of work; errors of listing and reading names are not failures.
    for (const name of ['touch']) wanted.delete(name);
    expect([...wanted].filter((name) => !CALLS.has(name))).toEqual([]);
  });
});
