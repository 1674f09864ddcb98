import { describe, expect, test } from 'vitest';
import type { FileSystem } from '../../src/base/files/port.ts';
import { exarchos } from '../../src/dialects/exarchos/index.ts';
import type { Draft, Writing } from '../../src/dialects/kit/writing.ts';
import { MAX_LINE_BYTES } from '../../src/log/limits.ts';
import { acquireLock } from '../../src/write/lock.ts';
import { intentBytes, lockOf, ownerLine } from '../../src/write/lock-file.ts';
import type { ProcessId } from '../../src/write/processes.ts';
import type { WriterSystem } from '../../src/write/system.ts';
import { fileError, MemoryFiles } from './support/memory-files.ts';
import { type Call, watchedFiles } from './support/watched-files.ts';
import { LOG, reason, START, systemOf, writerOf } from './support/writers.ts';

// Tests of changes by other programs, and of time that passes, between two calls of a writer.

/** The file system of a writer, to which something happens right before a call. */
const meanwhile = (files: MemoryFiles, happens: (call: Call) => void): FileSystem =>
  watchedFiles(files, (call, make) => {
    happens(call);
    return make();
  });

const put = async (files: MemoryFiles, path: string, content: string): Promise<void> => {
  const file = await files.open(path, 'append');
  await file.write(Buffer.from(content));
  await file.close();
};

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an append', () => {
  test('that waited for its lock until the episode was sealed is refused', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    const seal = LOG.replace('events.jsonl', 'final.json');
    const port = meanwhile(files, ({ name }) => {
      if (name === 'link') void put(files, seal, '{}');
    });
    expect(await failureOf(writerOf(systemOf({ files: port })).append([reason('a')]))).toMatchObject({
      code: 'log-sealed',
      message: `${LOG} is sealed by ${seal}: nothing can be appended`,
      place: { file: seal },
    });
    expect(files.paths).toEqual([LOG, seal]);
    expect(String(files.peek(LOG))).toBe(START);
  });

  test('to a log that another program changes without the lock is refused, and its data stays', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    let hasWritten = false;
    const port = meanwhile(files, ({ name, path }) => {
      if (hasWritten || name !== 'open' || path !== LOG) return;
      hasWritten = true;
      void put(files, LOG, 'other\n');
    });
    expect(await failureOf(writerOf(systemOf({ files: port })).append([reason('a')]))).toMatchObject({
      code: 'log-changed',
    });
    expect(files.paths).toEqual([LOG]);
    expect(String(files.peek(LOG))).toBe(`${START}other\n`);
  });

  test('reads a log that is truncated meanwhile as far as it goes', async () => {
    const files = new MemoryFiles({ [LOG]: `${START}${START.replace('start-1', 'more')}` });
    const port: FileSystem = {
      ...files,
      ...meanwhile(files, () => {}),
      open: async (path, mode) => {
        const file = await files.open(path, mode);
        return { ...file, status: async () => ({ ...(await file.status()), size: 1_000_000 }) };
      },
    };
    const isRefused = await failureOf(writerOf(systemOf({ files: port })).append([reason('a')]));
    expect(isRefused).toMatchObject({ code: 'log-changed' });
    expect(files.paths).toEqual([LOG]);
  });

  test('that could not be removed is removed when the writer is closed', async () => {
    const files = new MemoryFiles({ [LOG]: START });
    let isBroken = true;
    const port = meanwhile(files, ({ name, path }) => {
      if (isBroken && path === LOG && (name === 'sync' || name === 'truncate')) throw fileError('EIO', name);
    });
    const writer = writerOf(systemOf({ files: port }));
    expect(await failureOf(writer.append([reason('a')]))).toMatchObject({
      code: 'unwritable',
      message: expect.stringContaining('could not be removed: the lock stays until it is'),
    });
    expect(files.paths).toEqual([LOG, lockOf(LOG)]);
    isBroken = false;
    await writer.close();
    expect(files.paths).toEqual([LOG]);
    expect(String(files.peek(LOG))).toBe(START);
  });

  test('renews its lock while it reads for long, and does not write if another took it', async () => {
    for (const isTaken of [false, true]) {
      const files = new MemoryFiles({ [LOG]: START });
      let slept = 0;
      let touched = 0;
      const port = meanwhile(files, ({ name, path }) => {
        if (name === 'touch') touched += 1;
        if (name !== 'read' || path !== LOG) return;
        slept += 6000;
        if (isTaken) {
          void files.remove(lockOf(LOG));
          void put(files, lockOf(LOG), 'of another\n');
        }
      });
      const system = systemOf({ files: port });
      const slow = { ...system, now: () => system.now() + slept };
      // After the last sign of life the machine sleeps.
      const newId = () => {
        slept += 6000;
        return system.newId();
      };
      const outcome = await failureOf(
        writerOf({ ...slow, newId }).append([{ phase: 'reason', payload: {} }]),
      );
      if (isTaken) expect(outcome).toMatchObject({ code: 'log-locked' });
      else expect(outcome).toBeUndefined();
      expect(touched).toBe(1);
      expect(String(files.peek(LOG)).split('\n').length).toBe(isTaken ? 2 : 3);
    }
  });
});

describe('what a dialect hands over', () => {
  /** A dialect that stores this for any event. */
  const writingOf = (add: () => Draft): Writing => ({
    memory: () => ({ sequence: 0, take: () => {}, batch: () => ({ sequence: 1, add }) }),
  });
  const append = async (add: () => Draft) => {
    const files = new MemoryFiles();
    const failure = await failureOf(writerOf(systemOf({ files }), writingOf(add), { log: LOG }).append([{}]));
    expect(files.paths).toEqual([]);
    return failure;
  };

  test.each([
    [
      'nests too deep',
      '['.repeat(1001) + ']'.repeat(1001),
      /^event 1 cannot be stored: it is nested too deeply/,
    ],
    ['holds what JSON cannot store', '{"a":NaN}', /or has a value that JSON cannot store$/],
    ['is too long', `"${'x'.repeat(MAX_LINE_BYTES)}"`, /^event 1 cannot be stored: it has \d+ bytes/],
  ])('and %s is not stored', async (_, text, message) => {
    expect(await append(() => ({ kind: 'new', text, remarks: [] }))).toMatchObject({
      code: 'event-invalid',
      message: expect.stringMatching(message),
    });
  });

  test('may fail with an unexpected error, which is rethrown', async () => {
    const fault = new TypeError('a fault');
    expect(
      await append(() => {
        throw fault;
      }),
    ).toBe(fault);
  });
});

describe('a lock', () => {
  const OTHER = { noesis: 'lock/1' as const, token: 'other', host: 'there boot ns', pid: 5 };
  const isAlive = ({ host }: ProcessId) => (host === 'here' ? true : undefined);

  const attempt = async (system: WriterSystem, waitMs?: number) => {
    const lock = await acquireLock(LOG, system, waitMs === undefined ? {} : { waitMs });
    await lock.release();
    return lock.undone;
  };

  test.each([
    ['a process of another machine', ownerLine(OTHER), 'process 5 on there'],
    ['nobody that says so', Buffer.from('no lock of ours'), 'another program'],
  ])('of %s is waited for, and taken over when it was silent for ten seconds', async (_, content, who) => {
    const files = new MemoryFiles({ [LOG]: START, [lockOf(LOG)]: content });
    expect(await failureOf(attempt(systemOf({ files, isAlive }), 9000))).toMatchObject({
      code: 'log-locked',
      message: `${who} is writing to ${LOG}: nothing was written`,
      place: { file: lockOf(LOG) },
    });
    expect(files.peek(lockOf(LOG))).toEqual(content);
    expect(await attempt(systemOf({ files, isAlive }))).toBe(0);
    expect(files.paths).toEqual([LOG]);
  });

  test('that shows signs of life is never taken over', async () => {
    const files = new MemoryFiles({ [LOG]: START, [lockOf(LOG)]: ownerLine(OTHER) });
    const sleep = async () => {
      const file = await files.open(lockOf(LOG), 'append');
      await file.touch();
    };
    expect(await failureOf(attempt(systemOf({ files, isAlive, sleep })))).toMatchObject({
      code: 'log-locked',
    });
    expect(files.peek(lockOf(LOG))).toEqual(ownerLine(OTHER));
  });

  const DEAD = { ...OTHER, host: 'here' };
  const onlySelf = ({ pid }: ProcessId) => pid === 1;
  const claim = (token: string) => `${lockOf(LOG)}.${token}.claim`;

  test('of the dead is taken over after others died while taking it over, with all that they left', async () => {
    const batch = Buffer.from('{"id":"torn"}\n');
    const left = intentBytes({ length: START.length, batch, created: false });
    const files = new MemoryFiles({
      [LOG]: START + batch.toString().slice(0, 5),
      [lockOf(LOG)]: Buffer.concat([
        ownerLine(DEAD),
        left,
        Buffer.from('{"length":1,"bytes":99,"created":false}\nx'),
      ]),
      [claim('other')]: ownerLine({ ...DEAD, token: 'second' }),
      [claim('second')]: ownerLine({ ...DEAD, token: 'third' }),
    });
    expect(await attempt(systemOf({ files, isAlive: onlySelf }))).toBe(5);
    expect(files.paths).toEqual([LOG]);
    expect(String(files.peek(LOG))).toBe(START);
  });

  test('whose line has changed since it was read is not taken over', async () => {
    const files = new MemoryFiles({ [LOG]: START, [lockOf(LOG)]: ownerLine(DEAD) });
    let isTaken = false;
    const port = meanwhile(files, ({ name, path }) => {
      if (isTaken || name !== 'link' || path !== claim('other')) return;
      isTaken = true;
      void files.remove(lockOf(LOG));
      void put(files, lockOf(LOG), ownerLine({ ...DEAD, token: 'next', pid: 1 }).toString());
    });
    expect(await failureOf(attempt(systemOf({ files: port, isAlive: onlySelf }), 100))).toMatchObject({
      code: 'log-locked',
    });
    expect(files.paths).toEqual([LOG, lockOf(LOG)]);
  });

  test('is created under its name without links, and awaited there as well', async () => {
    const files = new MemoryFiles({ [LOG]: START, [lockOf(LOG)]: ownerLine({ ...OTHER, host: 'here' }) });
    const port = meanwhile(files, ({ name }) => {
      if (name === 'link') throw fileError('EPERM', 'link');
    });
    const failure = await failureOf(attempt(systemOf({ files: port }), 100));
    expect(failure).toMatchObject({ code: 'log-locked' });
    await files.remove(lockOf(LOG));
    expect(await attempt(systemOf({ files: port }))).toBe(0);
    const broken = meanwhile(files, ({ name, path }) => {
      if (name === 'link') throw fileError('EPERM', 'link');
      if (name === 'open' && path === lockOf(LOG)) throw fileError('EACCES', 'open');
    });
    expect(await failureOf(attempt(systemOf({ files: broken })))).toMatchObject({ code: 'EACCES' });
    expect(files.paths).toEqual([LOG]);
  });

  test('is not taken if a call fails in an unknown way', async () => {
    const fault = new TypeError('a fault');
    const files = new MemoryFiles({ [LOG]: START });
    const port = meanwhile(files, ({ name }) => {
      if (name === 'link') throw fault;
    });
    expect(await failureOf(attempt(systemOf({ files: port })))).toBe(fault);
  });

  test('of a dead writer removes only the beginning of its batch', async () => {
    const intent = intentBytes({ length: START.length, batch: Buffer.from('{"id":"a"}\n'), created: false });
    for (const tail of ['others wrote', '{"id":"a"}\nand more than the batch has']) {
      const files = new MemoryFiles({
        [LOG]: START + tail,
        [lockOf(LOG)]: Buffer.concat([ownerLine(DEAD), intent]),
      });
      expect(await attempt(systemOf({ files, isAlive: onlySelf }))).toBe(0);
      expect(String(files.peek(LOG))).toBe(START + tail);
    }
  });
});

describe('the lock of a program with its own kind of lock', async () => {
  const writing = await exarchos.writing?.();
  const stream = '/runs/demo.events.jsonl';
  const lock = '/runs/.event-store.lock';
  const EVENT = { type: 'team.disbanded', data: { totalDurationMs: 1, tasksCompleted: 1, tasksFailed: 0 } };
  const append = (files: FileSystem, isAlive: () => boolean) =>
    writerOf(systemOf({ files, isAlive }), writing, { log: stream }).append([EVENT], { waitMs: 100 });

  test.each([
    ['7', 'process 7'],
    ['not a number', 'another program'],
  ])('that holds %j is waited for', async (content, who) => {
    const files = new MemoryFiles({ [lock]: content });
    expect(await failureOf(append(files, () => true))).toMatchObject({
      code: 'log-locked',
      message: `${who} holds ${lock}: nothing was written`,
    });
    expect(files.paths).toEqual([lock]);
  });

  test('may be gone when its holder is looked up', async () => {
    const files = new MemoryFiles({ [lock]: '7' });
    const port = meanwhile(files, ({ name, path }) => {
      if (name === 'readFile' && path === lock && files.peek(lock)) void files.remove(lock);
    });
    expect(await append(port, () => true)).toMatchObject({ sequence: 1 });
    expect(files.paths).not.toContain(lock);
  });

  test('stays if it cannot be removed, and the append is not undone', async () => {
    const files = new MemoryFiles();
    const port = meanwhile(files, ({ name, path }) => {
      if (name === 'remove' && path === lock) throw fileError('EIO', name);
    });
    expect(await append(port, () => true)).toMatchObject({ sequence: 1 });
    expect(files.paths).toContain(lock);
  });
});
